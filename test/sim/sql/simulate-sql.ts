// Plays a seed on a real database: the same workers, people and faults, one thing at a time. Whatever is committed is looked
// at by the product's own oracle (run-invariants.sql), and in the end by the simulation's.

import type { Tx } from "../../../src/db/database.ts";
import type { UserId } from "../../../src/domain/identity/identity.ts";
import { defaultBreakers } from "../../../src/domain/run/gate/breakers.ts";
import { findViolations } from "../../../src/store/run/run-invariants.ts";
import type { RunWorld } from "../../helpers/run-world.ts";
import type { Backend } from "../backend.ts";
import { Crew } from "../crew.ts";
import { swarm } from "../faults.ts";
import { checkAtRest, checkRows, watchActs } from "../invariants.ts";
import { Outside } from "../provider.ts";
import { makeTrouble } from "../simulate.ts";
import { simulatedEngine } from "../simulated-engine.ts";
import { simulatedProver } from "../simulated-prover.ts";
import { thinkAtRandom } from "../think.ts";
import { rightCommands, Users } from "../users.ts";
import { type Violation, World } from "../world.ts";
import { clearRuns, sqlBackend } from "./sql-backend.ts";

export type SqlOutcome = {
  readonly seed: number;
  readonly violation: Violation | null;
  readonly points: number;
  readonly looks: number;
  readonly runs: number;
  readonly iterations: number;
};

const troubleMs = 50_000;
const calmMaxMs = 1_800_000;
/** Asked after every so many transactions, and in the end. */
const lookEvery = 8;

export async function playSql(seed: number, real: RunWorld, onTrace?: (line: string) => void): Promise<SqlOutcome> {
  await clearRuns(real);
  const world = new World({ seed, faults: swarm, isReal: true, ...(onTrace ? { onTrace } : {}) });
  const { random, timeline } = world;
  const limits = { maxConcurrentRuns: random.between(1, 3) };
  const projects = new Map<UserId, string>();
  for (let n = 0; n < 2; n++) {
    const userId = await real.makeUser();
    projects.set(userId, await real.makeProject(userId));
  }
  const looks = { count: 0 };
  const backend = watched(world, real, limits.maxConcurrentRuns, sqlBackend(world, real, projects), looks);
  const outside = new Outside(world, thinkAtRandom(random));
  watchActs(world, outside);
  const crew = new Crew<Tx>({
    world,
    backend,
    engineFor: (actor) => simulatedEngine({ world, actor, outside, backend }),
    proverFor: (actor) => simulatedProver({ world, actor, outside, backend }),
    limits,
    breakers: defaultBreakers,
    size: random.between(1, 2),
    concurrency: random.between(1, 3),
  });
  new Users({
    world,
    backend,
    limits,
    commands: rightCommands,
    userIds: [...projects.keys()],
    runsPerUser: 2,
  });
  // Forward only: the oracle goes by times, so a clock set back makes an end look earlier than what came before it.
  makeTrouble(world, crew, backend, 0);
  const isWrong = () => world.violation !== null;
  await timeline.play(() => isWrong() || timeline.nowMs >= troubleMs);
  world.isCalm = true;
  world.faults.calm();
  await playOut(world, backend);
  await backend.giveUpOldCalls(-calmMaxMs);
  await oracle(world, real, limits.maxConcurrentRuns);
  const state = await backend.look();
  checkRows(world, outside, state);
  checkAtRest(world, outside, state);
  const iterations = [...state.runs.values()].reduce((sum, record) => sum + record.iterations.length, 0);
  return {
    seed,
    violation: world.violation,
    points: world.points,
    looks: looks.count,
    runs: state.runs.size,
    iterations,
  };
}

/** Until every run has come to rest; asked twice a minute, as it is a query. */
async function playOut(world: World, backend: Backend<Tx>): Promise<void> {
  const { timeline } = world;
  const endMs = timeline.nowMs + calmMaxMs;
  for (let isResting = false; !isResting && timeline.nowMs < endMs && world.violation === null; ) {
    const untilMs = timeline.nowMs + 15_000;
    await timeline.play(() => world.violation !== null || timeline.nowMs >= untilMs);
    const runs = await backend.listRuns();
    isResting = runs.every(({ state }) => state.status !== "queued" && state.status !== "running");
  }
}

async function oracle(world: World, { db }: RunWorld, limit: number): Promise<void> {
  const [first] = await findViolations(db, limit);
  if (first) world.report(first.invariant, `${first.runId}: ${first.detail}`);
}

/** Asks the oracle now and then after something was committed. */
function watched(
  world: World,
  real: RunWorld,
  limit: number,
  backend: Backend<Tx>,
  looks: { count: number },
): Backend<Tx> {
  let commits = 0;
  const looking =
    <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const result = await work(...args);
      commits += 1;
      if (commits % lookEvery === 0) {
        looks.count += 1;
        await oracle(world, real, limit);
      }
      return result;
    };
  return {
    ...backend,
    storeFor: (actor) => {
      const store = backend.storeFor(actor);
      return {
        transaction: (work) => looking(() => store.transaction(work))(),
        recordEntry: looking(store.recordEntry),
        recordWrites: looking(store.recordWrites),
        reserveCall: looking(store.reserveCall),
        settleCall: looking(store.settleCall),
        noteSilence: looking(store.noteSilence),
        intendEffect: looking(store.intendEffect),
        keepHandle: looking(store.keepHandle),
        isAtWork: store.isAtWork,
        finishEffect: looking(store.finishEffect),
        hear: looking(store.hear),
      };
    },
  };
}

// Plays one seed with outcomes: HOMЯ and the workers on its tasks in a time in which everything goes wrong, then a calm one in which
// every outcome has to come to an end, or to say what it waits for.

import type { OutcomeId } from "../../src/domain/homr/outcome.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { HomrDeps } from "../../src/homr/homr-deps.ts";
import { toHomrJob } from "../../src/store/outcome/homr-jobs.ts";
import { Crew } from "./crew.ts";
import { type FaultClass, swarm } from "./faults.ts";
import { findAtRest, findInOutcome } from "./invariants/outcome-checks.ts";
import { Watch } from "./invariants.ts";
import { memoryBackend, type StoreBug } from "./memory/memory-backend.ts";
import type { Commit } from "./memory/memory-database.ts";
import type { MemoryWrites } from "./memory/memory-journal-store.ts";
import type { State } from "./memory/records.ts";
import { OutcomeUsers } from "./outcome-users.ts";
import { Outside } from "./provider.ts";
import { makeTrouble } from "./simulate.ts";
import { simulatedEngine } from "./simulated-engine.ts";
import { simulatedHomr } from "./simulated-homr.ts";
import { simulatedProver } from "./simulated-prover.ts";
import { thinkAtRandom } from "./think.ts";
import { type Violation, World } from "./world.ts";

export type OutcomeBug = StoreBug & {
  readonly name: string;
  readonly homr?: (deps: HomrDeps<MemoryWrites>) => HomrDeps<MemoryWrites>;
};

export type PlayedOutcomes = {
  readonly seed: number;
  readonly violation: Violation | null;
  readonly hash: string;
  readonly outcomes: number;
  readonly observations: number;
  readonly achieved: number;
  readonly faults: Readonly<Record<FaultClass, number>>;
};

const troubleMs = 180_000;
/** Holds and supervision included. */
const calmMaxMs = 4_000_000;
const restMs = 20_000;

export async function playOutcomes(
  seed: number,
  { bug, onTrace }: { readonly bug?: OutcomeBug; readonly onTrace?: (line: string) => void } = {},
): Promise<PlayedOutcomes> {
  const world = new World({ seed, faults: swarm, ...(onTrace ? { onTrace } : {}) });
  const { random } = world;
  const backend = memoryBackend(world, bug);
  const { database } = backend;
  const outside = new Outside(world, thinkAtRandom(random));
  const limits = { maxConcurrentRuns: random.between(1, 3) };
  const watch = new Watch(world, outside, database, limits);
  watchOutcomes(world, database);
  const playing = { world, outside, backend };
  const crew = new Crew({
    world,
    backend,
    engineFor: (actor) => simulatedEngine({ ...playing, actor }),
    proverFor: (actor) => simulatedProver({ ...playing, actor }),
    homrFor: (actor) => simulatedHomr({ world, backend, limits, ...(bug?.homr ? { deps: bug.homr } : {}) }, actor),
    limits,
    breakers: defaultBreakers,
    size: random.between(1, 3),
    concurrency: random.between(1, 3),
  });
  const users = new OutcomeUsers({ world, backend, limits, userIds: [random.id() as UserId] });
  makeTrouble(world, crew, backend);
  await world.timeline.play(() => world.violation !== null || world.timeline.nowMs >= troubleMs);
  world.isCalm = true;
  world.faults.calm();
  watch.calm();
  const calmFromMs = world.timeline.nowMs;
  const isOver = () => world.violation !== null || world.timeline.nowMs > calmFromMs + calmMaxMs;
  const isAtRest = () =>
    world.timeline.nowMs > calmFromMs + restMs && users.isDone && database.locks.isIdle && hasNoWork(database);
  await world.timeline.play(() => isOver() || isAtRest());
  if (world.violation === null && !isAtRest())
    world.report("L1 every_outcome_comes_to_rest", `${database.jobs.size} jobs`);
  if (world.violation === null)
    for (const record of database.outcomes.values())
      for (const [invariant, detail] of findAtRest(record, database)) world.report(invariant, detail);
  const records = [...database.outcomes.values()];
  return {
    seed,
    violation: world.violation,
    hash: world.hash(records),
    outcomes: records.length,
    observations: records.reduce((sum, { observations }) => sum + observations.length, 0),
    achieved: records.filter(({ outcome }) => outcome.status === "achieved").length,
    faults: world.faults.counts,
  };
}

type Database = ReturnType<typeof memoryBackend>["database"];

/** Looks come again for as long as something is under way. */
const hasNoWork = ({ jobs }: Database): boolean =>
  [...jobs.values()].every(
    (job) => job.kind === "homr" && job.state !== "active" && toHomrJob(job).turn.kind === "look",
  );

function watchOutcomes(world: World, database: Database): void {
  const { watcher } = database;
  database.watcher = (commit, after) => {
    watcher(commit, after);
    for (const id of affected(commit, after)) {
      const record = after.outcomes.get(id);
      const findings = record === undefined ? [] : findInOutcome(record, after);
      for (const [invariant, detail] of findings) world.report(invariant, `${detail} (${commit.by})`);
    }
  };
}

/** Those that changed, and those of whose tasks a run changed: its end is told in its own transaction. */
function affected({ outcomes, runs }: Commit, after: State): ReadonlySet<OutcomeId> {
  const worked = new Set([...runs.values()].map(({ run }) => run.outcomeTaskId));
  const ofRuns = [...after.outcomes].filter(([, { tasks }]) => tasks.some(({ id }) => worked.has(id)));
  return new Set([...outcomes.keys(), ...ofRuns.map(([id]) => id)]);
}

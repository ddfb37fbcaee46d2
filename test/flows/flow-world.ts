// One database and one worker for the flows of a test file. Every case has a user, a lab and models of its own, so that cases can
// be played side by side and each lab's books are those of one run.

import { afterAll } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import { cancel, respond, steer } from "../../src/domain/run/commands.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import { judge } from "../../src/engine/judge.ts";
import { plannerEngine } from "../../src/engine/planner/planner-engine.ts";
import { storeProver } from "../../src/engine/prove.ts";
import { AppError } from "../../src/lib/app-error.ts";
import type { Env, Instant } from "../../src/lib/env.ts";
import type { Models } from "../../src/llm/model.ts";
import { realEnv } from "../../src/main/env.ts";
import type { Engine, Prover } from "../../src/runs/ports/engine.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { type Death, dieAt } from "../helpers/dying-journal.ts";
import { patienceMs } from "../helpers/patience.ts";
import { objective } from "../helpers/planner-scenario.ts";
import { type RoleRequest, readRequest, toReply } from "../helpers/role-script.ts";
import { type RunWorld, runWorld } from "../helpers/run-world.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labModels } from "../lab/lab-models.ts";
import type { LabReply } from "../lab/lab-protocol.ts";
import { type Flow, momentOf, type PlantedFault } from "./flow.ts";
import { flowPrices, insistingModes, type Stance } from "./stances.ts";

export type FlowWorld = RunWorld & {
  /** Plays a flow to its end. The lab is closed already. */
  readonly play: (stance: Stance, flow: Flow, fallback: string) => Promise<Played>;
};

export type Played = { readonly run: Run; readonly lab: Lab; readonly asked: readonly RoleRequest[] };

type Seat = { readonly engine: Engine<Tx>; readonly prover: Prover<Tx> };

/** Far above what a file plays at once. */
const maxConcurrentRuns = 1_000;

export async function flowWorld(): Promise<FlowWorld> {
  const world = await runWorld(maxConcurrentRuns);
  const seats = new Map<UserId, Seat>();
  const seatOf = ({ userId }: Pick<Run, "userId">): Seat => {
    const seat = seats.get(userId);
    if (seat === undefined) throw new Error("a run without a seat");
    return seat;
  };
  const engine: Engine<Tx> = {
    iterate: (input, journal) => seatOf(input.run).engine.iterate(input, journal),
    narrate: async (ending, journal) =>
      (await seatOf(ending.run).engine.narrate?.(ending, journal)) ?? { kind: "narrated", text: null },
  };
  const prover: Prover<Tx> = {
    prove: (run, result, journal) => seatOf(run).prover.prove(run, result, journal),
    readStates: async (run, artifacts) => (await seatOf(run).prover.readStates?.(run, artifacts)) ?? [],
  };
  world.work(engine, { prover, concurrency: 6, maxConcurrentRuns });
  const open = new Set<Lab>();
  afterAll(async () => {
    for (const lab of open) await lab.close();
  });
  return {
    ...world,
    play: async (stance, flow, fallback) => {
      const userId = await world.makeUser();
      await world.makeProject(userId);
      const table = await setTable(world, userId, stance, flow, fallback);
      open.add(table.lab);
      seats.set(userId, table.seat);
      const run = await playRun(world, userId, flow);
      await table.lab.close();
      open.delete(table.lab);
      return { run, lab: table.lab, asked: table.asked };
    },
  };
}

type Table = { readonly seat: Seat; readonly lab: Lab; readonly asked: readonly RoleRequest[] };

async function setTable(world: RunWorld, userId: UserId, stance: Stance, flow: Flow, fallback: string): Promise<Table> {
  const asked: RoleRequest[] = [];
  const script = flow.script({ steer: (text) => sayTo(world, userId, text) });
  const plant = plantFaults(stance, flow);
  const hasFallback = flow.breaksAt !== undefined;
  const lab = await startLab({
    prices: flowPrices,
    modes: hasFallback ? [...insistingModes, ...stance.modes] : stance.modes,
    script: async (request) => {
      const seen = readRequest(request);
      asked.push(seen);
      return plant(seen, withFigures(seen, toReply(await script(seen), seen), asked.length));
    },
  });
  const { env, seat } = seatFor(world, flow.deaths ?? []);
  const { timeouts } = stance;
  const ids = hasFallback ? ([stance.model, fallback] as const) : ([stance.model] as const);
  const { models } = labModels(lab, ids, { env, ...(timeouts === undefined ? {} : { timeouts }) });
  return { seat: seat(models), lab, asked };
}

/** Every answer has figures and thoughts of its own, so that none can be taken for another. */
function withFigures({ request }: RoleRequest, reply: LabReply, at: number): LabReply {
  if ("status" in reply) return reply;
  // As Kimi names its calls: others do not take such ids back.
  const isOwnServer = request.protocol === "chat" && request.provider !== "openrouter";
  const toolCalls = (reply.toolCalls ?? []).map((call, n) => ({ ...call, id: `functions.${call.name}:${at}_${n}` }));
  return {
    reasoning: [{ text: `Thought ${at}.` }],
    usage: { input: 900 + at, output: 100 + 7 * at, cacheRead: 10 * at },
    ...reply,
    ...(isOwnServer ? { toolCalls } : {}),
  };
}

/** Each fault comes once, and only from the provider that is asked first. */
function plantFaults({ model }: Stance, { faults = [], breaksAt }: Flow) {
  const broken: PlantedFault = { at: breaksAt ?? "", fault: () => ({ status: 402 }) };
  const open = new Map([...faults, broken].map(({ at, fault }) => [at, fault]));
  return (seen: RoleRequest, answer: LabReply): LabReply => {
    const fault = model.startsWith(`${seen.request.provider}/`) ? open.get(momentOf(seen)) : undefined;
    open.delete(momentOf(seen));
    return fault?.(answer) ?? answer;
  };
}

const hourMs = 3_600_000;

/** Pauses between tries take a hundredth of their time. Each attempt after a death begins an hour later. */
function seatFor({ db }: RunWorld, deaths: readonly Death[]) {
  let died = 0;
  const env: Env = {
    ...realEnv,
    now: () => (realEnv.now() + died * hourMs) as Instant,
    sleep: (ms, signal) => realEnv.sleep(Math.ceil(ms / 100), signal),
  };
  const seat = (models: Models): Seat => {
    const deps = { db, models, registry: makeRegistry(builtInTools), env };
    const engine = plannerEngine(deps);
    return {
      engine: {
        ...engine,
        iterate: (input, journal) => {
          const death = deaths[died];
          const given = death === undefined ? journal : dieAt(journal, death, die);
          return engine.iterate(input, given).finally(() => {
            died += death === undefined ? 0 : 1;
          });
        },
      },
      prover: storeProver(db, {
        judge: (...asked) => judge(deps, ...asked),
      }),
    };
  };
  return { env, seat };
}

/** As if the database went away under it: the job goes back to the queue with its lease still held. */
const die = () => new AppError("database_unavailable", "this attempt dies here");

async function playRun(world: RunWorld, userId: UserId, { over, answers = [], end }: Flow): Promise<Run> {
  const created = { objective, checks: [planCheck], deliverables: [], isJudged: true, ...over };
  const { id } = await world.create(userId, created);
  for (const text of answers) {
    const waiting = await untilAsked(world, id);
    if (waiting.state.status !== "waiting_on_user") return waiting;
    const { questions } = waiting.state;
    const said = questions.map(({ id: questionId }) => ({ questionId, text }));
    await world.command(waiting, (run) => respond(run, said));
  }
  if (end !== undefined && "heldMinutes" in end) return untilHeld(world, id);
  return world.until(id, "completed", "stopped", "failed", "waiting_on_user");
}

/** As it is held; it is canceled then, so that no worker comes back to it. */
async function untilHeld(world: RunWorld, id: RunId): Promise<Run> {
  for (const end = realEnv.now() + patienceMs; realEnv.now() < end; ) {
    const run = await world.find(id);
    if (run.state.status !== "queued" && (run.state.status !== "running" || run.state.hold !== null)) {
      await world.command(run, cancel);
      return run;
    }
    await realEnv.sleep(50);
  }
  throw new Error("the run was not held");
}

const untilAsked = (world: RunWorld, id: RunId): Promise<Run> =>
  world.until(id, "waiting_on_user", "completed", "stopped", "failed");

async function sayTo(world: RunWorld, userId: UserId, text: string): Promise<void> {
  const { rows } = await world.admin.query("select id from homework.homework_runs where user_id = $1", [userId]);
  const run = await world.find(rows[0].id);
  await world.command(run, (each) => steer(each, text));
}

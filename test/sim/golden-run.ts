// One run of twelve iterations with everything in it: calls, notes, writes, effects, a question answered, a message, a hold,
// a failure. It takes the same course whenever its workers die, so its end can be compared with that of a quiet one.

import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBreakers } from "../../src/domain/run/breakers.ts";
import { defaultBudget } from "../../src/domain/run/budget.ts";
import { type Answered, respond, steer } from "../../src/domain/run/commands.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import { commandRun } from "../../src/runs/command-run.ts";
import { createRun } from "../../src/runs/create-run.ts";
import { Crew } from "./crew.ts";
import { type Place, type PointFault, quiet } from "./faults.ts";
import { checkAtRest, Watch } from "./invariants.ts";
import { type MemoryBackend, memoryBackend, type StoreBug } from "./memory/memory-backend.ts";
import type { RunRecord, State } from "./memory/records.ts";
import { Outside, type Prompt, ProviderRefused } from "./provider.ts";
import { type Piece, type Planned, simulatedEngine, simulatedProver } from "./simulated-engine.ts";
import { runInLine } from "./users.ts";
import { type Violation, World } from "./world.ts";

const call: Piece = { kind: "model", reservedMicroUsd: 20 };
const calls: Piece = { kind: "models_at_once", reservedMicroUsd: 20 };
const [note, write, effect, repeatable] = (["note", "write", "effect", "repeatable_effect"] as const).map((kind) => ({
  kind,
})) as [Piece, Piece, Piece, Piece];

const script: readonly (readonly [Planned["end"], ...Piece[]])[] = [
  ["go_on", note, write],
  ["go_on", call, write, note],
  ["ask", write],
  ["go_on", effect, write],
  ["go_on", calls, repeatable],
  ["go_on", write, call],
  ["throw", note, write],
  ["go_on", repeatable, write, effect],
  ["error", note, call],
  ["go_on", write, write, note],
  ["go_on", calls, effect],
  ["claim", write, note],
];
/** In here the provider says once that it has had enough. */
const heldIteration = 6;
const holdMs = 5_000;
const documents = script.flat().filter((piece) => piece === write).length;

const think = ({ iteration, key, heard }: Prompt): unknown => {
  const [end, ...pieces] = script[iteration - 1] ?? ["claim"];
  return key === "plan" ? ({ heard, pieces, end } satisfies Planned) : { said: key };
};

export type GoldenFaults = {
  readonly atPoint?: (place: Place) => PointFault;
  readonly losesAcknowledgement?: (place: Place) => boolean;
};

export type GoldenEnd = { readonly violation: Violation | null; readonly state: unknown };

const userId = "user" as UserId;
const runId = "golden" as RunId;
const limits = { maxConcurrentRuns: 1 };
const longestMs = 600_000;

export async function playGolden(faults: GoldenFaults = {}, bug?: StoreBug): Promise<GoldenEnd> {
  const world = new World({ seed: 1, hasJitter: false, faults: () => quiet(faults) });
  const backend = memoryBackend(world, bug);
  const { database } = backend;
  const outside = new Outside(world, think);
  let isHeld = false;
  outside.refuse = ({ iteration }) => {
    if (iteration !== heldIteration || isHeld) return;
    isHeld = true;
    throw new ProviderRefused({ kind: "hold", untilMs: world.nowMs + holdMs, why: "too many requests" });
  };
  const watch = new Watch(world, outside, database, limits);
  await handOver(backend, world);
  new Crew({
    world,
    backend,
    engineFor: (actor) => simulatedEngine(world, actor, outside, backend),
    proverFor: (actor) => simulatedProver(world, actor, backend),
    limits,
    breakers: defaultBreakers,
    size: 2,
    concurrency: 1,
  });
  answerWhenAsked(backend, world);
  await world.timeline.play(
    () => world.violation !== null || world.timeline.nowMs > longestMs || (watch.isAtRest() && isOver(database)),
  );
  await backend.giveUpOldCalls(-longestMs);
  checkAtRest(world, outside, database);
  return { violation: world.violation, state: normalised(database) };
}

const isOver = ({ runs }: State): boolean => runs.get(runId)?.run.state.status !== "waiting_on_user";

function handOver(backend: MemoryBackend, world: World): Promise<Run> {
  const run = runInLine(runId, userId, { ...defaultBudget, maxIterations: script.length + 1 }, documents);
  return backend.storeFor(world.makeActor("user")).transaction((tx) => createRun(tx, run, limits));
}

/** Looks twice a second; says something, and answers. */
function answerWhenAsked(backend: MemoryBackend, world: World): void {
  const store = backend.storeFor(world.makeActor("user"));
  const tell = (command: (run: Run) => Answered) =>
    store.transaction((tx) => commandRun(tx, userId, runId, command, limits));
  const look = async () => {
    const run = await backend.findRun(runId);
    if (run?.state.status === "waiting_on_user") {
      const answers = run.state.questions.map(({ id }) => ({ questionId: id, text: "the second" }));
      await tell((now) => steer(now, "and make it short"));
      await tell((now) => respond(now, answers));
    }
    world.timeline.at(world.timeline.nowMs + 500, () => void look());
  };
  world.timeline.at(500, () => void look());
}

/** Nothing of times, tries, fences, ids, or of calls whose answers got lost; an effect is done or uncertain, both is right. */
function normalised({ runs, documents: written }: State): unknown {
  const record = runs.get(runId);
  if (record === undefined) return null;
  const { run, iterations, steps, signals, notifications } = record;
  const made = new Map((written.get(runId) ?? []).map(({ id, iteration, key }) => [id, `${iteration}/${key}`]));
  const named = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value ?? null, (_key, each) => (typeof each === "string" ? (made.get(each) ?? each) : each)),
    );
  return {
    state: named(run.state),
    streaks: run.streaks,
    guidance: run.guidance,
    plan: run.plan,
    unread: run.unreadSignals,
    toolCalls: run.spent.toolCalls,
    iterations: iterations.map(({ iteration, status, decision, artifacts, plan }) =>
      named({ iteration, status, decision, artifacts, plan }),
    ),
    steps: steps
      .map(
        ({ iteration, key, kind, result }) =>
          `${iteration}/${key} ${kind} ${JSON.stringify(kind === "effect" ? null : named(result))}`,
      )
      .toSorted(),
    documents: [...made.values()].toSorted(),
    signals: signals.map(({ kind, text, consumedIteration }) => ({ kind, text, consumedIteration })),
    notifications: notifications.map(({ event }) => event),
    events: eventsOf(record),
  };
}

const passing = ["iteration_started", "run_holding", "iteration_cost_update"];

const eventsOf = ({ events }: RunRecord): readonly string[] =>
  events.flatMap(({ event }) =>
    passing.includes(event.type) ? [] : [`${event.type} ${"step" in event ? event.step : ""}`],
  );

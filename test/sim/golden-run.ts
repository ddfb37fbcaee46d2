// One run of twelve iterations with everything in it: sessions, executors, notes, writes, effects, a question answered, a message,
// an answer that breaks off, a held planner, a held judge, a failure. It takes the same course whenever its workers die, so its end can be compared with that of a quiet one.

import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { type Answered, respond, steer } from "../../src/domain/run/commands.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import { commandRun } from "../../src/runs/command-run.ts";
import { createRun } from "../../src/runs/create-run.ts";
import { Crew } from "./crew.ts";
import { type Place, type PointFault, quiet } from "./faults.ts";
import { checkAtRest, Watch } from "./invariants.ts";
import { type MemoryBackend, memoryBackend, type StoreBug } from "./memory/memory-backend.ts";
import type { RunRecord, State } from "./memory/records.ts";
import { Outside, type Prompt } from "./provider.ts";
import { simulatedEngine } from "./simulated-engine.ts";
import { simulatedProver } from "./simulated-prover.ts";
import { call, type End, say, type Thought, type ThoughtCall } from "./think.ts";
import { runInLine, withJudge } from "./users.ts";
import { type Violation, World } from "./world.ts";

const [note, write, effect, repeatable, failing, forbidden, delegate] = (
  ["note", "write", "effect", "repeatable_effect", "failing", "forbidden", "delegate"] as const
).map((tool) => call(tool)) as [
  ThoughtCall,
  ThoughtCall,
  ThoughtCall,
  ThoughtCall,
  ThoughtCall,
  ThoughtCall,
  ThoughtCall,
];

/** An answer that breaks off. */
const half = "half";

/** How each iteration ends, after answers with these calls. */
const script: readonly (readonly [End, ...(readonly ThoughtCall[] | typeof half)[]])[] = [
  ["go_on", [note, write]],
  ["go_on", [], [write, note]],
  ["ask", [write]],
  ["go_on", [effect], [write]],
  ["go_on", [delegate], [repeatable, forbidden]],
  ["go_on", [write], [note]],
  ["throw", [note, write]],
  ["go_on", half, [repeatable, write, effect]],
  ["error", [note], [failing]],
  ["go_on", [write, write, note]],
  ["go_on", [delegate, effect]],
  ["claim", [write, note]],
];
/** In here the provider says once that it has had enough; so it does to the judge in the last one. */
const heldKeys = ["6/llm:1", `${script.length}/judge:report`];
const holdMs = 5_000;
/** Each of two executors writes a page. */
const documents = script
  .flat(2)
  .reduce((sum, piece) => sum + (piece === write ? 1 : 0) + (piece === delegate ? 2 : 0), 0);

/** Deterministic: the same key of the same iteration gets the same answer. */
const think = ({ iteration, key, role }: Prompt): Thought => {
  if (role === "judge") return say("yes");
  if (role === "summary") return say("It came to an end.");
  const step = Number(key.at(-1));
  if (role === "executor") return step === 0 ? say(key, [write, note]) : say(`${key} is done`);
  const [end, ...answers] = script[iteration - 1] ?? ["claim"];
  const answer = answers[step];
  if (answer === half) return { ...say(key, [write]), isCutOff: true };
  return answer === undefined ? say(key, [call("end_iteration", end)]) : say(key, answer);
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
  const held = new Set<string>();
  outside.refuse = ({ iteration, key }) => {
    const place = `${iteration}/${key}`;
    if (!heldKeys.includes(place) || held.has(place)) return null;
    held.add(place);
    return { kind: "limit", untilMs: world.nowMs + holdMs, why: "too many requests" };
  };
  const watch = new Watch(world, outside, database, limits);
  await handOver(backend, world);
  new Crew({
    world,
    backend,
    engineFor: (actor) => simulatedEngine({ world, actor, outside, backend }),
    proverFor: (actor) => simulatedProver({ world, actor, outside, backend }),
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
  const budget = { ...defaultBudget, maxIterations: script.length + 1 };
  const run = withJudge(runInLine(runId, userId, budget, documents));
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
  const { run, iterations, entries, messages, notification } = record;
  const made = new Map((written.get(runId) ?? []).map(({ id, iteration, key }) => [id, `${iteration}/${key}`]));
  const named = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value ?? null, (key, each) =>
        typeof each === "string" ? (made.get(each) ?? (key === "callId" ? null : each)) : each,
      ),
    );
  return {
    state: named(run.state),
    streaks: run.streaks,
    guidance: run.guidance,
    plan: run.plan,
    unread: run.unreadMessages,
    toolCalls: run.spent.toolCalls,
    iterations: iterations.map(({ iteration, status, decision, artifacts, plan }) =>
      // Executors at once end in any order.
      named({ iteration, status, decision, plan, artifacts: artifacts.map(({ id }) => made.get(id)).toSorted() }),
    ),
    entries: entries
      .map(
        ({ iteration, key, kind, result }) =>
          `${iteration}/${key} ${kind} ${JSON.stringify(kind === "effect" ? null : named(result))}`,
      )
      .toSorted(),
    documents: [...made.values()].toSorted(),
    messages: messages.map(({ kind, text, consumedIteration }) => ({ kind, text, consumedIteration })),
    notification: notification && { told: notification.told - silencesTold(record), event: notification.event },
    events: eventsOf(record),
  };
}

/** How often they come depends on who wakes when: one that wakes with a job that was given to another takes the run and lets it go. */
const passing = [
  "iteration_started",
  "iteration_released",
  "run_holding",
  "iteration_cost_update",
  "model_silent",
  "model_heard",
];

/** Which calls are silent goes by their ids, which are others after a fault. */
const silencesTold = ({ events }: RunRecord): number =>
  events.filter(({ event }) => event.type === "model_silent" && event.is_told).length;

/** In their order; those of executors, who work at once, apart from the others. */
function eventsOf({ events }: RunRecord): readonly string[] {
  const told = events.flatMap(({ event }) =>
    passing.includes(event.type) ? [] : [`${event.type} ${"entry" in event ? event.entry : ""}`],
  );
  const isOfExecutor = (line: string) => line.includes("exec:");
  return [...told.filter((line) => !isOfExecutor(line)), ...told.filter(isOfExecutor).toSorted()];
}

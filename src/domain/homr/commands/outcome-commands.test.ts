import { expect, test } from "vitest";
import {
  makeEscalation,
  makeOutcome,
  makeState,
  makeTask,
  makeWorld,
  taskId,
} from "../../../../test/helpers/make-outcome.ts";
import type { RunId } from "../../run/run.ts";
import { type Discovery, emptyContext } from "../context/context.ts";
import { noIntent, type Outcome, outcomeStatuses } from "../outcome.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { isOpenEscalation } from "../questions/escalation.ts";
import { settleAttempt } from "../tasks/settle-attempt.ts";
import type { Commanded } from "./command.ts";
import {
  archiveOutcome,
  editOutcome,
  intervene,
  pauseOutcome,
  resolveBlocker,
  resumeOutcome,
  setConfig,
  startOutcome,
  takeBack,
} from "./outcome-commands.ts";

const world = makeWorld();
const running = (number: number) =>
  makeTask(number, { status: "running", runId: `run_${number}` as RunId, attempts: 1 });
const resting = { ...running(4), status: "pending" } as const;
const stateWith = (over: Partial<Outcome> = {}, more: Partial<OutcomeState> = {}): OutcomeState =>
  makeState({ outcome: makeOutcome(over), tasks: [running(1), running(2), makeTask(3)], ...more });

function moved(answer: Commanded) {
  if (!answer.isDone) throw new Error(answer.why);
  return answer.move;
}
const refused = (answer: Commanded) => (answer.isDone ? null : answer.why);
const runsOf = (answer: Commanded) =>
  moved(answer).effects.flatMap((effect) => ("runId" in effect ? [`${effect.kind} ${effect.runId}`] : []));

/** In which statuses it says yes, and what the outcome is afterwards. */
const accepts = (command: (state: OutcomeState) => Commanded) =>
  Object.fromEntries(
    outcomeStatuses.flatMap((status) => {
      const answer = command(stateWith({ status }));
      return answer.isDone ? [[status, answer.move.state.outcome.status]] : [];
    }),
  );

test("what does not run can be started", () => {
  expect(accepts((state) => startOutcome(state, world))).toEqual({
    dormant: "active",
    achieved: "active",
    archived: "active",
  });
});
test("only what is active can be paused, only what is paused resumed", () => {
  expect(accepts((state) => pauseOutcome(state, world))).toEqual({ active: "paused" });
  expect(accepts((state) => resumeOutcome(state, world))).toEqual({ paused: "active" });
});
test("whatever is not archived can be archived", () => {
  const all = { active: "archived", paused: "archived", dormant: "archived", achieved: "archived" };
  expect(accepts((state) => archiveOutcome(state, world))).toEqual(all);
});

test("what a task needs of its owner is asked again where the outcome goes on after a pause", () => {
  const gate = { id: "g1", kind: "document_required", label: "Price list", given: null, isAsked: true } as const;
  const tasks = [makeTask(1, { gates: [gate] })];
  const asked = (answer: Commanded) => moved(answer).state.escalations.map(({ trigger }) => trigger);
  expect(asked(resumeOutcome(stateWith({ status: "paused" }, { tasks }), world))).toEqual(["gate"]);
  expect(asked(startOutcome(stateWith({ status: "archived" }, { tasks }), world))).toEqual(["gate"]);
});

test("starting begins as many tasks as there are workers", () => {
  const state = makeState({ outcome: makeOutcome({ status: "dormant", workers: 2 }) });
  expect(moved(startOutcome(state, world)).effects.filter(({ kind }) => kind === "start_run")).toHaveLength(2);
});
test("with nothing to do and nothing wanted it cannot be started", () => {
  const empty = stateWith({ status: "dormant", intent: noIntent }, { tasks: [] });
  expect(refused(startOutcome(empty, world))).toContain("neither a task nor an intent");
  expect(refused(startOutcome(stateWith({ status: "dormant" }, { tasks: [] }), world))).toBe(null);
});
test("with the money spent it can be neither started nor resumed", () => {
  const spent = { maxCostMicroUsd: 5, spent: { costMicroUsd: 5, tokens: 0, unpricedCalls: 0 } };
  expect(refused(startOutcome(stateWith({ status: "dormant", ...spent }), world))).toContain("cost limit");
  expect(refused(resumeOutcome(stateWith({ status: "paused", ...spent }), world))).toContain("cost limit");
});

test("pausing makes its runs rest, and no task is paused by that", () => {
  const answer = pauseOutcome(stateWith(), world);
  expect(runsOf(answer)).toEqual(["pause_run run_1", "pause_run run_2"]);
  expect(moved(answer).state.tasks.map(({ status }) => status)).toEqual(["running", "running", "pending"]);
});
test("resuming lets the same runs go on", () => {
  expect(runsOf(resumeOutcome(stateWith({ status: "paused" }), world))).toEqual([
    "resume_run run_1",
    "resume_run run_2",
  ]);
});

const archive = () =>
  archiveOutcome(stateWith({}, { tasks: [running(1), resting, makeTask(3)], escalations: [makeEscalation()] }), world);
test("archiving cancels every run under way, also those that rest", () => {
  expect(runsOf(archive())).toEqual(["cancel_run run_1", "cancel_run run_4"]);
});
test("its tasks wait without a run, with an attempt more, and its questions are closed", () => {
  const { state } = moved(archive());
  expect(state.tasks).toMatchObject([
    { status: "pending", runId: null, maxAttempts: 4 },
    { status: "pending", runId: null, maxAttempts: 4 },
    { status: "pending", runId: null, maxAttempts: 3 },
  ]);
  expect(state.escalations.some(isOpenEscalation)).toBe(false);
});
test("a run that ends after that changes nothing", () => {
  const { state } = moved(archive());
  const ended = {
    runId: "run_1" as RunId,
    taskId: taskId(1),
    result: "canceled",
    why: "",
    tail: "",
    checkpoint: null,
    said: [],
    hasReadUntrusted: false,
  } as const;
  expect(settleAttempt(state, ended, world)).toMatchObject({ isLate: true, state: { tasks: state.tasks } });
});

const edit = (change: Partial<Outcome>, approach: string | null = null, over: Partial<Outcome> = {}) =>
  editOutcome(stateWith({ workers: 2, ...over }), { version: 1, change, approach }, world);
test("an edit raises the version, and one of an older version is refused", () => {
  expect(moved(edit({ name: "New" })).state.outcome).toMatchObject({ name: "New", version: 2 });
  expect(refused(edit({ name: "New" }, null, { version: 3 }))).toContain("version 3, yours is 1");
});
test("a new approach is the next version, kept with who wrote it", () => {
  const { state, effects } = moved(edit({}, "Another way"));
  expect(state.outcome.approach).toEqual({ version: 2, text: "Another way" });
  expect(effects[0]).toMatchObject({ kind: "keep_approach", text: "Another way", madeBy: "user" });
});
test("the same approach is none", () => {
  expect(moved(edit({}, "A plain page with a form")).state.outcome.approach?.version).toBe(1);
});
test("what is wanted anew has to be reviewed anew", () => {
  expect(moved(edit({ intent: noIntent }, null, { cleanReviews: 1 })).state.outcome.cleanReviews).toBe(0);
  expect(moved(edit({ name: "New" }, null, { cleanReviews: 1 })).state.outcome.cleanReviews).toBe(1);
});
test("with fewer workers the least urgent task rests", () => {
  const answer = edit({ workers: 1 });
  expect(runsOf(answer)).toEqual(["pause_run run_2"]);
  expect(moved(answer).state.tasks[1]).toMatchObject({ status: "pending", runId: "run_2" });
});
test("with more workers another one begins", () => {
  expect(moved(edit({ workers: 3 })).state.tasks[2]?.status).toBe("running");
});
test.each([0, 4])("an outcome cannot have %i workers", (workers) => {
  expect(refused(edit({ workers }))).toBe("An outcome has 1 to 3 workers");
});
test("an archived outcome is not edited", () => {
  expect(refused(edit({ name: "New" }, null, { status: "archived" }))).toContain("archived");
});

test("a setting changes, the others stay", () => {
  const { outcome } = moved(
    setConfig(stateWith(), { config: { enabled: false }, autoResolve: { mode: "full_auto" } }, world),
  ).state;
  expect(outcome.config).toEqual({ ...makeOutcome().config, enabled: false });
  expect(outcome.autoResolve).toEqual({ mode: "full_auto", threshold: 0.8, deadlineHours: null });
});

const say = (said: Parameters<typeof intervene>[1], state = stateWith()) => intervene(state, said, world);
const intervention = (answer: Commanded) =>
  moved(answer).effects.flatMap((effect) => (effect.kind === "keep_intervention" ? [effect.intervention] : []));

test("what a person says to the workers stands in their prompts, and is kept", () => {
  const answer = say({ type: "redirect", message: "Use blue", taskId: null });
  expect(moved(answer).state.context.injections).toMatchObject([
    { content: "Use blue", priority: "must_know", audience: "every", isTainted: false },
  ]);
  expect(intervention(answer)).toMatchObject([{ type: "redirect", message: "Use blue", status: "acknowledged" }]);
});
test("to one task, it is for that task", () => {
  const answer = say({ type: "redirect", message: "Use blue", taskId: taskId(2) });
  expect(moved(answer).state.context.injections[0]?.audience).toEqual([taskId(2)]);
});
test("10,000 things said are not 10,000 things to read: the newest stay", () => {
  let state = stateWith();
  for (let said = 0; said < 10_000; said++)
    state = moved(say({ type: "redirect", message: `Word ${said}`, taskId: null }, state)).state;
  expect(state.context.injections).toHaveLength(50);
  expect(state.context.injections.at(-1)?.content).toBe("Word 9999");
});
test("an outcome that was achieved goes on with a review when its owner says something", () => {
  const over = makeState({
    outcome: makeOutcome({ status: "achieved", cleanReviews: 2 }),
    tasks: [makeTask(1, { status: "completed" })],
  });
  const { state, effects } = moved(say({ type: "redirect", message: "Use blue", taskId: null }, over));
  expect(state.outcome).toMatchObject({ status: "active", cleanReviews: 0 });
  expect(effects.map(({ kind }) => kind)).toContain("review");
});
test("what nothing would come of is refused: an archived outcome, an achieved one without money", () => {
  const tell = (outcome: Parameters<typeof makeOutcome>[0]) =>
    refused(say({ type: "redirect", message: "Use blue", taskId: null }, makeState({ outcome: makeOutcome(outcome) })));
  expect(tell({ status: "archived" })).toBe("The outcome is archived: start it again first");
  expect(tell({ status: "achieved", maxCostMicroUsd: 0 })).toContain("raise it first");
});
test("a task can be added, with its first line as the title", () => {
  const { state } = moved(say({ type: "add_task", message: "Paint it\nall of it", taskId: null }));
  expect(state.tasks.at(-1)).toMatchObject({ title: "Paint it", description: "Paint it\nall of it" });
});
test("the outcome can be paused", () => {
  expect(moved(say({ type: "pause", message: "Stop", taskId: null })).state.outcome.status).toBe("paused");
});
test("a task can come sooner", () => {
  const answer = say({ type: "priority_change", message: "Sooner", taskId: taskId(3), priority: 5 });
  expect(moved(answer).state.tasks[2]).toMatchObject({ priority: 5, version: 2 });
  expect(intervention(answer)).toMatchObject([{ type: "priority_change", status: "completed" }]);
});
test("what is said to a task that is not there is refused, and nothing kept", () => {
  expect(refused(say({ type: "redirect", message: "Use blue", taskId: taskId(9) }))).toBe(
    "The outcome has no such task",
  );
  expect(refused(say({ type: "priority_change", message: "", taskId: null, priority: 5 }))).toContain("which task");
});

const blocker: Discovery = {
  id: "discovery_1",
  type: "blocker",
  content: "The server is down",
  audience: "every",
  resolvedAtMs: null,
  memoryId: null,
  sourceTaskId: null,
  atMs: 0,
  isTainted: false,
};
const resolve = (discovery: Discovery, id = "discovery_1") =>
  resolveBlocker(stateWith({}, { context: { ...emptyContext, discoveries: [discovery] } }), id, world);
test("a blocker is resolved once", () => {
  expect(moved(resolve(blocker)).state.context.discoveries[0]?.resolvedAtMs).toBe(world.nowMs);
  expect(refused(resolve({ ...blocker, resolvedAtMs: 5 }))).toContain("resolved already");
});
test("what is no blocker, or not there, cannot be resolved", () => {
  expect(refused(resolve({ ...blocker, type: "pattern" }))).toContain("Only a blocker");
  expect(refused(resolve(blocker, "discovery_9"))).toContain("no such discovery");
});

test("only what a person said is taken back, not what HOMЯ injected", () => {
  const said = moved(say({ type: "redirect", message: "Use blue", taskId: null })).state;
  const [own] = said.context.injections;
  if (own === undefined) throw new Error("nothing was said");
  const ofHomr = { ...own, id: "injection_1", reason: "Found in the work on #1", sourceTaskId: taskId(1) };
  const state = { ...said, context: { ...said.context, injections: [own, ofHomr] } };
  const left = (id: string) => moved(takeBack(state, id, world)).state.context.injections.map((each) => each.id);
  expect(left(own.id)).toEqual(["injection_1"]);
  expect(left("injection_1")).toEqual([own.id, "injection_1"]);
});

import { expect, test } from "vitest";
import {
  activitiesOf,
  makeObservation,
  makeState,
  makeSummary,
  makeTask,
  makeWorld,
  taskId,
} from "../../../../test/helpers/make-outcome.ts";
import type { Discovery } from "../context/context.ts";
import type { OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { taskOf } from "../state-changes.ts";
import { applyObservation } from "./apply-observation.ts";
import type { FoundDiscovery, Observation } from "./observation.ts";

const found: FoundDiscovery = {
  type: "constraint",
  content: "The API allows 100 calls a minute",
  relevantTasks: [2],
  source: "",
};
const doubt = {
  type: "multiple_approaches",
  description: "Two forms would do",
  evidence: [],
  affectedTasks: [2],
  suggestedQuestion: "Which form?",
} as const;

const apply = (over: Partial<Observation> = {}, state: OutcomeState = makeState(), world = makeWorld()): OutcomeMove =>
  applyObservation(state, makeObservation(over), "", null, world);
const typesOf = (move: OutcomeMove) => activitiesOf(move).map(({ type }) => type);

test("it is kept, logged and counted, and joins the history", () => {
  const move = apply();
  expect(move.effects[0]).toMatchObject({ kind: "keep_observation", observation: { id: "observation_1" } });
  expect(activitiesOf(move)[0]).toMatchObject({
    type: "observation",
    summary: "#1 “Task 1” is on course (90 of 100): It did what it was asked to do",
    details: { on_track: true },
  });
  expect(move.state.context.stats.tasksObserved).toBe(1);
  expect(move.state.history).toMatchObject([{ id: "observation_1", taskId: taskId(1) }]);
});

test("what is ready begins", () => {
  const { effects } = apply();
  expect(effects.filter(({ kind }) => kind === "start_run")).toHaveLength(2);
});

test("a discovery joins the context, and reaches the task that it is for", () => {
  const { context } = apply({ discoveries: [found] }).state;
  expect(context.discoveries).toMatchObject([
    { content: found.content, audience: [taskId(2)], sourceTaskId: taskId(1) },
  ]);
  expect(context.constraints).toMatchObject([{ content: found.content, isActive: true }]);
  expect(context.injections).toMatchObject([{ content: found.content, audience: [taskId(2)] }]);
  expect(context.stats.discoveriesExtracted).toBe(1);
});

test("the same discovery again is kept once, for all it concerns", () => {
  const once = apply({ discoveries: [found] }).state;
  const again = {
    id: "observation_2",
    attempt: 2,
    discoveries: [{ ...found, content: `${found.content} `, relevantTasks: [4] }],
  };
  const { discoveries } = apply(again as Partial<Observation>, once).state.context;
  expect(discoveries).toMatchObject([{ audience: [taskId(2), taskId(4)] }]);
});

test("a failure pattern asks, and does not steer", () => {
  const failed = { hasSucceeded: false, alignmentScore: 40 };
  const history = [makeSummary({ ...failed, id: "a" }), makeSummary({ ...failed, id: "b", attempt: 2 })];
  const tasks = [makeTask(1), makeTask(2), makeTask(4)];
  const move = apply({ ...failed, discoveries: [found] }, makeState({ history, tasks }));
  expect(typesOf(move)).toEqual(["observation", "escalation"]);
  expect(move.state.tasks.map(({ status }) => status)).toEqual(["paused", "paused", "paused"]);
  expect(move.effects.some(({ kind }) => kind === "start_run")).toBe(false);
  // What it taught is kept all the same.
  expect(move.state.context.discoveries).toHaveLength(1);
});

test("a doubt pauses exactly the tasks that it concerns; the others begin", () => {
  const move = apply({ ambiguity: doubt });
  expect(typesOf(move)).toEqual(["observation", "escalation"]);
  expect(taskOf(move.state, taskId(2)).status).toBe("paused");
  expect([3, 4].map((n) => taskOf(move.state, taskId(n)).status)).toEqual(["running", "running"]);
});

test("grave drift is corrected also where a person is asked something else", () => {
  const drift = [{ type: "wrong_direction", description: "d", severity: "high", evidence: "" } as const];
  const move = apply({ drift, ambiguity: doubt });
  expect(typesOf(move)).toEqual(["observation", "steering", "escalation"]);
  expect(move.state.tasks.at(-1)).toMatchObject({ corrects: taskId(1), status: "running" });
  expect(taskOf(move.state, taskId(3))).toMatchObject({ status: "pending", dependsOn: [taskId(1), "new_1"] });
});

test("a doubt does not keep from what else was seen: what was found is told, what was wished for is done", () => {
  const wish = { type: "create_task", title: "Mend the price", description: "It is wrong", reason: "Seen" } as const;
  const move = apply({ discoveries: [found], wishes: [wish], ambiguity: doubt });
  expect(move.state.context.injections).toMatchObject([{ content: found.content }]);
  expect(move.state.tasks.at(-1)).toMatchObject({ title: "Mend the price", madeBy: "homr" });
  expect(taskOf(move.state, taskId(2)).status).toBe("paused");
});

test("grave drift: what waits for the drifted task does not begin before it is corrected", () => {
  const drift = [{ type: "wrong_direction", description: "d", severity: "high", evidence: "" } as const];
  const { state } = apply({ drift });
  expect(taskOf(state, taskId(3)).status).toBe("pending");
  expect(state.tasks.at(-1)).toMatchObject({ corrects: taskId(1), status: "running" });
});

test("a second observation of the same attempt changes nothing", () => {
  const once = apply({ discoveries: [found] });
  const twice = apply({ id: "observation_9", discoveries: [found] }, once.state);
  expect(twice.state).toEqual(once.state);
  expect(twice.effects.filter(({ kind }) => kind !== "look_again")).toEqual([]);
});

test("good discoveries are promoted; those of failed, drifted or unobserved work are not", () => {
  const promoted = (over: Partial<Observation>) =>
    apply({ discoveries: [found], ...over }).effects.filter(({ kind }) => kind === "promote").length;
  expect(promoted({})).toBe(1);
  expect(promoted({ discoveries: [{ ...found, content: "Too short" }] })).toBe(0);
  expect([promoted({ hasSucceeded: false }), promoted({ onTrack: false }), promoted({ by: "rules" })]).toEqual([
    0, 0, 0,
  ]);
});

test("memories that the task was told of are weighed by how it went", () => {
  const memory: Discovery = {
    id: "d1",
    type: "constraint",
    content: "Known from before",
    sourceTaskId: null,
    atMs: 1,
    isTainted: false,
    audience: "every",
    resolvedAtMs: null,
    memoryId: "memory_1",
  };
  const state = makeState();
  const withMemory = { ...state, context: { ...state.context, discoveries: [memory] } };
  const weighed = (over: Partial<Observation>) =>
    apply(over, withMemory).effects.find(({ kind }) => kind === "weigh_memories");
  expect(weighed({})).toEqual({ kind: "weigh_memories", memoryIds: ["memory_1"], hasHelped: true });
  expect(weighed({ hasSucceeded: false })).toMatchObject({ hasHelped: false });
  expect(weighed({ quality: "needs_work" })).toBeUndefined();
});

// What 10,000 observations do to a database is measured by `npm run bench -- context`.
test("through 10,000 discoveries the context is never larger than its limits", () => {
  const world = makeWorld();
  let state = makeState({ tasks: [makeTask(1, { status: "completed" }), makeTask(2)] });
  for (let n = 0; n < 500; n++) {
    const fact = (m: number) => ({ ...found, content: `Fact number ${n}.${m}`, relevantTasks: ["*" as const] });
    const discoveries = Array.from({ length: 20 }, (_, m) => fact(m));
    const decisions = [{ content: `Decision ${n}`, context: "", affectedAreas: [] }];
    state = apply({ id: `o${n}`, attempt: n + 1, discoveries, decisions, atMs: n }, state, world).state;
    const { context, history } = state;
    const { length } = [context.discoveries, context.decisions, context.constraints, context.injections].flat();
    expect([context.discoveries.length <= 50, length <= 100, history.length <= 50]).toEqual([true, true, true]);
  }
  expect(state.context.stats).toMatchObject({ tasksObserved: 500, discoveriesExtracted: 10_000 });
  expect(state.context.discoveries.at(-1)?.content).toMatch(/^\d{5} earlier items were left out of the context/);
});

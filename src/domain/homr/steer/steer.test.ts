import { expect, test } from "vitest";
import {
  activitiesOf,
  makeObservation,
  makeState,
  makeTask,
  makeWorld,
  taskId,
} from "../../../../test/helpers/make-outcome.ts";
import type { RunId } from "../../run/run.ts";
import type { DriftItem, FoundDiscovery, Observation, SteeringWish } from "../observe/observation.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { taskOf } from "../state-changes.ts";
import { steer } from "./steer.ts";

const drift = (severity: DriftItem["severity"], over: Partial<DriftItem> = {}): DriftItem => ({
  type: "missed_requirement",
  description: "The form has no price",
  severity,
  evidence: "no price yet",
  ...over,
});
const found = (over: Partial<FoundDiscovery> = {}): FoundDiscovery => ({
  type: "constraint",
  content: "100 calls a minute",
  relevantTasks: [2],
  source: "",
  ...over,
});
const reason = "It was found so";
const check = (over: Partial<Observation>, state: OutcomeState = makeState()) =>
  steer(state, makeObservation(over), makeWorld());
const wish = (wished: SteeringWish, over: Partial<Observation> = {}, state = makeState()) =>
  check({ wishes: [wished], ...over }, state);
const actionsOf = (move: ReturnType<typeof check>) => activitiesOf(move).map(({ details }) => details.action);

test("work on course is left alone", () => {
  const state = makeState();
  expect(check({}, state)).toEqual({ state, effects: [] });
});

test("grave drift: a corrective task, which those that wait for the drifted one wait for", () => {
  const { state } = check({ drift: [drift("high")] });
  const made = taskOf(state, "new_1" as never);
  expect(made).toMatchObject({
    number: 10,
    title: "Correct #1: The form has no price",
    priority: 1,
    madeBy: "homr",
    corrects: taskId(1),
    checks: [],
    gates: [],
  });
  expect(taskOf(state, taskId(3)).dependsOn).toEqual([taskId(1), made.id]);
  expect(taskOf(state, taskId(4)).dependsOn).toEqual([]);
});

test("a drifted task that is tried again waits itself", () => {
  const state = makeState({ tasks: [makeTask(1), makeTask(3, { dependsOn: [taskId(1)] })] });
  const after = check({ drift: [drift("high")], hasSucceeded: false }, state).state;
  expect(taskOf(after, taskId(1)).dependsOn).toEqual(["new_1"]);
  expect(taskOf(after, taskId(3)).dependsOn).toEqual([taskId(1)]);
});

test("several tasks wait for a corrective one, and the log says so", () => {
  const after = { dependsOn: [taskId(1)] };
  const tasks = [makeTask(1, { status: "completed" }), makeTask(3, after), makeTask(4, after)];
  const [logged] = activitiesOf(check({ drift: [drift("high")] }, makeState({ tasks })));
  expect(logged?.summary).toMatch(/; #3, #4 wait for it$/);
});

test("one that waits for it and is being worked on rests meanwhile", () => {
  const running = makeTask(3, { status: "running", runId: "run_3" as RunId, dependsOn: [taskId(1)] });
  const move = check({ drift: [drift("high")] }, makeState({ tasks: [makeTask(1, { status: "completed" }), running] }));
  expect(taskOf(move.state, taskId(3)).status).toBe("pending");
  expect(move.effects[0]).toMatchObject({ kind: "pause_run", runId: "run_3" });
});

test("several grave drifts are one task that lists them", () => {
  const { state } = check({
    drift: [drift("high"), drift("high", { type: "scope_creep", description: "It has a chat" })],
  });
  expect(state.tasks).toHaveLength(5);
  expect(state.tasks.at(-1)?.description).toContain("2. It did more than was asked for: It has a chat");
});

test.each([
  ["a correction that drifts", [makeTask(1, { status: "completed", corrects: taskId(9) }), makeTask(2)]],
  ["a task that is being corrected", [makeTask(1, { status: "completed" }), makeTask(2, { corrects: taskId(1) })]],
])("%s is not corrected by another task: the others are warned", (_name, tasks) => {
  const move = check({ drift: [drift("high")] }, makeState({ tasks }));
  expect(actionsOf(move)).toEqual(["inject_context"]);
  expect(move.state.context.injections[0]).toMatchObject({ type: "warning", priority: "must_know" });
});

test("slight drift: all that are still to be done are warned", () => {
  const { injections } = check({ drift: [drift("medium")] }).state.context;
  expect(injections).toMatchObject([
    {
      type: "warning",
      content: "The work on #1 missed a requirement: The form has no price",
      priority: "should_know",
      audience: [2, 3, 4].map(taskId),
      sourceTaskId: taskId(1),
    },
  ]);
});

test.each([
  ["blocker", "discovery", "must_know"],
  ["constraint", "constraint", "should_know"],
  ["dependency", "discovery", "should_know"],
  ["decision", "discovery", "should_know"],
  ["pattern", "pattern", "nice_to_know"],
] as const)("a %s is shared as a %s that workers %s", (type, shared, priority) => {
  const { injections } = check({ discoveries: [found({ type })] }).state.context;
  expect(injections).toMatchObject([{ type: shared, priority, audience: [taskId(2)], content: "100 calls a minute" }]);
});

test("a discovery for everyone is for everyone", () =>
  expect(check({ discoveries: [found({ relevantTasks: ["*"] })] }).state.context.injections[0]?.audience).toBe(
    "every",
  ));

test("one for tasks that have ended is told to nobody", () =>
  expect(check({ discoveries: [found({ relevantTasks: [1] })] }).effects).toEqual([]));

test("the same words are not told to the same task twice", () => {
  const once = check({ discoveries: [found()] }).state;
  expect(check({ discoveries: [found()] }, once).effects).toEqual([]);
  const { injections } = check({ discoveries: [found({ relevantTasks: [2, 4] })] }, once).state.context;
  expect(injections.at(-1)?.audience).toEqual([taskId(4)]);
});

test("a wish to describe", () => {
  const { state } = wish({ type: "update_description", task: 2, additions: "Mind the price", reason });
  expect(taskOf(state, taskId(2))).toMatchObject({
    description: "Do what task 2 says\n\nAdded since it was planned: Mind the price",
    version: 2,
  });
});

test("a wish to describe what a worker has already is told to that worker", () => {
  const begun = makeState();
  const tasks = begun.tasks.map((task) =>
    task.number === 2 ? ({ ...task, status: "running", runId: "run_2" } as typeof task) : task,
  );
  const { state } = wish(
    { type: "update_description", task: 2, additions: "Mind the price", reason },
    {},
    { ...begun, tasks },
  );
  const told = state.context.injections.filter(({ content }) => content.includes("Mind the price"));
  expect(told).toMatchObject([{ audience: [taskId(2)], priority: "must_know" }]);
});

test("a wish to reprioritise", () =>
  expect(taskOf(wish({ type: "update_priority", task: 2, priority: 5, reason }).state, taskId(2)).priority).toBe(5));

test("a wish to skip", () =>
  expect(taskOf(wish({ type: "mark_obsolete", task: 2, reason }).state, taskId(2))).toMatchObject({
    status: "obsolete",
    why: reason,
  }));

test("a task that a worker has is not skipped", () => {
  const state = makeState({ tasks: [makeTask(1), makeTask(2, { status: "running", runId: "run_2" as RunId })] });
  expect(wish({ type: "mark_obsolete", task: 2, reason }, {}, state).state).toEqual(state);
});

test("a wish to depend", () =>
  expect(taskOf(wish({ type: "add_dependency", task: 2, dependsOn: 4, reason }).state, taskId(2)).dependsOn).toEqual([
    taskId(4),
  ]));

test("a wish that would close a circle is passed over", () => {
  const state = makeState({ tasks: [makeTask(1), makeTask(2, { dependsOn: [taskId(4)] }), makeTask(4)] });
  expect(wish({ type: "add_dependency", task: 4, dependsOn: 2, reason }, {}, state)).toEqual({ state, effects: [] });
});

test("a wish for a new task, before another one", () => {
  const { state } = wish({ type: "create_task", title: "Price list", description: "Write it", before: 4, reason });
  expect(state.tasks.at(-1)).toMatchObject({ title: "Price list", madeBy: "homr", why: reason });
  expect(taskOf(state, taskId(4)).dependsOn).toEqual(["new_1"]);
});

test("no task is made beyond the limit of an outcome", () => {
  const tasks = [makeTask(1), ...Array.from({ length: 99 }, (_, n) => makeTask(n + 2))];
  const state = makeState({ tasks });
  expect(wish({ type: "create_task", title: "One more", description: "x", reason }, {}, state).state).toEqual(state);
});

test("a change of the approach is suggested, not made", () => {
  const move = wish({ type: "suggest_design_update", suggestion: "Use a shop system", reason });
  expect(move.state.outcome.approach).toEqual(makeState().outcome.approach);
  expect(activitiesOf(move)).toMatchObject([
    { summary: "Suggested: Use a shop system", details: { suggestion: "Use a shop system" } },
  ]);
});

test("each action is counted and logged, with its reason and its cause", () => {
  const move = check({ drift: [drift("high")], discoveries: [found()] });
  expect(move.state.context.stats.steeringActions).toBe(2);
  expect(activitiesOf(move)).toMatchObject([
    {
      type: "steering",
      taskId: taskId(1),
      cause: { kind: "drift", drift: "missed_requirement", observationId: "observation_1" },
      summary: "Created #10 “Correct #1: The form has no price”; #3 waits for it",
      details: { action: "create_task", reason: "The work on #1 missed a requirement", made_id: "new_1" },
    },
    { cause: { kind: "discovery" }, details: { action: "inject_context", made_id: "new_2" } },
  ]);
});

test("the most important come first where there are more than are allowed", () => {
  const discoveries = Array.from({ length: 20 }, (_, n) => found({ content: `Fact ${n}` }));
  const blocker = found({ type: "blocker", content: "No key" });
  const move = check({ drift: [drift("high"), drift("low")], discoveries: [...discoveries, blocker] });
  expect(actionsOf(move)).toHaveLength(5);
  expect(move.state.context.injections[0]?.content).toBe("No key");
  expect(move.state.tasks.at(-1)?.corrects).toBe(taskId(1));
});

test("what cannot be done does not use up the limit", () => {
  const impossible = found({ relevantTasks: [1] });
  const state = makeState({}, { maxSteeringActionsPerTask: 1 });
  expect(actionsOf(check({ discoveries: [impossible, found()] }, state))).toEqual(["inject_context"]);
});

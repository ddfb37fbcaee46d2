import { expect, test } from "vitest";
import { makeEscalation, makeState, makeTask, taskId } from "../../../test/helpers/make-outcome.ts";
import { findOutcomeEvents } from "./outcome-events.ts";
import type { NewActivity } from "./outcome-state.ts";

const state = makeState();
const typesOf = (...given: Parameters<typeof findOutcomeEvents>) => findOutcomeEvents(...given).map(({ type }) => type);

test("a change that changes nothing is no news", () => {
  expect(findOutcomeEvents(state, structuredClone(state), [])).toEqual([]);
});

test("money alone is no news", () => {
  const spent = { costMicroUsd: 5, tokens: 5, unpricedCalls: 0 };
  expect(findOutcomeEvents(state, { ...state, outcome: { ...state.outcome, spent } }, [])).toEqual([]);
});

test("each task that differs is told with its status, and no other", () => {
  const tasks = state.tasks.map((task) => (task.id === taskId(2) ? { ...task, status: "failed" as const } : task));
  const events = findOutcomeEvents(state, { ...state, tasks: [...tasks, makeTask(5)] }, []);
  expect(events.map((event) => (event.type === "task_changed" ? [event.number, event.status] : event))).toEqual([
    [2, "failed"],
    [5, "pending"],
  ]);
});

test("a question is told when it is asked and when it ends", () => {
  const asked = { ...state, escalations: [makeEscalation()] };
  expect(findOutcomeEvents(state, asked, [])).toEqual([
    { type: "escalation_changed", escalation_id: "escalation_1", status: "pending", question: "Which form?" },
  ]);
  const dismissed = makeEscalation({ state: { status: "dismissed", atMs: 1, why: "" } });
  expect(findOutcomeEvents(asked, { ...state, escalations: [dismissed] }, [])).toMatchObject([{ status: "dismissed" }]);
});

test("a new status and a line of the log are told", () => {
  const paused = { ...state, outcome: { ...state.outcome, status: "paused" as const } };
  const activity: NewActivity = {
    type: "review",
    taskId: null,
    cause: { kind: "user" },
    summary: "Looked",
    details: {},
  };
  expect(typesOf(state, paused, [activity])).toEqual(["outcome_changed", "activity_logged"]);
});

test("of a new outcome everything is news", () => {
  expect(typesOf(null, state, [])).toEqual(["outcome_changed", ...state.tasks.map(() => "task_changed")]);
});

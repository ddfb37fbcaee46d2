import { expect, test } from "vitest";
import { makeEscalation, makeState, makeTask, taskId } from "../../../../test/helpers/make-outcome.ts";
import type { RunId } from "../../run/run.ts";
import { taskOf } from "../state-changes.ts";
import { settlePauses } from "./pausing.ts";

const running = makeTask(2, { status: "running", runId: "run_2" as RunId });
const paused = makeTask(2, { status: "paused" });
const resting = makeTask(2, { status: "paused", runId: "run_2" as RunId });

test("a task that an open question names is paused, and no other", () => {
  const { state } = settlePauses(makeState({ escalations: [makeEscalation()] }));
  expect(state.tasks.map(({ status }) => status)).toEqual(["completed", "paused", "pending", "pending"]);
});

test("the run of a task that is paused rests", () => {
  const { effects } = settlePauses(makeState({ tasks: [running], escalations: [makeEscalation()] }));
  expect(effects).toEqual([{ kind: "pause_run", runId: "run_2", why: "A question about this task is open" }]);
});

test("a question that does not pause leaves everything as it is", () => {
  const state = makeState({ escalations: [makeEscalation({ pauses: false })] });
  expect(settlePauses(state)).toEqual({ state, effects: [] });
});

test("a task named by two questions stays paused until both have ended", () => {
  const answer = { option: "plain", additionalContext: "", by: "human", atMs: 1 } as const;
  const ended = makeEscalation({ state: { status: "answered", answer } });
  const other = makeEscalation({ id: "escalation_2", trigger: "unclear_requirement" });
  const one = settlePauses(makeState({ tasks: [paused], escalations: [ended, other] }));
  expect(taskOf(one.state, taskId(2)).status).toBe("paused");
  const both = settlePauses({ ...one.state, escalations: [ended, { ...other, state: ended.state }] });
  expect(taskOf(both.state, taskId(2)).status).toBe("pending");
});

test("a task whose run rested is back in line with it: other tasks may have taken its worker", () => {
  const { state, effects } = settlePauses(makeState({ tasks: [resting] }));
  expect(taskOf(state, taskId(2))).toMatchObject({ status: "pending", runId: "run_2" });
  expect(effects).toEqual([]);
});

test("the second time nothing is left to do", () => {
  const once = settlePauses(makeState({ tasks: [running], escalations: [makeEscalation()] }));
  expect(settlePauses(once.state)).toEqual({ state: once.state, effects: [] });
});

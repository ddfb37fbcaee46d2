import { expect, test } from "vitest";
import {
  activitiesOf,
  makeEscalation,
  makeOutcome,
  makeState,
  makeTask,
  makeWorld,
  taskId,
} from "../../../../test/helpers/make-outcome.ts";
import type { RunId } from "../../run/run.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { type Liveness, noProgressMaxMs, sameTaskMaxMs, silenceMaxMs, supervise } from "./supervise.ts";
import { splitDepthMax } from "./task.ts";

const nowMs = 100 * 60 * 60_000;
const runId = "run_1" as RunId;
const well: Liveness = {
  taskId: taskId(1),
  runId,
  startedAtMs: nowMs - 60_000,
  progressAtMs: null,
  seenAtMs: nowMs - 1_000,
  isWaiting: false,
  askedAtMs: null,
};

function check(over: Partial<Liveness>, more: Partial<OutcomeState> = {}) {
  const tasks = [makeTask(1, { status: "running", runId, attempts: 1 })];
  const move = supervise(makeState({ tasks, ...more }), [{ ...well, ...over }], makeWorld(nowMs));
  return { ...move, evidence: move.state.escalations.flatMap(({ evidence }) => evidence) };
}

test("a worker that gets further is left alone", () => {
  expect(check({})).toMatchObject({ evidence: [], effects: [] });
});

const signs: readonly (readonly [string, Partial<Liveness>, string])[] = [
  [
    "works on the same task for too long",
    { startedAtMs: nowMs - sameTaskMaxMs, progressAtMs: nowMs },
    "worked on for 120 minutes",
  ],
  ["has changed nothing for too long", { startedAtMs: nowMs - noProgressMaxMs }, "nothing has changed for 30 minutes"],
  ["is silent for too long", { seenAtMs: nowMs - silenceMaxMs }, "nothing was heard of its worker for 10 minutes"],
];
test.each(signs)("a person is asked about one that %s, while it works on", (_name, over, said) => {
  const { evidence, state, effects } = check(over);
  expect(evidence).toEqual([expect.stringContaining(said)]);
  expect(state.escalations).toMatchObject([{ trigger: "stuck", triggerTaskId: taskId(1), pauses: false }]);
  expect(state.tasks[0]?.status).toBe("running");
  expect(activitiesOf({ state, effects })).toMatchObject([{ type: "escalation", cause: { kind: "supervision" } }]);
});
test.each(signs)("a moment earlier nobody is asked about one that %s", (_name, over) => {
  const later = (atMs: number | null | undefined) => (typeof atMs === "number" && atMs !== nowMs ? atMs + 1 : atMs);
  const sooner = Object.fromEntries(Object.entries(over).map(([key, atMs]) => [key, later(atMs as number)]));
  expect(check(sooner).evidence).toEqual([]);
});

const long = { startedAtMs: 0, seenAtMs: 0 };
test("a run that waits for a person or a provider is not stuck", () => {
  expect(check({ ...long, isWaiting: true }).evidence).toEqual([]);
});
test("nor is one that is no longer the task's", () => {
  expect(check({ ...long, runId: "run_0" as RunId }).evidence).toEqual([]);
});
test("nor one whose task rests, or is not there", () => {
  const tasks = [makeTask(1, { status: "paused", runId })];
  expect(check(long, { tasks }).evidence).toEqual([]);
  expect(check(long, { tasks: [] }).evidence).toEqual([]);
});
test("nor any of an outcome that rests", () => {
  expect(check(long, { outcome: makeOutcome({ status: "paused" }) }).evidence).toEqual([]);
});
test("while the question is open it is not put again", () => {
  const open = makeEscalation({ trigger: "stuck", triggerTaskId: taskId(1), pauses: false });
  expect(check(long, { escalations: [open] }).effects).toEqual([]);
});
test("after an answer it is put again when it has taken as long once more", () => {
  expect(check({ ...long, askedAtMs: nowMs - silenceMaxMs + 1 }).evidence).toEqual([]);
  expect(check({ ...long, askedAtMs: nowMs - silenceMaxMs }).evidence).toHaveLength(1);
});
test("to split the task is offered where it can be split", () => {
  const offered = (splitDepth: number) => {
    const tasks = [makeTask(1, { status: "running", runId, splitDepth })];
    return check(long, { tasks }).state.escalations[0]?.options.map(({ action }) => action);
  };
  expect(offered(0)).toEqual(["proceed", "retry_tasks", "split_tasks", "skip_tasks"]);
  expect(offered(splitDepthMax)).toEqual(["proceed", "retry_tasks", "skip_tasks"]);
});

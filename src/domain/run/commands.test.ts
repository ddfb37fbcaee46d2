import { expect, test } from "vitest";
import { makeProof, makeQuestion, makeRun } from "../../../test/helpers/make-run.ts";
import type { TaskId } from "../homr/tasks/task-id.ts";
import { type Answered, admit, cancel, endAtLimit, pause, respond, rest, resume, steer } from "./commands.ts";
import type { Run, RunState } from "./run.ts";

const states: Readonly<Record<RunState["status"], RunState>> = {
  queued: { status: "queued", iteration: 1, hasSlot: false },
  running: { status: "running", iteration: 3, hold: null },
  waiting_on_user: { status: "waiting_on_user", iteration: 3, questions: [makeQuestion()] },
  completed: { status: "completed", iteration: 3, proofs: [makeProof()] },
  stopped: { status: "stopped", iteration: 3, reason: "no_progress", detail: "" },
  failed: { status: "failed", iteration: 3, detail: "" },
  canceled: { status: "canceled", iteration: 3 },
};
const answer = { questionId: "question_1", text: "The first one" };
const all = Object.keys(states) as RunState["status"][];
const runIn = (status: RunState["status"], over: Partial<Run> = {}): Run => ({
  ...makeRun(),
  ...over,
  state: states[status],
});

/** In which states the command says yes, and what the run is afterwards. */
function accepts(command: (run: Run) => Answered): Readonly<Record<string, string>> {
  const answers = all.map((status) => [status, command(runIn(status))] as const);
  return Object.fromEntries(
    answers.flatMap(([status, answer]) => (answer.isDone ? [[status, answer.move.run.state.status]] : [])),
  );
}

test("cancel ends whatever has not ended", () => {
  expect(accepts(cancel)).toEqual({
    queued: "canceled",
    running: "canceled",
    waiting_on_user: "canceled",
    stopped: "canceled",
  });
});
test("pause stops what is queued or running", () => {
  expect(accepts(pause)).toEqual({ queued: "stopped", running: "stopped" });
});
test.each([
  ["by its user is not told", pause, null, [undefined]],
  ["by the platform is told, and its event says so", rest, null, [true]],
  ["by the platform on a task is not told: its outcome tells", rest, "task_1" as TaskId, [undefined]],
] as const)("a pause %s", (_name, command, outcomeTaskId, expected) => {
  const answer = command(runIn("running", { outcomeTaskId }), "why");
  const events = answer.isDone ? answer.move.effects.flatMap((each) => ("event" in each ? [each.event] : [])) : [];
  expect(events.map((event) => (event.type === "run_stopped" ? event.is_told : event.type))).toEqual(expected);
});
test("resume puts a stopped run back in line, and no other", () => {
  expect(accepts((run) => resume(run, {}))).toEqual({ stopped: "queued" });
});
test("an answer puts a waiting run back in line, and no other", () => {
  expect(accepts((run) => respond(run, [answer]))).toEqual({ waiting_on_user: "queued" });
});
test("a message can be given to whatever has not ended", () => {
  expect(Object.keys(accepts((run) => steer(run, "faster")))).toEqual([
    "queued",
    "running",
    "waiting_on_user",
    "stopped",
  ]);
});
test("a slot is given to a run in line, and no other", () => {
  expect(accepts(admit)).toEqual({ queued: "queued" });
});

test("a second answer is told that nothing is asked", () => {
  const first = respond(runIn("waiting_on_user"), [answer]);
  expect(first.isDone && respond(first.move.run, [answer])).toMatchObject({ isDone: false });
});

test("all questions have to be answered", () => {
  const questions = [makeQuestion(), makeQuestion({ id: "question_2", text: "And when?" })] as const;
  const run: Run = { ...makeRun(), state: { status: "waiting_on_user", iteration: 1, questions } };
  expect(respond(run, [answer])).toEqual({ isDone: false, why: "Also answer: And when?" });
});

test.each([
  ["cancel", cancel],
  ["pause", pause],
])("%s takes the run away from its worker", (_name, command) => {
  const answer = command(runIn("running"));
  expect(answer.isDone && answer.move.run.fence).toBe(makeRun().fence + 1);
  expect(answer.isDone && answer.move.effects[0]).toEqual({ kind: "drop_jobs" });
});

test("a paused run does the iteration it gave up again; another goes on with the next", () => {
  const paused = pause(runIn("running"));
  const again = paused.isDone && resume(paused.move.run, {});
  expect(again).toMatchObject({ isDone: true, move: { run: { state: { iteration: 3 } } } });
  const stopped = resume(runIn("stopped"), {});
  expect(stopped.isDone && stopped.move.run.state.iteration).toBe(4);
});

test("a run that has used its budget is resumed only with a larger one", () => {
  const used = runIn("stopped", { budget: { ...makeRun().budget, maxIterations: 3 } });
  expect(resume(used, {})).toMatchObject({ isDone: false });
  expect(resume(used, { maxIterations: 5 })).toMatchObject({ isDone: true });
});

test("an answer to a question of the last iteration is kept, and the run stops for its budget", () => {
  const budget = { ...makeRun().budget, maxIterations: 3 };
  const answered = respond(runIn("waiting_on_user", { budget }), [answer]);
  if (!answered.isDone) throw new Error(answered.why);
  const { run } = answered.move;
  expect(run.state).toMatchObject({ status: "stopped", reason: "max_iterations", iteration: 3 });
  expect(run.unreadMessages).toBe(1);
  expect(resume(run, {})).toMatchObject({ isDone: false });
  expect(resume(run, { maxIterations: 4 })).toMatchObject({ isDone: true, move: { run: { state: { iteration: 4 } } } });
});

test("a paused run ends at the limit that keeps it from going on, and no other does", () => {
  const paused = { status: "stopped", iteration: 3, reason: "paused", detail: "" } as const;
  const spent = { ...makeRun().spent, costMicroUsd: 50 };
  const costly = { ...makeRun({ spent, budget: { ...makeRun().budget, maxCostMicroUsd: 10 } }), state: paused };
  const ended = endAtLimit(costly);
  expect(ended.isDone && ended.move.run.state).toMatchObject({ status: "stopped", iteration: 3, reason: "cost" });
  expect(endAtLimit({ ...costly, budget: makeRun().budget }).isDone).toBe(false);
  expect(accepts(endAtLimit)).toEqual({});
});

import { describe, expect, test } from "vitest";
import {
  activitiesOf,
  makeEscalation,
  makeObservation,
  makeState,
  makeSummary,
  makeTask,
  makeWorld,
  taskId,
} from "../../../../test/helpers/make-outcome.ts";
import type { RunId } from "../../run/run.ts";
import { advanceOutcome } from "../advance-outcome.ts";
import type { Decision } from "../context/context.ts";
import type { HomrConfig } from "../homr-config.ts";
import type { AmbiguitySignal } from "../observe/observation.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { type AskedQuestion, type EscalationNeed, escalate, needsEscalation, patternArea } from "./escalate.ts";
import { passDeadlines } from "./resolve.ts";

const option = (id: string) => ({ id, label: `Label ${id}`, description: "", implications: "" });
const doubt: AmbiguitySignal = {
  type: "multiple_approaches",
  description: "Two forms would do.",
  evidence: ["a or b"],
  affectedTasks: [2],
  suggestedQuestion: "Which form?",
};
const unsure = makeObservation({ ambiguity: doubt });
const failed = { hasSucceeded: false, alignmentScore: 40 };
const history = [makeSummary({ ...failed, id: "a" }), makeSummary({ ...failed, id: "b" })];

function need(state: OutcomeState, observation = unsure, output = ""): EscalationNeed {
  const found = needsEscalation(state, observation, output);
  if (found === null) throw new Error("nothing is asked");
  return found;
}
const ask = (state: OutcomeState, asked: AskedQuestion | null = null, observation = unsure) =>
  escalate(state, need(state, observation), asked, makeWorld());

describe("whether someone is asked", () => {
  test("work without doubt asks nobody", () => expect(needsEscalation(makeState(), makeObservation(), "")).toBeNull());

  test("a failure pattern comes before a doubt", () => {
    const observation = makeObservation({ ...failed, ambiguity: doubt });
    expect(need(makeState({ history }), observation)).toMatchObject({
      trigger: "consecutive_failures",
      affected: null,
      triggerTaskId: null,
    });
  });

  test("what is asked already is not asked again", () => {
    const state = makeState({ escalations: [makeEscalation()] });
    expect(needsEscalation(state, unsure, "")).toBeNull();
  });

  test("but it may be asked about another task", () => {
    const state = makeState({ escalations: [makeEscalation({ triggerTaskId: taskId(4) })] });
    expect(needsEscalation(state, unsure, "")).not.toBeNull();
  });

  test("what a person has decided about a pattern is behind", () => {
    const decision: Decision = {
      id: "d",
      content: "Go on",
      sourceTaskId: null,
      atMs: 600,
      isTainted: false,
      madeBy: "human",
      context: "",
      affectedAreas: [patternArea],
    };
    const state = makeState({ history });
    const decided = (by: Decision["madeBy"]): OutcomeState => ({
      ...state,
      context: { ...state.context, decisions: [{ ...decision, madeBy: by }] },
    });
    expect(needsEscalation(decided("human"), makeObservation(failed), "")).toBeNull();
    // What a worker claims to have decided does not count.
    expect(needsEscalation(decided("worker"), makeObservation(failed), "")).not.toBeNull();
  });
});

describe("whom it concerns", () => {
  const affected = (more: Partial<AmbiguitySignal>, state = makeState()) =>
    need(state, makeObservation({ ambiguity: { ...doubt, ...more } })).affected;

  test("the tasks that it names", () => expect(affected({ affectedTasks: [2, 4] })).toEqual([taskId(2), taskId(4)]));
  test("none that has ended", () => expect(affected({ affectedTasks: [1, 2] })).toEqual([taskId(2)]));
  test("every task: the outcome as a whole", () => expect(affected({ affectedTasks: ["*"] })).toBeNull());
  test("it names none: those that wait for the task", () =>
    expect(affected({ affectedTasks: [] })).toEqual([taskId(3)]));
  test("a blocking decision that names none concerns all that are open", () =>
    expect(affected({ affectedTasks: [], type: "blocking_decision" })).toEqual([2, 3, 4].map(taskId)));
  test("the task itself, where it is still to be done", () =>
    expect(affected({ affectedTasks: [4] }, makeState({ tasks: [makeTask(1), makeTask(4)] }))).toEqual([
      taskId(1),
      taskId(4),
    ]));
});

describe("what is asked", () => {
  const written: AskedQuestion = { question: "A or B?", options: [option("a"), option("b")], recommended: "b" };

  test("as the model wrote it, with what it would take", () => {
    const [escalation] = ask(makeState(), written).state.escalations;
    expect(escalation).toMatchObject({
      question: "A or B?",
      defaultOption: "b",
      deadlineMs: null,
      context: doubt.description,
    });
    expect(escalation?.options.map(({ id, action }) => [id, action])).toEqual([
      ["a", "proceed"],
      ["b", "proceed"],
    ]);
  });

  test("an option of a model only says how to go on, whatever its id says", () => {
    const asked = { ...written, options: [option("fail"), option("skip_tasks"), option("pause_outcome")] };
    const actions = ask(makeState(), asked).state.escalations[0]?.options.map(({ action }) => action);
    expect(actions).toEqual(["proceed", "proceed", "proceed"]);
  });

  test("of two options with one id the first counts; with less than two, the usual ones are offered", () => {
    const asked = { ...written, options: [option("a"), { ...option("a"), label: "Other" }] };
    const [escalation] = ask(makeState(), asked).state.escalations;
    expect(escalation).toMatchObject({ question: "Which form?" });
    expect(escalation?.options.map(({ id }) => id)).toEqual(["continue", "pause"]);
  });

  test("no model: what the observer suggested", () => {
    const suggested = makeObservation({ ambiguity: { ...doubt, options: [option("x"), option("y")] } });
    const [escalation] = ask(makeState(), null, suggested).state.escalations;
    expect(escalation?.options.map(({ id }) => id)).toEqual(["x", "y"]);
  });

  test("after failures the platform's own options stand, whatever a model wrote", () => {
    const state = makeState({ history, tasks: [makeTask(1, { status: "failed" }), makeTask(2)] });
    const [escalation] = ask(state, written, makeObservation(failed)).state.escalations;
    expect(escalation?.question).toBe("The last 3 attempts failed or went off course. What should be done about it?");
    expect(escalation?.options.map(({ action }) => action)).toEqual([
      "retry_tasks",
      "split_tasks",
      "skip_tasks",
      "pause_outcome",
    ]);
  });

  test.each([
    ["no task can be split", { splitDepth: 3 }, ["retry_tasks", "skip_tasks", "pause_outcome"]],
    ["one can", { splitDepth: 0 }, ["retry_tasks", "split_tasks", "skip_tasks", "pause_outcome"]],
  ] as const)("%s", (_name, over, actions) => {
    const tasks = [makeTask(1, { status: "failed", ...over })];
    const [escalation] = ask(makeState({ history, tasks }), null, makeObservation(failed)).state.escalations;
    expect(escalation?.options.map(({ action }) => action)).toEqual(actions);
  });
});

describe("what follows from asking", () => {
  test("exactly the tasks that it names are paused", () => {
    const { state } = ask(makeState());
    expect(state.tasks.map(({ status }) => status)).toEqual(["completed", "paused", "pending", "pending"]);
    expect(state.escalations[0]).toMatchObject({ pauses: true, isWholeOutcome: false, affectedTasks: [taskId(2)] });
  });

  test("a pattern pauses all workers, and tasks that come later do not begin", () => {
    const running = makeTask(2, { status: "running", runId: "run_2" as RunId });
    const tasks = [makeTask(1, { status: "failed" }), running, makeTask(3)];
    const { state, effects } = ask(makeState({ history, tasks }), null, makeObservation(failed));
    expect(state.tasks.map(({ status }) => status)).toEqual(["failed", "paused", "paused"]);
    expect(state.escalations[0]?.isWholeOutcome).toBe(true);
    expect(effects).toContainEqual(expect.objectContaining({ kind: "pause_run", runId: "run_2" }));
  });

  test("the owner is told, it is counted and logged with its cause", () => {
    const move = ask(makeState());
    expect(move.effects).toContainEqual({ kind: "notify_owner", about: "escalation", id: "new_1" });
    expect(move.state.context.stats.escalationsCreated).toBe(1);
    expect(activitiesOf(move)).toMatchObject([
      { type: "escalation", summary: "Asked: Which form?", cause: { kind: "ambiguity", observationId: unsure.id } },
    ]);
  });

  test("the same need a second time does nothing", () => {
    const state = makeState();
    const once = escalate(state, need(state), null, makeWorld());
    expect(escalate(once.state, need(state), null, makeWorld())).toEqual({ state: once.state, effects: [] });
  });

  test("what came from text of strangers is marked", () =>
    expect(ask(makeState(), null, { ...unsure, isTainted: true }).state.escalations[0]?.isTainted).toBe(true));

  test("it is bounded, however much was found", () => {
    const evidence = Array.from({ length: 10 }, () => "x".repeat(9_000));
    const observation = makeObservation({ ambiguity: { ...doubt, evidence, description: "y".repeat(9_000) } });
    expect(JSON.stringify(ask(makeState(), null, observation).state.escalations[0]).length).toBeLessThan(30_000);
  });

  test("where asking does not pause, the work goes on", () => {
    const config: Partial<HomrConfig> = { pauseOnEscalation: false };
    const { state } = ask(makeState({}, config));
    expect(state.tasks.map(({ status }) => status)).toEqual(["completed", "pending", "pending", "pending"]);
  });
});

describe("a question that may answer itself", () => {
  const asked = { question: "Which?", options: [option("a"), option("b")], recommended: "b" };
  const hours = (deadlineHours: number | null): OutcomeState => {
    const state = makeState();
    const { outcome } = state;
    return { ...state, outcome: { ...outcome, autoResolve: { ...outcome.autoResolve, deadlineHours } } };
  };
  const deadline = (state: OutcomeState, said: AskedQuestion | null = asked, observation = unsure) =>
    ask(state, said, observation).state.escalations[0]?.deadlineMs;

  test("it does so after the hours that the owner set, with what was recommended", () => {
    const { state } = ask(hours(3), asked);
    expect(state.escalations[0]).toMatchObject({ defaultOption: "b", deadlineMs: 2_000 + 3 * 60 * 60_000 });
    const later = { ...makeWorld(), nowMs: 2_000 + 3 * 60 * 60_000 };
    expect(passDeadlines(state, { ...later, nowMs: later.nowMs - 1 }).state).toBe(state);
    expect(passDeadlines(state, later).state.escalations[0]?.state).toMatchObject({
      status: "answered",
      answer: { option: "b", by: "deadline" },
    });
  });
  test("someone looks again then", () =>
    expect(advanceOutcome(ask(hours(3), asked).state, makeWorld()).effects).toContainEqual(
      expect.objectContaining({ kind: "look_again" }),
    ));
  test("unless no hours are set", () => expect(deadline(hours(null))).toBeNull());
  test("nor where nothing was recommended", () =>
    expect(deadline(hours(3), { ...asked, recommended: null })).toBeNull());
  test("nor where it was asked out of words of strangers", () =>
    expect(deadline(hours(3), asked, { ...unsure, isTainted: true })).toBeNull());
});

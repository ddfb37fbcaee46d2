import { describe, expect, test } from "vitest";
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
import type { Commanded } from "../commands/command.ts";
import { defaultAutoResolve } from "../homr-config.ts";
import type { OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { taskOf } from "../state-changes.ts";
import { type Escalation, type EscalationOption, type OptionAction, ownWords } from "./escalation.ts";
import {
  answerEscalation,
  confirmAnswer,
  dismissEscalation,
  mayAutoResolve,
  passDeadlines,
  proposeAnswer,
  rejectAnswer,
  thinkItOver,
} from "./resolve.ts";

const world = makeWorld();
const paused = makeTask(2, { status: "paused" });

const asking = (over: Partial<Escalation> = {}, state: Partial<OutcomeState> = {}): OutcomeState =>
  makeState({ tasks: [makeTask(1, { status: "completed" }), paused], escalations: [makeEscalation(over)], ...state });

const given = { escalationId: "escalation_1", option: "plain", additionalContext: "" };
const answer = (state: OutcomeState, over: Partial<typeof given> = {}) =>
  answerEscalation(state, { ...given, ...over }, makeWorld());

function moved(result: Commanded): OutcomeMove {
  if (!result.isDone) throw new Error(result.why);
  return result.move;
}
const whyNot = (result: Commanded): string | null => (result.isDone ? null : result.why);

describe("an answer", () => {
  test("ends the question and lets the task go on", () => {
    const { state, effects } = moved(answer(asking()));
    expect(state.escalations[0]?.state).toMatchObject({ status: "answered", answer: { option: "plain", by: "human" } });
    expect(taskOf(state, taskId(2)).status).toBe("running");
    expect(effects).toContainEqual(expect.objectContaining({ kind: "start_run", taskId: taskId(2) }));
  });

  test("may be in one's own words, which reach the tasks that were asked about", () => {
    const words = { option: ownWords, additionalContext: "Use whichever loads faster" };
    const move = moved(answer(asking(), words));
    const { state } = move;
    expect(taskOf(state, taskId(2)).status).toBe("running");
    expect(state.context.injections).toMatchObject([
      {
        content: expect.stringMatching(
          /^Question: Which form\?.*\nChosen by the user: Something else, in their own words$/,
        ),
      },
      { audience: "every", content: "Use whichever loads faster", isTainted: false },
    ]);
    expect(activitiesOf(move).map(({ summary }) => summary)).toContain(
      "Answered: Use whichever loads faster (Which form?)",
    );
    expect(whyNot(answer(state, words))).toBe("This question was answered already: Use whichever loads faster");
  });

  test("in one's own words says something, and is for questions that an answer lets go on", () => {
    expect(whyNot(answer(asking(), { option: ownWords, additionalContext: " " }))).toMatch("Say in your own words");
    const options = makeEscalation().options.map((option) => ({ ...option, action: "skip_tasks" as const }));
    const words = { option: ownWords, additionalContext: "Wait" };
    expect(whyNot(answer(asking({ options }), words))).toBe("This question needs one of its options");
  });

  test("becomes a decision and reaches the tasks that were asked about", () => {
    const { context } = moved(answer(asking(), { additionalContext: "Keep it small" })).state;
    const content = "Question: Which form? (1) A plain form; 2) A rich form)\nChosen by the user: A plain form";
    expect(context.decisions).toMatchObject([{ madeBy: "human", content }]);
    expect(context.injections).toMatchObject([
      { type: "decision", priority: "must_know", audience: [taskId(2)], content },
      { audience: "every", content: "Keep it small" },
    ]);
  });

  test("is logged with its cause", () => {
    expect(activitiesOf(moved(answer(asking())))[0]).toMatchObject({
      type: "resolution",
      cause: { kind: "answer", escalationId: "escalation_1" },
      summary: "Answered: A plain form (Which form?)",
    });
  });

  test("words of a question from strangers stay marked, the person's own do not", () => {
    const { injections } = moved(answer(asking({ isTainted: true }), { additionalContext: "Keep it small" })).state
      .context;
    expect(injections.map(({ isTainted }) => isTainted)).toEqual([true, false]);
  });

  test("a task named by another question stays paused", () => {
    const other = makeEscalation({ id: "escalation_2", trigger: "unclear_requirement" });
    const { state } = moved(answer(asking({}, { escalations: [makeEscalation(), other] })));
    expect(taskOf(state, taskId(2)).status).toBe("paused");
  });

  test("a task goes on with the run that rested", () => {
    const tasks = [makeTask(2, { status: "paused", runId: "run_2" as RunId })];
    const { effects } = moved(answer(asking({}, { tasks })));
    expect(effects).toContainEqual(expect.objectContaining({ kind: "resume_run", runId: "run_2" }));
  });
});

describe("what is refused, with a sentence", () => {
  test("an option that does not exist", () =>
    expect(whyNot(answer(asking(), { option: "fancy" }))).toBe(
      "There is no option “fancy”; choose one of: plain (A plain form), rich (A rich form)",
    ));

  test("a second answer", () => {
    const { state } = moved(answer(asking()));
    expect(whyNot(answer(state, { option: "rich" }))).toBe("This question was answered already: A plain form");
  });

  test("an answer to a question that is no longer there", () =>
    expect(whyNot(answer(makeState()))).toBe(
      "There is no such open question: it was answered, dismissed or never asked",
    ));

  test("an answer to a question that was dismissed", () => {
    const { state } = moved(dismissEscalation(asking(), { escalationId: "escalation_1", why: "" }, world));
    expect(whyNot(answer(state))).toBe("This question was closed already: it was dismissed");
  });

  test("a confirmation of nothing", () =>
    expect(whyNot(confirmAnswer(asking(), "escalation_1", world))).toBe("No answer is proposed for this question"));
});

const optionFor = (action: OptionAction): EscalationOption => ({
  id: "chosen",
  label: "Chosen",
  description: "",
  implications: "",
  action,
});
const fail = { attempt: 1, runId: "run_x", why: "broke", tail: "", isTainted: false };
const failing = makeTask(2, { status: "paused", failures: [fail], attempts: 1 });
const lost = makeTask(3, { status: "failed", failures: [fail], attempts: 3 });
const healthy = makeTask(4, { status: "paused" });
const pattern = {
  trigger: "consecutive_failures",
  triggerTaskId: null,
  isWholeOutcome: true,
  affectedTasks: [taskId(2), taskId(4)],
} as const;

function choose(
  action: OptionAction,
  over: Partial<Escalation> = pattern,
  tasks = [failing, lost, healthy],
  words = "",
) {
  const other = { ...optionFor("proceed"), id: "other" };
  const state = asking({ ...over, options: [optionFor(action), other] }, { tasks });
  return answer({ ...state, outcome: makeOutcome({ workers: 3 }) }, { option: "chosen", additionalContext: words });
}

describe("what an option does", () => {
  const statuses = (result: Commanded) => moved(result).state.tasks.map(({ number, status }) => `${number} ${status}`);

  test("to go on: all go on, and what failed stays failed", () =>
    expect(statuses(choose("proceed"))).toEqual(["2 running", "3 failed", "4 running"]));

  test("to pause: the outcome rests, and nothing begins", () => {
    const result = choose("pause_outcome");
    expect(moved(result).state.outcome.status).toBe("paused");
    expect(statuses(result)).toEqual(["2 pending", "3 failed", "4 pending"]);
  });

  test("to skip: what failed is obsolete, the others go on", () =>
    expect(statuses(choose("skip_tasks"))).toEqual(["2 obsolete", "3 obsolete", "4 running"]));

  test("to try again: what failed for good gets one more attempt", () => {
    const result = choose("retry_tasks");
    expect(statuses(result)).toEqual(["2 running", "3 running", "4 running"]);
    expect(taskOf(moved(result).state, taskId(3)).maxAttempts).toBe(4);
  });

  test("to try a stuck task again: its run is canceled and another one begins", () => {
    const running = makeTask(2, { status: "running", runId: "run_2" as RunId, attempts: 1 });
    const stuck = { trigger: "stuck", triggerTaskId: taskId(2), affectedTasks: [taskId(2)], pauses: false } as const;
    const { effects } = moved(choose("retry_tasks", stuck, [running]));
    expect(effects.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["cancel_run", "start_run"]));
  });

  test("to allow more attempts: three more", () => {
    const { state } = moved(choose("raise_attempts"));
    expect(state.tasks.map(({ maxAttempts }) => maxAttempts)).toEqual([6, 6, 3]);
  });

  test("to split: parts in order and a task that verifies them", () => {
    const listed = { ...failing, description: "Do both:\n- the form\n- the page" };
    const { state } = moved(choose("split_tasks", pattern, [listed, healthy]));
    expect(state.tasks.map(({ number, title, status }) => `${number} ${title}: ${status}`)).toEqual([
      "2 Task 2: obsolete",
      "4 Task 4: running",
      "10 the form: running",
      "11 the page: pending",
      "12 Verify: Task 2: pending",
    ]);
    expect(state.tasks[2]?.description).toBe(
      "This is a part of #2, which was: Task 2\n\nDo both:\n- the form\n- the page",
    );
  });

  test("to split what cannot be split is refused", () => {
    const deep = { ...failing, splitDepth: 3 };
    expect(whyNot(choose("split_tasks", pattern, [deep]))).toContain("choose another option");
  });

  test("an id and words that say otherwise change nothing", () => {
    const named = { ...optionFor("proceed"), id: "fail", label: "Fail and skip all tasks" };
    const state = asking({ ...pattern, options: [named, optionFor("proceed")] }, { tasks: [failing, lost, healthy] });
    const after = moved(answer(state, { option: "fail" })).state;
    expect(after.tasks.map(({ status }) => status)).toEqual(["running", "failed", "running"]);
    expect(after.outcome).toEqual(state.outcome);
  });
});

describe("a gate", () => {
  const gate = { id: "g", kind: "human_approval", label: "Legal has agreed", given: null } as const;
  const gated = makeTask(2, { status: "paused", gates: [gate] });
  const asked = { trigger: "gate", triggerTaskId: taskId(2) } as const;
  const needed = { ...gated, gates: [{ ...gate, kind: "document_required" as const }] };
  const gates = (result: Commanded) => taskOf(moved(result).state, taskId(2)).gates.map((each) => each.given);

  test("is given", () => expect(gates(choose("satisfy_gate", asked, [gated]))).toEqual(["Approved"]));
  test("with what the person adds", () =>
    expect(gates(choose("satisfy_gate", asked, [gated], "By mail"))).toEqual(["By mail"]));
  test("that needs a document is not given without one", () =>
    expect(whyNot(choose("satisfy_gate", asked, [needed]))).toContain("is required"));
  test("is not given by dismissing the question", () => {
    const state = asking(asked, { tasks: [gated] });
    const dismissed = dismissEscalation(state, { escalationId: "escalation_1", why: "" }, world);
    expect(gates(dismissed)).toEqual([null]);
  });
});

describe("dismissing", () => {
  const dismiss = (state = asking()) =>
    moved(dismissEscalation(state, { escalationId: "escalation_1", why: "Not now" }, world));

  test("resumes the tasks", () => expect(taskOf(dismiss().state, taskId(2)).status).toBe("running"));

  test("is told to the workers, with the reason", () => {
    expect(dismiss().state.context.injections).toMatchObject([
      {
        content: expect.stringContaining("Dismissed without a decision"),
        priority: "must_know",
        audience: [taskId(2)],
      },
      { content: "Not now" },
    ]);
  });
});

describe("a proposed answer", () => {
  const proposed = { option: "rich", confidence: 0.9, reason: "The intent says so" };
  const mode = (chosen: "manual" | "semi_auto" | "full_auto", over: Partial<Escalation> = {}) =>
    asking(over, { outcome: makeOutcome({ autoResolve: { ...defaultAutoResolve, mode: chosen } }) });
  const propose = (state: OutcomeState, more: Partial<typeof proposed> = {}) =>
    proposeAnswer(state, { escalationId: "escalation_1", proposed: { ...proposed, ...more } }, world);
  const statusAfter = (result: Commanded) => moved(result).state.escalations[0]?.state.status;

  test("manual: only a person answers", () =>
    expect(whyNot(propose(mode("manual")))).toBe("Only a person answers this question"));
  test("semi-auto: it waits for a person", () => {
    const { state, effects } = moved(propose(mode("semi_auto")));
    expect(state.escalations[0]?.state).toEqual({ status: "pending_confirmation", proposed });
    expect(taskOf(state, taskId(2)).status).toBe("paused");
    expect(effects).toContainEqual({ kind: "notify_owner", about: "escalation", id: "escalation_1" });
  });
  test("full-auto: it counts", () => {
    const { state } = moved(propose(mode("full_auto")));
    expect(state.escalations[0]?.state).toMatchObject({ status: "answered", answer: { option: "rich", by: "homr" } });
    expect(state.context.decisions[0]?.madeBy).toBe("homr");
  });
  test("not sure enough: a person is left to answer", () =>
    expect(statusAfter(propose(mode("full_auto"), { confidence: 0.79 }))).toBe("pending"));
  test("sureness that is no number is not enough", () =>
    expect(statusAfter(propose(mode("full_auto"), { confidence: Number.NaN }))).toBe("pending"));
  test("a question from text of strangers is confirmed by a person in any mode", () =>
    expect(statusAfter(propose(mode("full_auto", { isTainted: true })))).toBe("pending_confirmation"));
  test("an option that does not exist is refused", () =>
    expect(whyNot(propose(mode("full_auto"), { option: "fancy" }))).toContain("does not exist"));

  test.each(["security", "gate"] as const)("%s is never automatic", (trigger) => {
    const state = mode("full_auto", { trigger });
    expect(whyNot(propose(state))).toBe("Only a person answers this question");
    expect(mayAutoResolve(state, makeEscalation({ trigger }))).toBe(false);
  });

  test("confirmed, it counts as the person's", () => {
    const { state } = moved(confirmAnswer(moved(propose(mode("semi_auto"))).state, "escalation_1", world));
    expect(state.escalations[0]?.state).toMatchObject({ status: "answered", answer: { option: "rich", by: "human" } });
  });
  test("rejected, the question is open again", () =>
    expect(statusAfter(rejectAnswer(moved(propose(mode("semi_auto"))).state, "escalation_1"))).toBe("pending"));
  test("a person may answer otherwise meanwhile", () => {
    const waiting = moved(propose(mode("semi_auto"))).state;
    expect(moved(answer(waiting)).state.escalations[0]?.state).toMatchObject({ answer: { option: "plain" } });
  });
});

describe("a deadline", () => {
  const due = { deadlineMs: 2_000, defaultOption: "rich" } as const;
  const stateAfter = (over: Partial<Escalation>) =>
    passDeadlines(asking(over), makeWorld()).state.escalations[0]?.state;

  test("chooses the default when it has passed", () =>
    expect(stateAfter(due)).toMatchObject({ status: "answered", answer: { option: "rich", by: "deadline" } }));
  test("does nothing before", () => expect(stateAfter({ ...due, deadlineMs: 2_001 })).toEqual({ status: "pending" }));
  test.each(["security", "gate"] as const)("never answers %s", (trigger) =>
    expect(stateAfter({ ...due, trigger })).toEqual({ status: "pending" }),
  );
  test("someone thinks it over: it waits", () => {
    const { state } = moved(thinkItOver(asking(due), "escalation_1"));
    expect(passDeadlines(state, makeWorld())).toEqual({ state, effects: [] });
  });
  test("a default that cannot be done is left to a person", () => {
    const option = { id: "rich", label: "R", description: "", implications: "", action: "split_tasks" } as const;
    const state = asking({ ...due, options: [option, { ...option, id: "other" }] });
    const move = passDeadlines(state, makeWorld());
    expect(move.state.escalations[0]).toMatchObject({ state: { status: "pending" }, deadlineMs: null });
  });
});

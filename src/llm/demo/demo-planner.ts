// The planner's part of the demo model: from a view to one answer, by rules. It claims to be done only when every step has
// something to show and no check is known to be red.

import type { PlannerAnswer } from "../../domain/planner/answer.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import { count, listed, shorten } from "./phrase.ts";
import { meansOf } from "./plan-means.ts";
import { mend, redChecks } from "./plan-mend.ts";
import { promise } from "./plan-proposal.ts";
import { isToLeaveOut, takeUp } from "./plan-said.ts";
import { isOpen, isRejection, type Step, stepsNow, wasTried } from "./plan-steps.ts";
import { type Desk, nextWork, type Work } from "./plan-work.ts";
import { readObjective } from "./read-objective.ts";

const byRules = "(Demo model: rules, no AI.)";

export function planByRules(view: PlannerView): PlannerAnswer {
  const reading = readObjective(view.objective);
  const means = meansOf(view);
  const current = stepsNow(view, reading, means);
  const { steps, words } = takeUp(view, isToLeaveOut(view) ? current.map(leftOut) : current);
  const promised = promise(reading, means);
  const desk: Desk = { view, reading, means, steps, promised };
  const base = { ...nothing, ...(view.mayPropose ? promised : {}) };
  const heard =
    words.length === 0
      ? ""
      : `You wrote ${listed(words.map((each) => `“${shorten(each, 200)}”`))}; it is in the plan now. `;
  if (view.permission.phase === "plan_only") return planned(desk, base, heard);
  if (means.isHomeless) return asked(desk, base, homeless, heard);
  if (isTurnedDown(view)) return asked(desk, base, turnedDown(view), heard);
  const work = nextWork(desk);
  if (work !== null && isStuck(desk, work)) return stuck(desk, base, work, heard);
  return work === null ? concluded(desk, base, heard) : worked(desk, base, work, heard);
}

/** The user would rather go on without what could not be done. */
const leftOut = (step: Step): Step => (wasTried(step) ? { ...step, status: "dropped" } : step);

type Base = Pick<PlannerAnswer, "deliverables" | "checks" | "tool_calls" | "executor_tasks" | "questions">;
const nothing: Base = { deliverables: [], checks: [], tool_calls: [], executor_tasks: [], questions: [] };

function status(said: string, over: Partial<PlannerAnswer["status"]>): PlannerAnswer["status"] {
  return {
    exit_signal: false,
    needs_user_input: false,
    blocking_questions: [],
    progress_summary: shorten(`${said} ${byRules}`, 900),
    remaining_work: [],
    completion_evidence: [],
    next_action_hint: "execute",
    confidence: "medium",
    ...over,
  };
}

const remaining = (steps: readonly Step[]): string[] =>
  steps.filter((step) => isOpen(step) && !step.optional).map(({ title }) => shorten(title, 300));

/** Nothing but plan and checks. */
function planned({ steps, reading, promised }: Desk, base: Base, heard: string): PlannerAnswer {
  const said = `${heard}Proposed ${count(steps.length, "step")} and ${count(promised.checks.length, "check")} for ${reading.topic}; nothing is written before you agree.`;
  return { ...base, status: status(said, { remaining_work: remaining(steps) }), plan: { steps: [...steps] } };
}

function worked({ steps }: Desk, base: Base, work: Work, heard: string): PlannerAnswer {
  const begun = steps.map((step) =>
    work.stepIds.includes(step.id) && isOpen(step) ? { ...step, status: "in_progress" as const } : step,
  );
  const isNew = steps.every(({ status: now }) => now === "pending");
  const plan = isNew ? `Made a plan of ${count(steps.length, "step")}. ` : "";
  return {
    ...base,
    status: status(`${heard}${plan}${work.said}`, { remaining_work: remaining(begun) }),
    plan: { steps: begun },
    tool_calls: [...work.calls],
    executor_tasks: [...work.delegated],
  };
}

/** Every step is done: what is left are checks. */
function concluded(desk: Desk, base: Base, heard: string): PlannerAnswer {
  const { steps, view } = desk;
  const red = redChecks(view.checks);
  if (red.length === 0 || isStale(view)) return finished(desk, base, heard);
  const { calls, impossible } = isLeftOut(steps)
    ? { calls: [], impossible: red.map(({ about }) => about) }
    : mend(desk);
  const notPossible = impossible.map((about) => shorten(`${impossibleMark}: ${about}`, 400));
  if (calls.length > 0) {
    const said = `${heard}${count(red.length, "check is", "checks are")} red; added what is missing.`;
    const left = [
      ...red.filter(({ about }) => !impossible.includes(about)).map(({ about }) => shorten(`Mend: ${about}`, 400)),
      ...notPossible,
    ];
    return {
      ...base,
      status: status(capital(said), { remaining_work: left, next_action_hint: "execute" }),
      plan: { steps: [...steps] },
      tool_calls: [...calls],
    };
  }
  const wasAsked = view.remainingWorkLast.some((line) => line.startsWith(impossibleMark)) || view.answers.length > 0;
  if (!wasAsked) return asked(desk, base, beyond(impossible), heard, notPossible);
  const said = `${heard}Everything that rules can do is done. What a check still asks for is beyond the demo model: ${impossible.join("; ")}.`;
  return {
    ...base,
    status: status(said, { remaining_work: notPossible, confidence: "low", next_action_hint: "stop" }),
    plan: { steps: [...steps] },
  };
}

/** What the user did not want is not written by another door. */
const isLeftOut = (steps: readonly Step[]): boolean => steps.some(({ status: now }) => now === "dropped");

/** What was approved has been written since the checks were run: they are run again before anything ends. */
const isStale = ({ decidedWrites }: PlannerView): boolean =>
  decidedWrites.some(({ decision }) => /^approved, and written/.test(decision));

const impossibleMark = "Not possible with the demo model";
const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function finished({ steps, view }: Desk, base: Base, heard: string): PlannerAnswer {
  const made = steps.flatMap(({ evidence }) => evidence);
  const green = view.checks.filter(({ isGreen }) => isGreen === true).length;
  const said = `${heard}All ${count(steps.length, "step")} of the plan are done${green > 0 ? ` and ${count(green, "check is", "checks are")} green` : ""}.`;
  return {
    ...base,
    status: status(said, {
      exit_signal: true,
      completion_evidence: made.slice(0, 40),
      next_action_hint: "stop",
      confidence: "high",
    }),
    plan: { steps: [...steps] },
  };
}

type Ask = { readonly id: string; readonly text: string; readonly options: readonly string[] };

const isTurnedDown = ({ decidedWrites }: PlannerView): boolean =>
  decidedWrites.length > 0 && decidedWrites.every(({ decision }) => isRejection.test(decision));

const turnedDown = ({ decidedWrites }: PlannerView): Ask => ({
  id: "turned-down",
  text: shorten(
    `You turned down ${count(decidedWrites.length, "change")}: ${decidedWrites.map(({ summary }) => summary).join("; ")}. What should it do instead?`,
    1_500,
  ),
  options: ["Go on without them", "Stop here"],
});

const homeless: Ask = {
  id: "where-to-write",
  text: "The project this run was given cannot be written to any more. Where should it go on? Restore the project or start a new run over another one.",
  options: ["I have restored it: go on", "Stop here"],
};

const beyond = (checks: readonly string[]): Ask => ({
  id: "beyond-the-rules",
  text: shorten(
    `The demo model (rules, no AI) cannot do, or was not to do, what ${checks.length === 1 ? "this check asks" : "these checks ask"} for: ${checks.join("; ")}. Connect a real model and resume, or say what it should do instead.`,
    1_500,
  ),
  options: ["Leave it open", "I will connect a model"],
});

function asked({ steps }: Desk, base: Base, { id, text, options }: Ask, heard: string, left?: string[]): PlannerAnswer {
  return {
    ...base,
    status: status(`${heard}Asked before it goes on.`, {
      needs_user_input: true,
      blocking_questions: [text],
      remaining_work: left ?? remaining(steps),
      next_action_hint: "ask_user",
      confidence: "low",
    }),
    plan: { steps: [...steps] },
    questions: [{ id, text, options: [...options] }],
  };
}

/** Nothing it may do would help, or what it did came to nothing several times. */
function isStuck({ view, steps }: Desk, work: Work): boolean {
  if (work.calls.length + work.delegated.length === 0) return true;
  const isTried = steps.some(
    (step) => work.stepIds.includes(step.id) && step.status !== "pending" && step.evidence.length === 0,
  );
  return isTried && view.streaks.noProgress >= 2 && view.answers.length === 0;
}

function stuck(desk: Desk, base: Base, work: Work, heard: string): PlannerAnswer {
  const titles = desk.steps.filter(({ id }) => work.stepIds.includes(id)).map(({ title }) => title);
  const last = desk.view.lastIteration;
  const failed = [
    ...(last?.toolResults ?? []),
    ...(last?.executorResults ?? []).flatMap((result) => result.toolResults),
  ];
  const why = failed.find(({ ok }) => !ok)?.snippet ?? "none of the tools it may use can write it";
  const text = shorten(
    `It cannot get on with this: ${titles.join("; ")}. What it was told: ${why} What should it do?`,
    1_500,
  );
  return asked(desk, base, { id: "cannot-go-on", text, options: ["Try again", "Leave it out"] }, heard);
}

// How an outcome reads on the screen: how far it is, whether it is on course, what happens now and next. Pure.

import type { Observation, OutcomeSummary, OutcomeTask } from "../../../../src/protocol/api.ts";
import { counted, dollars, exactDollars } from "../../../../src/protocol/figures.ts";
import { tone } from "../../lib/tones.ts";

type Status = OutcomeSummary["status"];

export const outcomeStatusColors: Readonly<Record<Status, string>> = {
  active: tone.atWork,
  paused: tone.plain,
  dormant: tone.plain,
  achieved: tone.passed,
  archived: tone.plain,
};

/** What waits for the owner: questions of HOMЯ, and of runs on tasks. */
export const countQuestions = ({
  open_escalations: ofHomr,
  waiting_runs: ofRuns,
}: Pick<OutcomeSummary, "open_escalations" | "waiting_runs">): number => ofHomr + ofRuns;

/** Tasks that count: those that turned out not to be needed are left out. */
export function taskProgress({ tasks }: Pick<OutcomeSummary, "tasks">): { readonly done: number; readonly of: number } {
  const { pending, running, paused, completed, failed } = tasks;
  return { done: completed, of: pending + running + paused + completed + failed };
}

/** "3 of 5 tasks done · 1 running · 1 queued", every task named once; null for an outcome without tasks. Tasks of a paused outcome, and those
 * whose run asks, do not count as running. */
export function progressWords(outcome: Pick<OutcomeSummary, "status" | "tasks" | "waiting_runs">): string | null {
  const { done, of } = taskProgress(outcome);
  if (of === 0) return null;
  const { failed, pending, paused } = outcome.tasks;
  const asking = Math.min(outcome.waiting_runs, outcome.tasks.running);
  const begun = outcome.tasks.running - asking;
  const isPaused = outcome.status === "paused";
  const more = [
    [begun, isPaused ? `${begun} paused` : `${begun} running`],
    [paused + asking, `${paused + asking} waiting for you`],
    [failed, `${failed} failed`],
    [pending, `${pending} queued`],
  ] as const;
  const named = more.filter(([count]) => count > 0).map(([, words]) => words);
  return [`${done} of ${counted(of, "task")} done`, ...named].join(" · ");
}

/** The first line that a text has and the one before it had not, or the first that it lost; null: they have the same lines. */
export function firstChange(before: string, after: string): string | null {
  const linesOf = (text: string) => text.split("\n").map((line) => line.trim());
  const [old, now] = [linesOf(before), linesOf(after)];
  const added = now.find((line) => line !== "" && !old.includes(line));
  if (added !== undefined) return `Changed: ${added}`;
  const lost = old.find((line) => line !== "" && !now.includes(line));
  return lost === undefined ? null : `Removed: ${lost}`;
}

/** "$0.12 of $5.00". */
export function costWords(
  { metrics }: Pick<OutcomeSummary, "metrics">,
  maxCostUsd: number | null,
): { readonly spent: string; readonly limit: string | null } {
  const { cost_total_micro_usd: micro, unpriced_calls: unpriced } = metrics;
  const spent = unpriced > 0 && micro === 0 ? "No price known" : dollars(micro);
  return { spent, limit: maxCostUsd === null ? null : exactDollars(Math.round(maxCostUsd * 1_000_000)) };
}

export type Course = { readonly word: string; readonly color: string; readonly why: string };

/** `recent`: the last observations, newest first; `failed`: tasks whose attempts are used up; `asked`: questions to its owner. */
export function describeCourse(
  recent: readonly Observation[],
  isEnabled: boolean,
  { failed, asked }: { readonly failed: number; readonly asked: number },
): Course {
  if (!isEnabled)
    return { word: "Not watched", color: tone.plain, why: "HOMЯ is off. Finished tasks are not checked." };
  if (asked > 0)
    return {
      word: "Needs your decision",
      color: tone.needsYou,
      why: `${counted(asked, "question")} to you ${asked === 1 ? "is" : "are"} open.`,
    };
  if (failed > 0)
    return {
      word: "At risk",
      color: tone.failure,
      why: `${counted(failed, "task")} failed. Retry, change or skip ${failed === 1 ? "it" : "them"}.`,
    };
  const [last] = recent;
  if (last === undefined) return { word: "No results yet", color: tone.plain, why: "HOMЯ checks every finished task." };
  if (!last.on_track)
    return { word: "Off course", color: tone.failure, why: `Task #${last.task_number}: ${last.summary}` };
  const off = recent.find((each) => !each.on_track);
  if (off !== undefined)
    return { word: "Back on course", color: tone.passed, why: `After task #${off.task_number} had gone off course.` };
  const why =
    recent.length === 1
      ? "The last result matches what you asked for."
      : `The last ${recent.length} results match what you asked for.`;
  return { word: "On course", color: tone.passed, why };
}

export type NowWords = { readonly now: string; readonly next: string | null };

type Described = Pick<OutcomeSummary, "status" | "is_drafting" | "open_escalations" | "waiting_runs" | "tasks"> & {
  readonly clean_reviews: number;
};

/** `running`: the tasks that workers have. */
export function describeNow(outcome: Described, running: readonly Pick<OutcomeTask, "number" | "title">[]): NowWords {
  if (outcome.is_drafting)
    return { now: "HOMЯ is drafting the plan.", next: "You review the draft before work starts." };
  switch (outcome.status) {
    case "dormant":
      return { now: "Not started.", next: null };
    case "paused":
      return { now: "Paused. No task is running.", next: "Resume to continue where it stopped." };
    case "achieved":
      return { now: "Achieved. Two reviews in a row found nothing to fix.", next: null };
    case "archived":
      return { now: "Archived. No work is running.", next: null };
    case "active":
      return describeActive(outcome, running);
  }
}

function describeActive(outcome: Described, running: readonly Pick<OutcomeTask, "number" | "title">[]): NowWords {
  const { tasks, clean_reviews: clean } = outcome;
  const questions = countQuestions(outcome);
  const answer =
    questions === 0 ? null : `Your answer to ${questions === 1 ? "1 question" : `${questions} questions`}.`;
  if (running.length > 0) {
    const names = running.map(({ number, title }) => `#${number} ${title}`);
    return { now: `Working on ${names.join(" and ")}.`, next: answer ?? describeNext(tasks) };
  }
  if (answer !== null) return { now: "Waiting for your answer. No task is running.", next: null };
  if (tasks.pending > 0) return { now: "The next task starts in a moment.", next: describeNext(tasks) };
  if (tasks.failed > 0) return { now: `${counted(tasks.failed, "task")} failed and nothing else can run.`, next: null };
  return {
    now: "All tasks are done. HOMЯ is reviewing the result.",
    next: clean === 0 ? "Two clean reviews end the outcome." : "One more clean review ends the outcome.",
  };
}

const describeNext = ({ pending }: OutcomeSummary["tasks"]): string =>
  pending === 0 ? "A review of the whole result." : `${counted(pending, "task")} to go, then a review.`;

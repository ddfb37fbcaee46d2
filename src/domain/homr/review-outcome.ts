// What a review of the whole outcome leads to: one task that lists everything it found, or one clean review more. The outcome is achieved
// after two clean reviews in a row, in which every acceptance check was green.

import { advanceOutcome, isAnswerAwaited } from "./advance-outcome.ts";
import type { QualityIssue } from "./observe/observation.ts";
import type { HomrWorld, OutcomeMove, OutcomeState } from "./outcome-state.ts";
import { openEscalation } from "./questions/open-escalation.ts";
import { askAboutMissedReviews, askAboutReviews } from "./questions/platform-questions.ts";
import { followedBy, logged } from "./state-changes.ts";
import { addTasks } from "./tasks/new-tasks.ts";
import { correctivePriority, isSettledTask, type OutcomeTask } from "./tasks/task.ts";
import type { TaskId } from "./tasks/task-id.ts";
import { nameTask, shorten } from "./tasks/task-list.ts";

export type OutcomeReview = {
  /** 1 for the first review of the outcome. */
  readonly cycle: number;
  readonly findings: readonly QualityIssue[];
  /** Acceptance checks that are not green, one sentence each. */
  readonly redChecks: readonly string[];
  readonly summary: string;
  /** What only people can bring or do. */
  readonly gaps: readonly string[];
};

/** `taskId`: the task that was made of it. */
export type Reviewed = OutcomeMove & { readonly isClean: boolean; readonly taskId: TaskId | null };

const cleanReviewsNeeded = 2;
/** A person is asked after so many, and after as many again: no outcome is reviewed for ever by itself. */
const reviewsPerQuestion = 10;
const findingsMax = 50;

export function applyReview(state: OutcomeState, review: OutcomeReview, world: HomrWorld): Reviewed {
  const isClean = review.findings.length === 0 && review.redChecks.length === 0;
  if (state.outcome.status !== "active") return { ...ignore(state, review), isClean, taskId: null };
  if (isClean) return { ...countClean(state, review, world), isClean, taskId: null };
  return openTask(state, review, world);
}

export type MissedReview = {
  readonly cycle: number;
  /** How often it was tried by now. */
  readonly tries: number;
  readonly why: string;
};

/** A person is asked after so many tries, and after as many again: nothing else tells them why the outcome stands still. */
const missesPerQuestion = 3;

/** It counts as none. Without a question it is tried again later. */
export function missReview(state: OutcomeState, missed: MissedReview, world: HomrWorld): OutcomeMove {
  const { cycle, tries, why } = missed;
  if (state.outcome.status !== "active") return { state, effects: [] };
  const said = `Review ${cycle} could not be made: ${shorten(why, 500)}`;
  const nothing: OutcomeReview = { cycle, findings: [], redChecks: [], summary: "", gaps: [] };
  const move: OutcomeMove = { state, effects: [logReview(nothing, null, said)] };
  if (tries % missesPerQuestion !== 0) return move;
  const ask = (after: OutcomeState) =>
    openEscalation(after, askAboutMissedReviews(missed), { kind: "review", cycle }, world);
  return followedBy(move, ask);
}

/** Someone paused or ended the outcome meanwhile: it is reviewed again when it goes on. */
const ignore = (state: OutcomeState, review: OutcomeReview): OutcomeMove => ({
  state,
  effects: [logReview(review, null, "Reviewed the outcome, which does not run any more: nothing has changed")],
});

function countClean(state: OutcomeState, review: OutcomeReview, world: HomrWorld): OutcomeMove {
  const { outcome, tasks } = state;
  const hasMore = !tasks.every(isSettledTask);
  const isAsked = isAnswerAwaited(state);
  const cleanReviews = hasMore || isAsked ? 0 : outcome.cleanReviews + 1;
  const isAchieved = cleanReviews >= cleanReviewsNeeded;
  const counted = { ...outcome, cleanReviews, status: isAchieved ? ("achieved" as const) : outcome.status };
  const missing = isAsked ? "your answer to a question" : "what was said last";
  const why = hasMore ? "there are new tasks since" : `${missing} was not known to it`;
  const said =
    cleanReviews === 0
      ? `The review found nothing to fix, but ${why}: it does not count`
      : `The review found nothing to fix (${cleanReviews} of ${cleanReviewsNeeded})${leftToPeople(review)}`;
  const move: OutcomeMove = { state: { ...state, outcome: counted }, effects: [logReview(review, null, said)] };
  const then = followedBy(move, (after) => advanceOutcome(after, world));
  if (!isAchieved) return then;
  return { ...then, effects: [...then.effects, { kind: "notify_owner", about: "achieved", id: outcome.id }] };
}

/** Characters: a review names at most twenty things of five hundred. */
const leftMax = 4_000;

/** The owner has to see it where the outcome ends. */
const leftToPeople = ({ gaps }: OutcomeReview): string =>
  gaps.length === 0 ? "" : `. Left to you: ${shorten(gaps.join("; "), leftMax)}`;

function openTask(state: OutcomeState, review: OutcomeReview, world: HomrWorld): Reviewed {
  const found = { ...state, outcome: { ...state.outcome, cleanReviews: 0 } };
  const listed = listFindings(review);
  const added = addTasks(found, [newTaskFor(review, listed)], world);
  const task = added?.tasks[0] ?? null;
  const said =
    task === null
      ? `The review found ${countProblems(listed)}, but there are too many open tasks for another one`
      : `The review found ${countProblems(listed)}: ${nameTask(task)} lists them`;
  const move: OutcomeMove = { state: added?.state ?? found, effects: [logReview(review, task, said)] };
  const asked = followedBy(move, (after) => askWhetherToGoOn(after, review, listed, world));
  const after = followedBy(asked, (last) => advanceOutcome(last, world));
  return { ...after, isClean: false, taskId: task?.id ?? null };
}

const countProblems = ({ length }: readonly string[]): string => (length === 1 ? "1 problem" : `${length} problems`);

const listFindings = ({ findings, redChecks }: OutcomeReview): readonly string[] => [
  ...redChecks.map((check) => `An acceptance check is not green: ${check}`),
  ...findings.map(({ severity, description, evidence }) =>
    evidence === "" ? `(${severity}) ${description}` : `(${severity}) ${description} Seen: ${shorten(evidence, 500)}`,
  ),
];

/** Its words come from a model that has read what workers wrote. */
const newTaskFor = ({ cycle }: OutcomeReview, listed: readonly string[]) => {
  const shown = listed.slice(0, findingsMax).map((line, index) => `${index + 1}. ${line}`);
  const more = listed.length - shown.length;
  return {
    title: `Put right what review ${cycle} found`,
    description: [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join("\n"),
    priority: correctivePriority,
    madeBy: "reviewer",
    why: `Review ${cycle} found ${countProblems(listed)}`,
    isTainted: true,
  } as const;
};

function askWhetherToGoOn(
  state: OutcomeState,
  { cycle }: OutcomeReview,
  listed: readonly string[],
  world: HomrWorld,
): OutcomeMove {
  if (cycle % reviewsPerQuestion !== 0) return { state, effects: [] };
  return openEscalation(state, askAboutReviews(cycle, listed), { kind: "review", cycle }, world);
}

function logReview(
  { cycle, findings, redChecks, summary, gaps }: OutcomeReview,
  task: OutcomeTask | null,
  said: string,
) {
  const details = {
    cycle,
    summary,
    findings: findings.length,
    red_checks: redChecks.length,
    gaps,
    task_id: task?.id ?? null,
  };
  return logged({ type: "review", taskId: task?.id ?? null, cause: { kind: "review", cycle }, summary: said, details });
}

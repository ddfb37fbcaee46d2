// What the end of a run means for its task: completed, tried again while attempts are left, or failed. A run that is no longer the
// task's changes nothing. Whether something else begins now is for `advance-outcome.ts` to say, after the attempt was observed.

import type { RunId } from "../../run/run.ts";
import type { Injection } from "../context/context.ts";
import type { HomrWorld, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { followedBy, logged } from "../state-changes.ts";
import { settlePauses } from "./pausing.ts";
import { type Checkpoint, isOpenTask, type OutcomeTask } from "./task.ts";
import type { TaskId } from "./task-id.ts";
import { findTask, nameTask, shorten, withTasks } from "./task-list.ts";

/** `question`: what the run had asked; null: it was said without being asked for. */
export type SaidToRun = { readonly question: string | null; readonly text: string };

export type EndedRun = {
  readonly runId: RunId;
  readonly taskId: TaskId;
  /** `failed`: also a run that stopped at a limit or at a breaker. */
  readonly result: "completed" | "failed" | "canceled";
  readonly why: string;
  /** The end of what it said. */
  readonly tail: string;
  readonly checkpoint: Checkpoint | null;
  /** What the user said to it, oldest first: the other tasks, and the next attempt, have to know it, too. */
  readonly said: readonly SaidToRun[];
  /** Its questions, and whatever it said, may hold words of strangers. */
  readonly hasReadUntrusted: boolean;
};

/** `isLate`: the run was no longer the task's, and nothing has changed but for what the user said to it. */
export type SettledAttempt = OutcomeMove & { readonly isLate: boolean };

const whyMax = 1_000;
const tailMax = 2_000;
/** Of what was said to one run, the newest. */
const saidMax = 20;
const textMax = 1_000;
const questionMax = 300;
/** As many as the next attempt is told of. */
const failuresMax = 5;

export function settleAttempt(state: OutcomeState, ended: EndedRun, world: HomrWorld): SettledAttempt {
  const task = findTask(state, ended.taskId);
  if (task === null || task.runId !== ended.runId || !isOpenTask(task)) return settleLate(state, task, ended, world);
  const after = afterEnd(task, ended);
  const told = withWords(withTasks(state, [after]), task, ended, world);
  const move = followedBy({ state: told, effects: [] }, settlePauses);
  return { state: move.state, effects: [...move.effects, logged(describeEnd(after, ended))], isLate: false };
}

/** What a person said in one place holds in all of them. The question of a run may be a stranger's words; the answer is not. */
function withWords(
  state: OutcomeState,
  { number }: OutcomeTask,
  { said, hasReadUntrusted }: EndedRun,
  { newId, nowMs }: HomrWorld,
): OutcomeState {
  if (said.length === 0) return state;
  const injections = said.slice(-saidMax).map(({ question, text }): Injection => {
    const answer = shorten(text, textMax);
    const asked = question === null ? "" : shorten(question, questionMax);
    return {
      id: newId(),
      type: "decision",
      priority: "must_know",
      content:
        question === null
          ? `(during #${number}) ${answer}`
          : `(asked during #${number}: ${asked})\nThe answer: ${answer}`,
      audience: "every",
      reason: `The user said it while #${number} was worked on`,
      sourceTaskId: null,
      atMs: nowMs,
      isTainted: question !== null && hasReadUntrusted,
    };
  });
  return { ...state, context: { ...state.context, injections: [...state.context.injections, ...injections] } };
}

function afterEnd(
  task: OutcomeTask,
  { runId, result, why, tail, checkpoint, hasReadUntrusted }: EndedRun,
): OutcomeTask {
  const kept = checkpoint ?? task.checkpoint;
  if (result === "completed") return { ...task, status: "completed", checkpoint: kept };
  const failure = {
    attempt: task.attempts,
    runId,
    why: shorten(why, whyMax),
    tail: tail.slice(-tailMax).toWellFormed(),
    isTainted: hasReadUntrusted,
  };
  const tried: OutcomeTask = {
    ...task,
    checkpoint: kept,
    failures: [...task.failures, failure].slice(-failuresMax),
  };
  // Who canceled the run does not want to see another one begin by itself.
  if (result === "canceled") return { ...tried, status: "failed", autoRetriesLeft: 0 };
  if (task.attempts >= task.maxAttempts) return { ...tried, status: "failed" };
  return { ...tried, status: "pending", runId: null };
}

function describeEnd(task: OutcomeTask, { runId, result, why }: EndedRun) {
  const of = `attempt ${task.attempts} of ${task.maxAttempts}`;
  const said = {
    completed: `${nameTask(task)} is completed (${of})`,
    failed: `${nameTask(task)}: ${of} failed. ${shorten(why, 200)}`,
    canceled: `${nameTask(task)}: its run was canceled`,
  }[result];
  return {
    type: "supervision",
    taskId: task.id,
    cause: { kind: "supervision" },
    summary: said,
    details: { run_id: runId, result, attempt: task.attempts, status: task.status },
  } as const;
}

function settleLate(state: OutcomeState, task: OutcomeTask | null, ended: EndedRun, world: HomrWorld): SettledAttempt {
  const { runId, result, said } = ended;
  const whose = task === null ? "a task that is not there" : nameTask(task);
  // One that was settled has told its words; one that was started over, split or skipped has not.
  const isTakenAway = task !== null && (task.runId !== runId || task.status === "obsolete");
  const left = isTakenAway && said.length > 0 ? "only what you said to it is kept" : "nothing has changed";
  const summary = `A run on ${whose} ended (${result}) after it was replaced or canceled: ${left}`;
  const details = { run_id: runId, result, is_late: true };
  const activity = {
    type: "supervision",
    taskId: task?.id ?? null,
    cause: { kind: "supervision" },
    summary,
    details,
  } as const;
  const told = isTakenAway ? withWords(state, task, ended, world) : state;
  return { state: told, effects: [logged(activity)], isLate: true };
}

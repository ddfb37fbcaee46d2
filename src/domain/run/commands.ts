// What a person may do to a run. Each command says yes, with the next run and its effects, or no, with a reason they can
// act on. Of a command and a commit that meet, the one that comes second sees what the first one did.

import { type Budget, type Reached, reachedLimit } from "./budget/budget.ts";
import { describeChanges, settleAwaited } from "./checks/adopt.ts";
import { readApproval } from "./checks/approval-answer.ts";
import { append, type Effect, leaveSlot, type Move, type NewRunMessage } from "./effects.ts";
import type { NewEvent } from "./events.ts";
import { noStreaks } from "./gate/streaks.ts";
import { isMidway } from "./midway.ts";
import type { Question } from "./question.ts";
import { isToldToUser } from "./report/notification.ts";
import { isTerminal, type Run, type RunStatus, tellStatus } from "./run.ts";

export type Answered<T = Move> =
  | { readonly isDone: true; readonly move: T }
  | { readonly isDone: false; readonly why: string };

const yes = <T>(move: T): Answered<T> => ({ isDone: true, move });
const no = (why: string): Answered<never> => ({ isDone: false, why });

/** Takes the run away from its worker, whatever that still does is not committed, and ends it for now or for good. */
function takeAway(
  run: Run,
  state: Run["state"],
  event: NewEvent,
  told: Parameters<typeof leaveSlot>[0] = null,
): Answered {
  return yes({
    run: { ...run, fence: run.fence + 1, state },
    effects: [
      { kind: "drop_jobs" },
      { kind: "interrupt_iteration", iteration: state.iteration },
      append(event),
      ...leaveSlot(told),
    ],
  });
}

export function cancel(run: Run): Answered {
  const { status, iteration } = run.state;
  if (isTerminal(status)) return no(`The run is ${status} already`);
  return takeAway(run, { status: "canceled", iteration }, { type: "run_canceled", iteration });
}

/** The iteration in flight is given up; resuming does it again, without what it has already done. */
export function pause(run: Run, why = "You paused it"): Answered {
  const { status } = run.state;
  if (status !== "running" && status !== "queued")
    return no(`Only a run that is queued or running can be paused; this one is ${tellStatus(status)}`);
  return setAside(run, why, null);
}

/** Paused by the platform, which says why: the user is told. */
export function rest(run: Run, why: string): Answered {
  const { status } = run.state;
  return status === "running" || status === "queued"
    ? setAside(run, why, "stopped")
    : no(`The run is ${tellStatus(status)}`);
}

function setAside(run: Run, why: string, told: Parameters<typeof leaveSlot>[0]): Answered {
  const stopped = { iteration: run.state.iteration, reason: "paused" } as const;
  const state = { status: "stopped", ...stopped, detail: why } as const;
  const isTold = told !== null && isToldToUser(run, told);
  return takeAway(run, state, { type: "run_stopped", ...stopped, why, ...(isTold ? { is_told: true } : {}) }, told);
}

export type RaisedBudget = Partial<Budget>;

const insteadOfResume: Readonly<Record<Exclude<RunStatus, "stopped">, string>> = {
  queued: "",
  running: "",
  waiting_on_user: ": answer it",
  completed: ": start a follow-up",
  canceled: ": start a follow-up",
  failed: ": fork it to start again from its last iteration",
};

/** Goes on where it stopped, in line for a slot like any other run. Streaks begin anew: someone has looked at it. */
export function resume(run: Run, raised: RaisedBudget): Answered {
  if (run.state.status !== "stopped")
    return no(
      `Only a stopped run can be resumed; this one is ${tellStatus(run.state.status)}${insteadOfResume[run.state.status]}`,
    );
  const budget = { ...run.budget, ...raised };
  const iteration = isMidway(run.state.reason) ? run.state.iteration : run.state.iteration + 1;
  const reached = reachedLimit(budget, run.spent, iteration - 1);
  if (reached) return no(`${reached.detail}: resume it with a higher limit`);
  const event = append({ type: "run_resumed", iteration, max_iterations: budget.maxIterations });
  return yes(backInLine({ ...run, budget, streaks: noStreaks, holds: null }, iteration, [event]));
}

/** A paused run that a limit keeps from going on is over: no person is asked to raise the limit, and other tasks wait for its end. */
export function endAtLimit(run: Run): Answered {
  const { state, budget, spent } = run;
  if (state.status !== "stopped" || state.reason !== "paused")
    return no(`Only a paused run ends at its limit; this one is ${tellStatus(state.status)}`);
  const { iteration } = state;
  const reached = reachedLimit(budget, spent, iteration - 1);
  if (reached === null) return no("The run has reached no limit");
  const { reason, detail } = reached;
  const event = append({ type: "run_stopped", iteration, reason, why: detail });
  return yes({
    run: { ...run, state: { status: "stopped", iteration, reason, detail } },
    effects: [event, ...leaveSlot("stopped")],
  });
}

export type UserAnswer = { readonly questionId: string; readonly text: string };

/** Answers to the questions it waits on; all of them, so that the planner is not asked to guess the rest. */
export function respond(run: Run, answers: readonly UserAnswer[]): Answered {
  if (run.state.status !== "waiting_on_user") return no(`The run has no open question; it is ${run.state.status}`);
  const { questions } = run.state;
  const answered = new Set(answers.map(({ questionId }) => questionId));
  const unknown = answers.find(({ questionId }) => !questions.some(({ id }) => id === questionId));
  if (unknown)
    return no(`The run did not ask "${unknown.questionId}"; it asks ${questions.map(({ id }) => id).join(", ")}`);
  const open = questions.filter(({ id }) => !answered.has(id));
  if (open.length > 0) return no(`Also answer: ${open.map(({ text }) => text).join(" / ")}`);
  const asked = new Map(questions.map(({ id, text }) => [id, text]));
  const messages = answers.map(
    (answer): NewRunMessage => ({ kind: "answer", question: asked.get(answer.questionId) ?? "", ...answer }),
  );
  const keep: Effect = { kind: "keep_messages", messages };
  const isApproved = questions.some(({ id, kind }) => approvesChange(kind) && isYes(answers, id));
  const heard = { ...settleAwaited(run, isApproved), unreadMessages: run.unreadMessages + messages.length };
  const { iteration } = run.state;
  const kept = [keep, ...(isApproved ? tellApproved(run, heard) : [])];
  const reached = reachedLimit(run.budget, run.spent, iteration);
  if (reached)
    return yes(
      stopAnswered(heard, [...kept, append({ type: "run_answered", iteration, answers: toSaid(answers) })], reached),
    );
  const event = append({ type: "run_answered", iteration: iteration + 1, answers: toSaid(answers) });
  return yes(backInLine(heard, iteration + 1, [...kept, event]));
}

const toSaid = (answers: readonly UserAnswer[]) =>
  answers.map(({ questionId, text }) => ({ question_id: questionId, text }));

/** A yes to anything else approves of no change. */
const approvesChange = (kind: Question["kind"]): boolean => kind === "approve_plan" || kind === "approve_checks";

const isYes = (answers: readonly UserAnswer[], id: string): boolean =>
  answers.some(({ questionId, text }) => questionId === id && readApproval(text).kind === "approved");

function tellApproved(run: Run, { checks, lastProofs }: Run): readonly Effect[] {
  if (run.awaited === null) return [];
  const { iteration } = run.state;
  const changes = describeChanges(run, run.awaited);
  const green = checks.filter(({ id }) => lastProofs.some((proof) => proof.checkId === id && proof.isGreen)).length;
  return [
    append({ type: "checks_changed", iteration, changes, why: run.awaited.why, is_approved: true }),
    append({ type: "checks_proven", iteration, green, of: checks.length }),
  ];
}

/** It asked with the last of its budget: the answer is kept, and larger budgets are needed to go on with it. */
function stopAnswered(run: Run, effects: readonly Effect[], { reason, detail: used }: Reached): Move {
  const { iteration } = run.state;
  const why = `${used}; your answer is kept: resume it with a higher limit`;
  const event = append({ type: "run_stopped", iteration, reason, why });
  const state = { status: "stopped", iteration, reason, detail: why } as const;
  return { run: { ...run, state }, effects: [...effects, event, ...leaveSlot("stopped")] };
}

/** More than a person writes before the next iteration; the rest is told to wait. */
const unreadMax = 20;

/** A message that the next iteration has to take up. */
export function steer(run: Run, message: string): Answered {
  const { status, iteration } = run.state;
  if (isTerminal(status)) return no(`The run is ${status}; start a follow-up to go on from there`);
  if (run.unreadMessages >= unreadMax)
    return no(`${unreadMax} messages are waiting to be read: wait for the next iteration`);
  return yes({
    run: { ...run, unreadMessages: run.unreadMessages + 1 },
    effects: [
      { kind: "keep_messages", messages: [{ kind: "steer", text: message }] },
      append({ type: "run_steered", iteration, message }),
    ],
  });
}

/** Whether there is a slot is not for the run to say: admission counts under a lock (`admit_next`). */
function backInLine(run: Run, iteration: number, effects: readonly Effect[]): Move {
  const queued: Run = { ...run, state: { status: "queued", iteration, hasSlot: false } };
  return { run: queued, effects: [...effects, { kind: "admit_next" }] };
}

/** It has a slot now: its job is enqueued in the same transaction. */
export function admit(run: Run): Answered {
  if (run.state.status !== "queued" || run.state.hasSlot)
    return no(`Only a run in line can be given a slot; this one is ${tellStatus(run.state.status)}`);
  const { iteration } = run.state;
  const admitted: Run = { ...run, state: { status: "queued", iteration, hasSlot: true } };
  return yes({
    run: admitted,
    effects: [append({ type: "run_admitted", iteration }), { kind: "enqueue_iteration", iteration, notBeforeMs: null }],
  });
}

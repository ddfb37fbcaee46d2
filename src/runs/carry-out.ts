// Carries out what a change of a run brings with it, in the transaction it was decided in: the one place where effects
// become writes. Also decides nothing: what to do is in `effects`.

import type { UserId } from "../domain/identity/identity.ts";
import { admit } from "../domain/run/commands.ts";
import type { Effect, Move } from "../domain/run/effects.ts";
import type { NewEvent, UnstampedEvent } from "../domain/run/events.ts";
import { isToldToUser, notificationFor, withOpening } from "../domain/run/report/notification.ts";
import { assembleReport } from "../domain/run/report/report.ts";
import type { CheckChange, Report } from "../domain/run/report/report-shape.ts";
import { isAttemptOver, type Run } from "../domain/run/run.ts";
import { assert, unreachable } from "../lib/assert.ts";
import type { RunChange, RunTx } from "./ports/run-store.ts";

export type Limits = { readonly maxConcurrentRuns: number };

/** `lease`: what becomes of the lease, which only the caller knows. */
export async function carryOut(
  tx: RunTx,
  before: Run,
  { run, effects }: Move,
  limits: Limits,
  lease: Pick<RunChange, "lease" | "leasedBy"> = { lease: "keep", leasedBy: null },
): Promise<void> {
  const change = effects.reduce(gather, { ...noChange, ...lease, before, run, isListed: isListed(before, run) });
  const report = has(effects, "write_report") ? await reportOf(tx, run, effects) : null;
  // Jobs are let go of before the run is saved: a commit has its job before it changes its user's list, and two that took
  // the same in another order would wait for each other.
  if (has(effects, "drop_jobs")) await tx.dropJob(run.id, before.state.iteration);
  const events = effects.flatMap((effect) =>
    effect.kind === "append_event" ? [withReport(effect.event, run, report)] : [],
  );
  const { notification } = change;
  const told = notification !== null && report !== null ? withOpening(notification, report) : notification;
  await tx.save({ ...change, events, report, notification: told });
  for (const effect of effects)
    if (effect.kind === "enqueue_iteration") await tx.enqueue(run, effect.iteration, effect.notBeforeMs);
  if (run.outcomeTaskId !== null && isAttemptOver(run.state) && !isAttemptOver(before.state)) await tx.tellOutcome(run);
  if (has(effects, "admit_next")) await admitNext(tx, run.userId, limits);
}

/** The iteration that ends right now is one of those that have ended. */
async function reportOf(tx: RunTx, run: Run, effects: readonly Effect[]): Promise<Report> {
  const record = await tx.recordOf(run);
  const narrative = effects.find((effect) => effect.kind === "write_report")?.narrative ?? null;
  const iterations = record.iterations + (has(effects, "end_iteration") ? 1 : 0);
  const checkChanges = [...record.checkChanges, ...effects.flatMap(toCheckChange)];
  return assembleReport(run, { ...record, iterations, narrative, checkChanges });
}

/** What changes with this move is in no event yet. */
function toCheckChange(effect: Effect): readonly CheckChange[] {
  if (effect.kind !== "append_event" || effect.event.type !== "checks_changed" || effect.event.is_awaiting) return [];
  const { changes, why, is_approved: isApproved } = effect.event;
  return [{ changes, why, is_approved: isApproved === true }];
}

/** The last event of a run says what came of it and where the report is. */
function withReport(event: NewEvent, { id }: Run, report: Report | null): UnstampedEvent {
  if (event.type !== "run_completed" && event.type !== "run_stopped") return event;
  assert(report !== null, `${event.type} comes with a report`);
  const { summary, stopping_reason } = report;
  return { ...event, summary, stop_reason: stopping_reason, report_ref: `/homework/runs/${id}/report` };
}

/** Whether these effects give another run a slot: then the user has to be locked before the run. */
export const needsUserLock = ({ effects }: Move): boolean => has(effects, "admit_next");

const has = (effects: readonly Effect[], kind: Effect["kind"]) => effects.some((effect) => effect.kind === kind);

/** Of what a change may be beside the run itself: nothing. */
export const noChange = {
  events: [],
  attempt: null,
  ended: null,
  interrupted: null,
  proofs: [],
  messages: [],
  unheard: null,
  report: null,
  notification: null,
} as const;

/** Lists show the status, the iteration, what was spent and the place in line. A new run is its own `before`. */
const isListed = (before: Run, run: Run): boolean =>
  before === run ||
  before.state.status !== run.state.status ||
  before.state.iteration !== run.state.iteration ||
  isInLine(before) !== isInLine(run);

const isInLine = ({ state }: Run): boolean => state.status === "queued" && !state.hasSlot;

function gather(change: RunChange, effect: Effect): RunChange {
  switch (effect.kind) {
    case "begin_attempt":
      return { ...change, attempt: { iteration: effect.iteration, attempt: effect.attempt } };
    case "end_iteration":
      return { ...change, ended: effect };
    case "interrupt_iteration":
      return { ...change, interrupted: effect.iteration };
    case "keep_proofs":
      return { ...change, proofs: effect.proofs };
    case "keep_messages":
      return { ...change, messages: effect.messages };
    case "unread_messages":
      return { ...change, unheard: effect.iteration };
    case "notify_user": {
      const isTold = isToldToUser(change.run, effect.about);
      return { ...change, notification: isTold ? notificationFor(change.run, effect.about) : null, isListed: true };
    }
    case "append_event":
    case "enqueue_iteration":
    case "drop_jobs":
    case "write_report":
    case "admit_next":
      return change;
    default:
      return unreachable(effect);
  }
}

/**
 * Gives free slots to the runs that wait longest. Only with the user locked: the lock comes first, then the count, so that
 * any number of transactions at once never exceed the limit.
 */
async function admitNext(tx: RunTx, userId: UserId, limits: Limits): Promise<void> {
  const most = (await tx.maxSlots(userId)) ?? limits.maxConcurrentRuns;
  let free = most - (await tx.countSlots(userId));
  while (free > 0) {
    const next = await tx.nextInLine(userId);
    const locked = next === null ? null : await tx.lockRun(next);
    if (locked === null) return;
    const answer = admit(locked.run);
    assert(answer.isDone, `the next in line can be admitted: ${answer.isDone ? "" : answer.why}`);
    await carryOut(tx, locked.run, answer.move, limits);
    free -= 1;
  }
}

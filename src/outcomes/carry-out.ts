// Carries out what a move of an outcome brings with it, in the transaction it was decided in: the one place where effects become
// writes. Decides nothing: what to do is in `effects`. Locks: the outcome is locked already, then its user, then runs, then the feed.

import { learnFrom } from "../domain/homr/context/memory.ts";
import { notifyOfEnd, notifyOfEscalation } from "../domain/homr/outcome-notification.ts";
import type { OutcomeEffect, OutcomeMove, OutcomeState } from "../domain/homr/outcome-state.ts";
import type { Escalation } from "../domain/homr/questions/escalation.ts";
import type { TaskId } from "../domain/homr/tasks/task-id.ts";
import type { Notification } from "../domain/notification.ts";
import { type Answered, cancel, endAtLimit, pause, resume } from "../domain/run/commands.ts";
import { newRun } from "../domain/run/new-run.ts";
import type { Run } from "../domain/run/run.ts";
import { assert, unreachable } from "../lib/assert.ts";
import type { Limits } from "../runs/carry-out.ts";
import { commandRun } from "../runs/command-run.ts";
import { createRun } from "../runs/create-run.ts";
import type { Attempt, NewMemory, OutcomeChange, OutcomeTx } from "./ports/outcome-store.ts";

/** What only the caller knows of a change. */
export type Beside = Partial<Pick<OutcomeChange, "ended" | "review">>;

type Of<Kind extends OutcomeEffect["kind"]> = Extract<OutcomeEffect, { readonly kind: Kind }>;
type RunCommand = Of<"pause_run" | "resume_run" | "cancel_run">;

export async function carryOut(
  tx: OutcomeTx,
  before: OutcomeState,
  move: OutcomeMove,
  limits: Limits,
  beside: Beside = {},
): Promise<void> {
  const { state, effects } = move;
  const { id, userId } = state.outcome;
  const change = toChange(before, move, beside);
  const commands = effects.filter(isRunCommand);
  if (commands.length + change.begun.length > 0 || change.ended !== null) await tx.runs.lockUser(userId);
  await tx.save(change);
  // All of them before the first is changed: a change locks the feed, and a worker that commits has its run before the feed.
  for (const { runId } of commands) await tx.runs.lockRun(runId);
  for (const effect of effects) {
    if (isRunCommand(effect)) await commandRun(tx.runs, userId, effect.runId, commandOf(effect), limits);
    if (effect.kind === "start_run")
      await createRun(tx.runs, newRun({ ...effect.run, outcomeTaskId: effect.taskId }), limits);
  }
  await tx.tell(change);
  for (const effect of effects) {
    if (effect.kind === "resolve_escalation")
      await tx.enqueue(id, { kind: "resolve", escalationId: effect.escalationId }, null);
    if (effect.kind === "review") await tx.enqueue(id, { kind: "review" }, null);
    if (effect.kind === "look_again") await tx.enqueue(id, { kind: "look" }, effect.atMs);
  }
}

const isRunCommand = (effect: OutcomeEffect): effect is RunCommand =>
  effect.kind === "pause_run" || effect.kind === "resume_run" || effect.kind === "cancel_run";

/** A run that says no has ended or goes on already: its own transaction tells the outcome what came of it. */
function commandOf({ kind, why }: RunCommand): (run: Run) => Answered {
  switch (kind) {
    case "pause_run":
      return (run) => pause(run, why);
    case "resume_run":
      return resumeOrEnd;
    case "cancel_run":
      return cancel;
    default:
      return unreachable(kind);
  }
}

/** One that has used up what it may, while it worked or rested, has failed at its task: its end is told like any other. */
function resumeOrEnd(run: Run): Answered {
  const resumed = resume(run, {});
  if (resumed.isDone) return resumed;
  const ended = endAtLimit(run);
  return ended.isDone ? ended : resumed;
}

function toChange(before: OutcomeState, { state, effects }: OutcomeMove, beside: Beside): OutcomeChange {
  const observation = effects.find((effect) => effect.kind === "keep_observation")?.observation ?? null;
  const approach = effects.find((effect) => effect.kind === "keep_approach") ?? null;
  return {
    before,
    state,
    begun: effects.flatMap((effect) => (effect.kind === "start_run" ? [toAttempt(state, effect)] : [])),
    ended: beside.ended ?? null,
    observation,
    activities: effects.flatMap((effect) => (effect.kind === "log" ? [effect.activity] : [])),
    newApproach: approach && { text: approach.text, why: approach.why, madeBy: approach.madeBy },
    interventions: effects.flatMap((effect) => (effect.kind === "keep_intervention" ? [effect.intervention] : [])),
    review: beside.review ?? null,
    memories: effects.flatMap((effect) => (effect.kind === "promote" ? toMemories(state, effect) : [])),
    weighed: effects.flatMap((effect) => (effect.kind === "weigh_memories" ? [effect] : [])),
    notifications: effects.flatMap((effect) =>
      effect.kind === "notify_owner" ? notificationFor(state, effect, effects) : [],
    ),
  };
}

function toAttempt(state: OutcomeState, { taskId, run }: Of<"start_run">): Omit<Attempt, "state"> {
  return { taskId, attempt: taskIn(state, taskId).attempts, runId: run.id };
}

/** Compacted away meanwhile, or nothing that others would understand: then there is nothing to keep. */
function toMemories({ context }: OutcomeState, { discoveryId }: Of<"promote">): readonly NewMemory[] {
  const discovery = context.discoveries.find(({ id }) => id === discoveryId);
  const learnt = discovery === undefined ? null : learnFrom(discovery);
  if (discovery === undefined || learnt === null) return [];
  return [{ ...learnt, id: discovery.id, taskId: discovery.sourceTaskId }];
}

function taskIn({ tasks }: OutcomeState, id: TaskId) {
  const task = tasks.find((each) => each.id === id);
  assert(task !== undefined, `task ${id} is one of the outcome's`);
  return task;
}

/** An end says what led to it: the last line of the log that comes with it. */
function notificationFor(
  { outcome, escalations }: OutcomeState,
  { about, id }: Of<"notify_owner">,
  effects: readonly OutcomeEffect[],
): readonly Notification[] {
  if (about === "escalation") {
    const asked = escalations.find((each: Escalation) => each.id === id);
    return asked === undefined ? [] : [notifyOfEscalation(outcome, asked)];
  }
  const last = effects.findLast((effect) => effect.kind === "log");
  return [notifyOfEnd(outcome, about, last?.activity.summary ?? "")];
}

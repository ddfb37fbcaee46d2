// What the live views of an outcome are told of: what differs after a change from what was before. Small on purpose: a page that
// needs more asks for it.

import { z } from "zod";
import { outcomeStatuses } from "./outcome.ts";
import { activityTypes, type NewActivity, type OutcomeState } from "./outcome-state.ts";
import { type Escalation, escalationStatuses } from "./questions/escalation.ts";
import { type OutcomeTask, taskStatuses } from "./tasks/task.ts";

const whole = z.number().int();

const kinds = [
  z.object({ type: z.literal("outcome_changed"), name: z.string(), status: z.enum(outcomeStatuses) }),
  z.object({
    type: z.literal("task_changed"),
    task_id: z.uuid(),
    number: whole,
    title: z.string(),
    status: z.enum(taskStatuses),
    attempts: whole,
    run_id: z.uuid().nullable(),
    version: whole,
  }),
  z.object({
    type: z.literal("escalation_changed"),
    escalation_id: z.uuid(),
    status: z.enum(escalationStatuses),
    question: z.string(),
  }),
  z.object({
    type: z.literal("activity_logged"),
    activity: z.enum(activityTypes),
    task_id: z.uuid().nullable(),
    summary: z.string(),
  }),
] as const;

/** One of the kinds above, with the fields of its own. */
export const outcomeEvent = z.discriminatedUnion("type", kinds);
export type OutcomeEvent = Readonly<z.infer<typeof outcomeEvent>>;

/** `before` null: the outcome is new. */
export function findOutcomeEvents(
  before: OutcomeState | null,
  after: OutcomeState,
  activities: readonly NewActivity[],
): readonly OutcomeEvent[] {
  const { name, status } = after.outcome;
  const isChanged = before === null || !isSame(withoutSpent(before), withoutSpent(after));
  return [
    ...(isChanged ? [{ type: "outcome_changed" as const, name, status }] : []),
    ...findChanged(before?.tasks ?? [], after.tasks).map(toTaskEvent),
    ...findChanged(before?.escalations ?? [], after.escalations).map(toEscalationEvent),
    ...activities.map(({ type, taskId, summary }) => ({
      type: "activity_logged" as const,
      activity: type,
      task_id: taskId,
      summary,
    })),
  ];
}

/** Money is counted by the ledger, call by call: no news of its own. */
const withoutSpent = ({ outcome: { spent: _, ...rest } }: OutcomeState) => rest;

const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other);

function findChanged<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]): readonly T[] {
  const known = new Map(before.map((one) => [one.id, one]));
  return after.filter((one) => !isSame(known.get(one.id), one));
}

const toTaskEvent = (task: OutcomeTask): OutcomeEvent => ({
  type: "task_changed",
  task_id: task.id,
  number: task.number,
  title: task.title,
  status: task.status,
  attempts: task.attempts,
  run_id: task.runId,
  version: task.version,
});

const toEscalationEvent = ({ id, state, question }: Escalation): OutcomeEvent => ({
  type: "escalation_changed",
  escalation_id: id,
  status: state.status,
  question,
});

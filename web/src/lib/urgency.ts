// What is urgent: open before closed, then by priority, then by due date. Pure.

import type { EntitySummary } from "../../../src/protocol/api.ts";
import { dayOf, daysUntil } from "./dates.ts";

const closedStates = new Set(["done", "obsolete", "achieved", "abandoned", "completed", "missed", "archived"]);

export const isClosed = ({ state_key: state }: Pick<EntitySummary, "state_key">): boolean => closedStates.has(state);

type Urgent = Pick<EntitySummary, "state_key" | "priority" | "due_at">;

/** Without a priority or a date comes after those that have one. */
export function compareUrgency(one: Urgent, other: Urgent): number {
  return (
    Number(isClosed(one)) - Number(isClosed(other)) ||
    (one.priority ?? 9) - (other.priority ?? 9) ||
    dueMs(one) - dueMs(other) ||
    0
  );
}

const latest = 8_640_000_000_000_000;
const dueMs = ({ due_at: due }: Urgent) => (due === null ? latest : Date.parse(due));

/** `due Mar 1, 2026, in 3 days`; how far off matters only while it is open. Null without a date. */
export function describeDue(entity: Urgent, nowMs: number): string | null {
  if (entity.due_at === null) return null;
  return `due ${dayOf(entity.due_at)}${isClosed(entity) ? "" : `, ${daysUntil(entity.due_at, nowMs)}`}`;
}

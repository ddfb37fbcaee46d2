// Keys on the board: arrows go from card to card, with Shift they move the card within the queue.

import type { KeyboardEvent } from "react";
import type { Column, Step } from "./board-order.ts";

/** Where the arrow leads from a card; null: nowhere. */
function neighbourOf(columns: readonly Column[], taskId: string, key: string): string | null {
  const across = columns.filter(({ tasks }) => tasks.length > 0);
  const at = across.findIndex(({ tasks }) => tasks.some(({ id }) => id === taskId));
  const column = across[at]?.tasks ?? [];
  const place = column.findIndex(({ id }) => id === taskId);
  switch (key) {
    case "ArrowUp":
      return column[place - 1]?.id ?? null;
    case "ArrowDown":
      return column[place + 1]?.id ?? null;
    case "ArrowLeft":
      return nearest(across[at - 1], place);
    case "ArrowRight":
      return nearest(across[at + 1], place);
    default:
      return null;
  }
}

const nearest = (column: Column | undefined, place: number): string | null =>
  column?.tasks[Math.min(place, column.tasks.length - 1)]?.id ?? null;

const steps: Readonly<Record<string, Step>> = { ArrowUp: "earlier", ArrowDown: "later" };

export const cardOf = (board: Element | null, taskId: string): HTMLElement | null =>
  board?.querySelector<HTMLElement>(`[data-board-task="${taskId}"]`) ?? null;

export function handleBoardKey(
  event: KeyboardEvent<HTMLElement>,
  columns: readonly Column[],
  onStep: (taskId: string, step: Step) => void,
): void {
  const taskId = event.target instanceof HTMLElement ? event.target.dataset.boardTask : undefined;
  if (taskId === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = event.shiftKey ? steps[event.key] : undefined;
  if (step !== undefined) {
    event.preventDefault();
    onStep(taskId, step);
    return;
  }
  const next = event.shiftKey ? null : neighbourOf(columns, taskId, event.key);
  if (next === null) return;
  event.preventDefault();
  cardOf(event.currentTarget, next)?.focus();
}

// Moving tasks within the queue: a step up or down, or to a priority. The card keeps the focus, and what happened is said.

import { type RefObject, useEffect, useRef, useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { cardOf } from "./board-keys.ts";
import { type Column, priorityAfterStep, type Step } from "./board-order.ts";
import { nameTask } from "./task-words.ts";
import { useTaskActions } from "./use-task-actions.ts";

export function useQueueMoves(
  board: RefObject<HTMLElement | null>,
  tasks: readonly OutcomeTask[],
  columns: readonly Column[],
) {
  const { setPriority } = useTaskActions();
  const [said, setSaid] = useState("");
  const moved = useRef<string | null>(null);
  // A card that changes its place loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new tasks are what moves cards
  useEffect(() => {
    const taskId = moved.current;
    moved.current = null;
    const isNowhere = document.activeElement === null || document.activeElement === document.body;
    if (taskId !== null && isNowhere) cardOf(board.current, taskId)?.focus();
  }, [tasks, board]);

  const queue = columns.find(({ status }) => status === "pending")?.tasks ?? [];
  const moveTo = (task: OutcomeTask, priority: number | null) => {
    if (priority === null || setPriority.isPending) return;
    moved.current = task.id;
    setPriority.mutate(
      { task, priority },
      { onSuccess: (saved) => setSaid(`${nameTask(saved)}: priority ${saved.priority}`) },
    );
  };
  const step = (taskId: string, direction: Step) => {
    const task = queue.find(({ id }) => id === taskId);
    if (task) moveTo(task, priorityAfterStep(queue, task, direction));
  };
  const stepsOf = (task: OutcomeTask): Readonly<Record<Step, (() => void) | null>> => {
    const stepper = (direction: Step) =>
      priorityAfterStep(queue, task, direction) === null ? null : () => step(task.id, direction);
    return { earlier: stepper("earlier"), later: stepper("later") };
  };
  return { said, moveTo, step, stepsOf };
}

// All tasks in columns by status. A card is moved by dragging, by its menu or by keys: up and down in the queue, back into it to start
// over, out of the way to skip it. On a narrow screen the columns stand below each other.

import { Text, VisuallyHidden } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { BoardColumn } from "./board-column.tsx";
import { handleBoardKey } from "./board-keys.ts";
import { actionOfMove, type Column, priorityBefore, toColumns } from "./board-order.ts";
import { type CardDrag, TaskCard } from "./task-card.tsx";
import { TaskMenu } from "./task-menu.tsx";
import type { TaskStatus } from "./task-words.ts";
import { useOutcomeFacts } from "./use-outcome-facts.ts";
import { useQueueMoves } from "./use-queue-moves.ts";
import { useTaskDialogs } from "./use-task-dialogs.tsx";
import "./tasks.css";

export function TaskBoard({ tasks }: { readonly tasks: readonly OutcomeTask[] }) {
  const facts = useOutcomeFacts();
  const board = useRef<HTMLElement>(null);
  const [dragged, setDragged] = useState<OutcomeTask | null>(null);
  const [dialogs, dialog] = useTaskDialogs();
  const columns = withSkipTarget(toColumns(tasks), dragged);
  const moves = useQueueMoves(board, tasks, columns);

  const dropOn = (status: TaskStatus) => {
    const action = dragged && actionOfMove(dragged, status);
    if (dragged && action === "skip") dialogs.skip(dragged);
    if (dragged && action === "retry") dialogs.startOver(dragged);
    setDragged(null);
  };
  const dragOf = (task: OutcomeTask): CardDrag => ({
    draggable: task.status !== "completed" && task.status !== "obsolete",
    onDragStart: (event) => {
      event.dataTransfer.setData("text/plain", `#${task.number}`);
      setDragged(task);
    },
    onDragEnd: () => setDragged(null),
    onDragOver: (event) => isReorder(dragged, task) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      if (!dragged || !isReorder(dragged, task)) return;
      event.preventDefault();
      event.stopPropagation();
      moves.moveTo(dragged, priorityBefore(task));
      setDragged(null);
    },
  });
  return (
    <>
      <section
        ref={board}
        className="board"
        aria-label="Task board"
        onKeyDown={(event) => handleBoardKey(event, columns, moves.step)}
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            isTarget={dragged !== null && actionOfMove(dragged, column.status) !== null}
            onDrop={() => dropOn(column.status)}
            card={(task) => (
              <TaskCard
                key={task.id}
                task={task}
                tasks={tasks}
                facts={facts}
                drag={dragOf(task)}
                dialogs={dialogs}
                menu={
                  <TaskMenu
                    task={task}
                    dialogs={dialogs}
                    onStep={moves.stepsOf(task)}
                    onPriority={(priority) => moves.moveTo(task, priority)}
                  />
                }
              />
            )}
          />
        ))}
      </section>
      <Text size="xs" c="dimmed" mt="sm" className="keys-hint">
        Arrow keys go from task to task. Shift + ↑ or ↓ moves a queued task up or down.
      </Text>
      <VisuallyHidden role="status">{moves.said}</VisuallyHidden>
      {dialog}
    </>
  );
}

/** Dropped on another card of the queue: it begins before that one. */
const isReorder = (dragged: OutcomeTask | null, onto: OutcomeTask): boolean =>
  dragged !== null && dragged.id !== onto.id && dragged.status === "pending" && onto.status === "pending";

/** While a card is dragged, there is a place to skip it. */
function withSkipTarget(columns: readonly Column[], dragged: OutcomeTask | null): readonly Column[] {
  if (dragged === null || columns.some(({ status }) => status === "obsolete")) return columns;
  return [...columns, { status: "obsolete", tasks: [] }];
}

// A task in the picture of dependencies: a link with its number, title and status.

import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { listNumbers, taskStatusWords } from "./task-words.ts";

type GraphNodeProps = {
  readonly task: OutcomeTask;
  readonly tasks: readonly OutcomeTask[];
  readonly onNear?: (taskId: string | null) => void;
};

export function GraphNode({ task, tasks, onNear }: GraphNodeProps) {
  const before = tasks.filter(({ id }) => task.depends_on.includes(id));
  return (
    <Link
      to="."
      search={(old) => ({ ...old, task: task.id })}
      resetScroll={false}
      className="graph-node"
      data-status={task.status}
      data-graph-task={task.id}
      title={`#${task.number} ${task.title}`}
      onFocus={() => onNear?.(task.id)}
      onBlur={() => onNear?.(null)}
      onMouseEnter={() => onNear?.(task.id)}
      onMouseLeave={() => onNear?.(null)}
    >
      <span className="status-mark" data-status={task.status} aria-hidden />
      <span className="graph-title" dir="auto">
        #{task.number} {task.title}
      </span>
      <VisuallyHidden>
        , {taskStatusWords[task.status]}
        {before.length > 0 ? `, waits for ${listNumbers(before)}` : ""}
      </VisuallyHidden>
    </Link>
  );
}

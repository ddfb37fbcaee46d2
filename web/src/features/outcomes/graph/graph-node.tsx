// A task in the picture of dependencies: a link with its number, status and title.

import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { listNumbers, taskStatusWords } from "../tasks/task-words.ts";

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
      <span className="graph-state">
        <span className="status-mark" data-status={task.status} aria-hidden />#{task.number}{" "}
        {taskStatusWords[task.status]}
      </span>{" "}
      <span className="graph-title" dir="auto">
        {task.title}
      </span>
      {before.length > 0 ? <VisuallyHidden>, waits for {listNumbers(before)}</VisuallyHidden> : null}
    </Link>
  );
}

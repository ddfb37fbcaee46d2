// A task in the picture of dependencies: a link with its number, status and title.

import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { outcomeTaskWords } from "../../../../../src/protocol/words/outcome.ts";
import { isSettled, listNumbers } from "../tasks/task-words.ts";

type GraphNodeProps = {
  readonly task: OutcomeTask;
  readonly tasks: readonly OutcomeTask[];
  /** Tasks that failed or wait for the user, and because of which this one cannot begin. */
  readonly heldUpBy: readonly OutcomeTask[];
  readonly onNear?: (taskId: string | null) => void;
};

export function GraphNode({ task, tasks, heldUpBy, onNear }: GraphNodeProps) {
  const before = tasks.filter(({ id }) => task.depends_on.includes(id));
  return (
    <Link
      to="."
      search={(old) => ({ ...old, task: task.id })}
      resetScroll={false}
      className="graph-node"
      data-status={task.status}
      data-held={heldUpBy.some(({ status }) => status === "failed") ? "failed" : heldUpBy[0]?.status}
      data-graph-task={task.id}
      title={`#${task.number} ${task.title}`}
      onFocus={() => onNear?.(task.id)}
      onBlur={() => onNear?.(null)}
      onMouseEnter={() => onNear?.(task.id)}
      onMouseLeave={() => onNear?.(null)}
    >
      <span className="graph-state">
        <span className="status-mark" data-status={task.status} aria-hidden />#{task.number}{" "}
        {stateWords(task, before, heldUpBy)}
      </span>{" "}
      <span className="graph-title" dir="auto">
        {task.title}
      </span>
      {before.length > 0 ? <VisuallyHidden>, waits for {listNumbers(before)}</VisuallyHidden> : null}
    </Link>
  );
}

/** Of those that are queued, which ones could begin at once is told apart. */
function stateWords({ status }: OutcomeTask, before: readonly OutcomeTask[], heldUpBy: readonly OutcomeTask[]): string {
  if (status !== "pending") return outcomeTaskWords[status];
  if (heldUpBy.length > 0) return `Held up by ${listNumbers(heldUpBy)}`;
  return before.every(isSettled) ? outcomeTaskWords.pending : "Waiting for others";
}

// The status of a task as a small coloured word.

import { Badge } from "@mantine/core";
import { outcomeTaskWords } from "../../../../../src/protocol/words/outcome.ts";
import { type TaskStatus, taskStatusColors } from "./task-words.ts";

export function TaskStatusBadge({ status }: { readonly status: TaskStatus }) {
  return (
    <Badge
      variant={status === "paused" ? "filled" : "light"}
      color={taskStatusColors[status]}
      tt="none"
      fw={600}
      autoContrast
      className="unshrinkable"
      leftSection={status === "running" ? <span className="live-dot" aria-hidden /> : null}
    >
      {outcomeTaskWords[status]}
    </Badge>
  );
}

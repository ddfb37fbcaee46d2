// The status of a run as a small coloured word; one that runs has a dot that breathes, one that waits for its user is filled.

import { Badge } from "@mantine/core";
import { runStatusWord } from "../../../src/protocol/words/run-status.ts";
import { type RunStatus, runStatusColors } from "./run-words.ts";

type RunStatusBadgeProps = {
  readonly status: RunStatus;
  /** Stopped by its user. */
  readonly isPaused?: boolean;
  /** What it wrote was taken back. */
  readonly isUndone?: boolean;
};

export function RunStatusBadge({ status, isPaused = false, isUndone = false }: RunStatusBadgeProps) {
  if (isUndone)
    return (
      <Badge variant="light" color="gray" tt="none" fw={600} className="unshrinkable">
        Undone
      </Badge>
    );
  return (
    <Badge
      variant={status === "waiting_on_user" ? "filled" : "light"}
      color={runStatusColors[status]}
      tt="none"
      fw={600}
      autoContrast
      className="unshrinkable"
      leftSection={status === "running" ? <span className="live-dot" aria-hidden /> : null}
    >
      {runStatusWord(status, isPaused)}
    </Badge>
  );
}

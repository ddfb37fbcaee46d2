// The status of an outcome as a small coloured word. One that waits for its owner says so, whatever its status.

import { Badge } from "@mantine/core";
import type { OutcomeSummary } from "../../../../src/protocol/api.ts";
import { outcomeStatusWords } from "../../../../src/protocol/words/outcome.ts";
import { tone } from "../../lib/tones.ts";
import { countQuestions, outcomeStatusColors } from "./outcome-words.ts";

type OutcomeStatusBadgeProps = {
  readonly outcome: Pick<OutcomeSummary, "status" | "open_escalations" | "waiting_runs" | "is_drafting" | "tasks">;
};

export function OutcomeStatusBadge({ outcome }: OutcomeStatusBadgeProps) {
  const { status } = outcome;
  const needsYou = countQuestions(outcome) > 0;
  const isLive = outcome.is_drafting || (status === "active" && outcome.tasks.running > 0);
  const word = outcome.is_drafting ? "Drafting" : outcomeStatusWords[status];
  return (
    <Badge
      variant={needsYou ? "filled" : "light"}
      color={needsYou ? tone.needsYou : outcome.is_drafting ? tone.atWork : outcomeStatusColors[status]}
      tt="none"
      fw={600}
      className="unshrinkable"
      leftSection={!needsYou && isLive ? <span className="live-dot" aria-hidden /> : null}
    >
      {needsYou ? "Needs you" : word}
    </Badge>
  );
}

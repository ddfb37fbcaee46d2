// Questions of outcomes on the home page: how many there are, and the way to them. Runs are listed one by one below.

import { Paper, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import { counted } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { ButtonLink } from "../../../ui/links.tsx";

export function OutcomeQuestions({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <Paper withBorder component="section" aria-label="Questions of your outcomes" className="row listed-run needs-you">
      <div className="run-question">
        <IconMessageQuestion size={20} aria-hidden className="unshrinkable" />
        <Text size="sm" fw={600}>
          Your outcomes have {counted(count, "question")} for you.
        </Text>
        <ButtonLink to="/outcomes" size="xs" color={tone.needsYou}>
          Answer in Outcomes
        </ButtonLink>
      </div>
    </Paper>
  );
}

// One outcome in the list: what it is about, how it stands, what it asks, how far it is and what it cost.

import { Group, Paper, Progress, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import type { Escalation, OutcomeSummary } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { Time } from "../../../ui/time.tsx";
import { OutcomeStatusBadge } from "../outcome-status-badge.tsx";
import { costWords, countQuestions, progressWords, taskProgress } from "../outcome-words.ts";

type OutcomeRowProps = {
  readonly outcome: OutcomeSummary;
  /** The question that waits longest, where it is known. */
  readonly question: Escalation | undefined;
};

export function OutcomeRow({ outcome, question }: OutcomeRowProps) {
  const needsUser = countQuestions(outcome) > 0;
  const { done, of } = taskProgress(outcome);
  return (
    <Paper component="li" withBorder className={`row outcome-row ${needsUser ? "outcome-needs-you" : ""}`}>
      <div className="outcome-row-head">
        <AnchorLink
          to="/outcomes/$outcomeId"
          params={{ outcomeId: outcome.id }}
          fw={600}
          lineClamp={2}
          className="breakable"
          dir="auto"
        >
          {outcome.name}
        </AnchorLink>
        <OutcomeStatusBadge outcome={outcome} />
      </div>
      {needsUser ? <Question outcome={outcome} question={question} /> : <Latest outcome={outcome} />}
      {of > 0 ? (
        <Progress
          value={(done / of) * 100}
          size="sm"
          color={outcome.status === "achieved" ? "green" : "blue"}
          aria-label={`Progress of ${outcome.name.slice(0, 100)}`}
        />
      ) : null}
      <Text component="div" size="xs" c="dimmed" className="outcome-facts">
        <span>{progressWords(outcome) ?? (outcome.is_drafting ? "HOMЯ is drafting the plan" : "No tasks yet")}</span>
        <span>{costWords(outcome, null).spent}</span>
        <span>
          Updated <Time at={outcome.updated_at} />
        </span>
      </Text>
    </Paper>
  );
}

function Latest({ outcome: { latest } }: Pick<OutcomeRowProps, "outcome">) {
  if (latest === null) return null;
  return (
    <Text size="sm" c="dimmed" lineClamp={1} className="breakable" dir="auto">
      {latest.summary}
    </Text>
  );
}

function Question({ outcome, question }: OutcomeRowProps) {
  const { id, name } = outcome;
  const count = countQuestions(outcome);
  return (
    <div className="outcome-question">
      <IconMessageQuestion size={20} aria-hidden className="unshrinkable" />
      <Text size="sm" fw={600} lineClamp={3} className="breakable" dir="auto">
        {question?.question.text ?? `${counted(count, "question")} for you.`}
      </Text>
      <Group gap="xs">
        {count > 1 ? (
          <Text size="xs" c="dimmed">
            {count - 1} more
          </Text>
        ) : null}
        <ButtonLink
          to="/outcomes/$outcomeId"
          params={{ outcomeId: id }}
          search={question === undefined ? {} : { escalation: question.id }}
          size="sm"
          color={tone.needsYou}
          aria-label={`Answer: ${name.slice(0, 100)}`}
        >
          Answer
        </ButtonLink>
      </Group>
    </div>
  );
}

// The attempts at a task, newest first: how each ended, its run, what HOMЯ saw in it, and what its prompts said of the outcome.

import { Badge, Group, Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Observation, OutcomeTaskDetail } from "../../../../../src/protocol/api.ts";
import { cost, duration } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { Time } from "../../../ui/time.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { AttemptBriefs } from "./attempt-briefs.tsx";
import { ObservationView } from "./observation-view.tsx";
import { taskObservationsQuery } from "./task-queries.ts";
import { TaskSection } from "./task-section.tsx";
import { attemptWords } from "./task-words.ts";

type Attempt = OutcomeTaskDetail["runs"][number];

export function TaskAttempts({ task }: { readonly task: OutcomeTaskDetail }) {
  const { id } = useOutcome();
  const observations = useQuery(taskObservationsQuery(id, task.id)).data ?? [];
  return (
    <TaskSection title="Attempts">
      {task.runs.length === 0 ? (
        <Text size="sm" c="dimmed">
          Not started yet
        </Text>
      ) : (
        <Stack component="ol" gap="sm" className="plain-list">
          {task.runs.toReversed().map((attempt) => (
            <AttemptRow
              key={attempt.run_id}
              task={task}
              attempt={attempt}
              observation={observations.find((each) => each.attempt === attempt.attempt)}
            />
          ))}
        </Stack>
      )}
    </TaskSection>
  );
}

const colors = { running: tone.atWork, completed: tone.passed, failed: tone.failure, canceled: tone.plain } as const;

type AttemptRowProps = {
  readonly task: OutcomeTaskDetail;
  readonly attempt: Attempt;
  readonly observation: Observation | undefined;
};

function AttemptRow({ task, attempt, observation }: AttemptRowProps) {
  const { attempt: number, state, run_id: runId, why } = attempt;
  return (
    <Paper component="li" withBorder p="sm" aria-label={`Attempt ${number}`}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Text fw={600} size="sm">
              Attempt {number}
            </Text>
            <Badge variant="light" color={colors[state]} tt="none">
              {attemptWords[state]}
            </Badge>
          </Group>
          <AnchorLink size="sm" underline="always" to="/homework/runs/$runId" params={{ runId }}>
            Open run
          </AnchorLink>
        </Group>
        <Text size="xs" c="dimmed">
          Started <Time at={attempt.started_at} />
          {attempt.ended_at === null ? "" : ` · took ${tookWords(attempt.started_at, attempt.ended_at)}`}
          {` · ${cost(attempt.cost_micro_usd, attempt.unpriced_calls)}`}
        </Text>
        {why === "" ? null : (
          <Text size="sm" className="breakable" dir="auto">
            {why}
          </Text>
        )}
        {observation ? (
          <ObservationView observation={observation} />
        ) : state === "running" ? null : (
          <Text size="sm" c="dimmed">
            HOMЯ has not looked at this attempt.
          </Text>
        )}
        <AttemptBriefs taskId={task.id} runId={runId} />
      </Stack>
    </Paper>
  );
}

const tookWords = (from: string, to: string) => duration(Date.parse(to) - Date.parse(from));

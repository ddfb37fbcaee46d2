// Runs on tasks that have asked the reader something: each is answered on its own page.

import { Group, Paper, Stack, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { tone } from "../../../lib/tones.ts";
import { ButtonLink } from "../../../ui/links.tsx";
import { useOutcome } from "../outcome-context.tsx";

export function AskingRuns() {
  const { id } = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(id)).data ?? [];
  const asking = tasks.filter(({ run_status: status }) => status === "waiting_on_user");
  if (asking.length === 0) return null;
  return (
    <Stack component="ul" gap="xs" className="plain-list" aria-label="Tasks that need you">
      {asking.map((task) => (
        <Paper key={task.id} component="li" withBorder p="md" className="outcome-needs-you">
          <Group gap="sm" wrap="nowrap">
            <IconMessageQuestion size={24} aria-hidden className="unshrinkable" />
            <Text fw={600} className="grow breakable" dir="auto">
              Task #{task.number} is waiting for your answer: {task.title}
            </Text>
            {task.run_id === null ? null : (
              <ButtonLink
                to="/homework/runs/$runId"
                params={{ runId: task.run_id }}
                color={tone.needsYou}
                aria-label={`Answer task #${task.number}`}
              >
                Answer
              </ButtonLink>
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

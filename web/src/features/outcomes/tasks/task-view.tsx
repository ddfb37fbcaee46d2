// All of one task, from top to bottom.

import { Alert, Group, Stack, Text, Title } from "@mantine/core";
import type { OutcomeTask, OutcomeTaskDetail } from "../../../../../src/protocol/api.ts";
import { ButtonLink } from "../../../ui/links.tsx";
import { Time } from "../../../ui/time.tsx";
import { TaskAttempts } from "./task-attempts.tsx";
import { TaskButtons } from "./task-buttons.tsx";
import { TaskDependencies } from "./task-dependencies.tsx";
import { TaskGates } from "./task-gates.tsx";
import { TaskSection } from "./task-section.tsx";
import { TaskStatusBadge } from "./task-status-badge.tsx";
import { failureWords, isSettled, originWords, priorityWord } from "./task-words.ts";
import { useOutcomeFacts } from "./use-outcome-facts.ts";
import { WaitLines } from "./wait-lines.tsx";

type TaskViewProps = { readonly task: OutcomeTaskDetail; readonly tasks: readonly OutcomeTask[] };

export function TaskView({ task, tasks }: TaskViewProps) {
  const facts = useOutcomeFacts();
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Group gap="xs" align="flex-start">
          <Title order={3} size="h4" className="breakable" dir="auto">
            {task.title}
          </Title>
          <TaskStatusBadge status={task.status} />
        </Group>
        <Text size="xs" c="dimmed">
          {originWords(task, tasks)} · <Time at={task.created_at} />
          {isSettled(task) ? "" : ` · ${priorityWord(task.priority)} priority`} · {attemptWords(task)}
        </Text>
        <WaitLines task={task} tasks={tasks} facts={facts} />
        {task.status === "failed" && task.failure ? (
          <Text size="sm" className="breakable" dir="auto">
            {failureWords(task.failure)}
          </Text>
        ) : null}
        {task.status === "completed" && task.run_id !== null ? (
          <div>
            <ButtonLink size="xs" to="/homework/runs/$runId" params={{ runId: task.run_id }}>
              Open result
            </ButtonLink>
          </div>
        ) : null}
        {task.why === null ? null : (
          <Alert color="gray" p="xs">
            <Text size="sm" className="breakable" dir="auto">
              {task.why}
            </Text>
          </Alert>
        )}
        <TaskButtons task={task} />
      </Stack>
      {task.description === "" ? null : (
        <TaskSection title="Description">
          <Text size="sm" className="pre-wrap" dir="auto">
            {task.description}
          </Text>
        </TaskSection>
      )}
      {/* One key at both places: what is open in an attempt stays open when the task ends. */}
      {isSettled(task) ? <TaskAttempts key="attempts" task={task} /> : null}
      <TaskGates task={task} />
      <TaskDependencies task={task} tasks={tasks} />
      <TaskChecksList task={task} />
      <Checkpoint task={task} />
      {isSettled(task) ? null : <TaskAttempts key="attempts" task={task} />}
    </Stack>
  );
}

const attemptWords = ({ attempts, max_attempts: most }: OutcomeTask): string =>
  attempts === 0 ? `up to ${most} attempts` : `${attempts} of ${most} attempts used`;

function TaskChecksList({ task: { completion_criteria: checks } }: { readonly task: OutcomeTask }) {
  return (
    <TaskSection title="Checks">
      {checks.length === 0 ? (
        <Text size="sm" c="dimmed">
          None of its own. HOMЯ checks the result against what you asked for.
        </Text>
      ) : (
        <ul className="task-lines">
          {checks.map(({ id, about }) => (
            <Text key={id} component="li" size="sm" className="breakable" dir="auto">
              {about}
            </Text>
          ))}
        </ul>
      )}
    </TaskSection>
  );
}

function Checkpoint({ task: { checkpoint } }: { readonly task: OutcomeTask }) {
  if (checkpoint === null) return null;
  return (
    <TaskSection title="Where the last attempt got to">
      <Text size="sm" className="pre-wrap" dir="auto">
        {checkpoint.summary}
      </Text>
      {checkpoint.remaining.length > 0 ? (
        <>
          <Text size="sm" fw={600}>
            Left to do
          </Text>
          <ul className="task-lines">
            {checkpoint.remaining.map((line) => (
              <Text key={line} component="li" size="sm" className="breakable" dir="auto">
                {line}
              </Text>
            ))}
          </ul>
        </>
      ) : null}
    </TaskSection>
  );
}

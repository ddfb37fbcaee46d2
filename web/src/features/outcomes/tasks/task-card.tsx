// A task on the board: its name, why it waits or how far it is, and what can be done to it.

import { Group, Paper, Text } from "@mantine/core";
import type { DragEvent, ReactNode } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { TaskStep } from "./task-step.tsx";
import { failureWords, originWords, priorityWord } from "./task-words.ts";
import type { TaskDialogs } from "./use-task-dialogs.tsx";
import { WaitLines } from "./wait-lines.tsx";
import { isGateDue, type OutcomeFacts } from "./wait-reasons.ts";

export type CardDrag = {
  readonly draggable: boolean;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragEnd: () => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
};

type TaskCardProps = {
  readonly task: OutcomeTask;
  readonly tasks: readonly OutcomeTask[];
  readonly facts: OutcomeFacts;
  readonly drag: CardDrag;
  readonly menu: ReactNode;
  readonly dialogs: TaskDialogs;
};

export function TaskCard({ task, tasks, facts, drag, menu, dialogs }: TaskCardProps) {
  return (
    <Paper component="li" withBorder className="task-card" {...drag}>
      <Group justify="space-between" wrap="nowrap" gap={4} align="flex-start">
        <AnchorLink
          to="."
          search={(before) => ({ ...before, task: task.id })}
          resetScroll={false}
          draggable={false}
          size="sm"
          fw={500}
          c="var(--mantine-color-text)"
          className="grow breakable"
          dir="auto"
          data-board-task={task.id}
        >
          <Text span size="sm" c="dimmed">
            #{task.number}
          </Text>{" "}
          {task.title}
        </AnchorLink>
        {menu}
      </Group>
      <WaitLines task={task} tasks={tasks} facts={facts} />
      {task.status === "failed" && task.failure !== null ? (
        <Text size="xs" lineClamp={10} className="breakable" dir="auto">
          {failureWords(task.failure)}
        </Text>
      ) : null}
      <Text size="xs" c="dimmed" className="breakable">
        {footWords(task, tasks)}
      </Text>
      {task.status === "running" && task.run_id !== null ? (
        <AnchorLink size="xs" underline="always" to="/homework/runs/$runId" params={{ runId: task.run_id }}>
          Open run of #{task.number}
        </AnchorLink>
      ) : null}
      <TaskStep
        task={task}
        dialogs={dialogs}
        isGateDue={isGateDue(task, tasks, facts)}
        withLooks={task.status === "completed"}
      />
    </Paper>
  );
}

const attemptsWords = ({ status, attempts, max_attempts: most }: OutcomeTask): string =>
  status === "failed" ? `${attempts} of ${most} attempts failed` : `Attempt ${attempts} of ${most}`;

function footWords(task: OutcomeTask, tasks: readonly OutcomeTask[]): string {
  const { status, attempts, priority } = task;
  const isOpen = status !== "completed" && status !== "obsolete";
  return [
    ...(isOpen && priority !== 100 ? [`${priorityWord(priority)} priority`] : []),
    ...(isOpen && attempts > 0 ? [attemptsWords(task)] : []),
    ...(status === "obsolete" && task.why !== null ? [task.why] : []),
    ...(task.made_by === "homr" || task.made_by === "reviewer" || task.split_of !== null
      ? [originWords(task, tasks)]
      : []),
  ].join(" · ");
}

// What can be done to a task that is open beside the page.

import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsSplit, IconCircleMinus, IconPencil, IconRefresh } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import type { OutcomeTaskDetail } from "../../../../../src/protocol/api.ts";
import { canStartOver } from "./board-order.ts";
import { isSettled } from "./task-words.ts";
import { type TaskDialogs, useTaskDialogs } from "./use-task-dialogs.tsx";

const EditTaskModal = lazy(async () => ({ default: (await import("./edit-task-modal.tsx")).EditTaskModal }));

export function TaskButtons({ task }: { readonly task: OutcomeTaskDetail }) {
  const [isEditing, editing] = useDisclosure(false);
  const [dialogs, dialog] = useTaskDialogs();
  return (
    <>
      {isSettled(task) ? null : <Actions task={task} onEdit={editing.open} dialogs={dialogs} />}
      {/* What is open stays when the task ends: what was typed is not lost. */}
      <Suspense fallback={null}>{isEditing ? <EditTaskModal task={task} onClose={editing.close} /> : null}</Suspense>
      {dialog}
    </>
  );
}

type ActionsProps = {
  readonly task: OutcomeTaskDetail;
  readonly onEdit: () => void;
  readonly dialogs: TaskDialogs;
};

function Actions({ task, onEdit, dialogs }: ActionsProps) {
  return (
    <Group gap="xs" role="group" aria-label="Task actions">
      <Button size="xs" leftSection={<IconPencil size={14} aria-hidden />} onClick={onEdit}>
        Edit
      </Button>
      {canStartOver(task) ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => dialogs.startOver(task)}
        >
          {task.status === "failed" ? "Try again" : "Start over"}
        </Button>
      ) : null}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowsSplit size={14} aria-hidden />}
        onClick={() => dialogs.split(task)}
      >
        Split
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCircleMinus size={14} aria-hidden />}
        onClick={() => dialogs.skip(task)}
      >
        Skip
      </Button>
    </Group>
  );
}

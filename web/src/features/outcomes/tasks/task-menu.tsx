// What can be done to a task, from its card.

import { ActionIcon, Menu } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowsSplit,
  IconArrowUp,
  IconCircleMinus,
  IconDots,
  IconFlag,
  IconRefresh,
} from "@tabler/icons-react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { canStartOver, type Step } from "./board-order.ts";
import { isSettled, nameTask, priorityPresets } from "./task-words.ts";
import type { TaskDialogs } from "./use-task-dialogs.tsx";

type TaskMenuProps = {
  readonly task: OutcomeTask;
  readonly dialogs: TaskDialogs;
  /** Null: the task cannot be moved that way. */
  readonly onStep: Readonly<Record<Step, (() => void) | null>>;
  readonly onPriority: (priority: number) => void;
};

export function TaskMenu({ task, dialogs, onStep, onPriority }: TaskMenuProps) {
  if (isSettled(task)) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Actions for ${nameTask(task)}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {task.status === "pending" ? <MoveItems onStep={onStep} /> : null}
        <PriorityItems task={task} onPriority={onPriority} />
        <Menu.Divider />
        {canStartOver(task) ? (
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => dialogs.startOver(task)}>
            {task.status === "failed" ? "Try again" : "Start over…"}
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconArrowsSplit size={16} aria-hidden />} onClick={() => dialogs.split(task)}>
          Split…
        </Menu.Item>
        <Menu.Item leftSection={<IconCircleMinus size={16} aria-hidden />} onClick={() => dialogs.skip(task)}>
          Skip…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function MoveItems({ onStep: { earlier, later } }: Pick<TaskMenuProps, "onStep">) {
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowUp size={16} aria-hidden />}
        disabled={earlier === null}
        onClick={() => earlier?.()}
      >
        Move up
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={16} aria-hidden />}
        disabled={later === null}
        onClick={() => later?.()}
      >
        Move down
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}

function PriorityItems({ task, onPriority }: Pick<TaskMenuProps, "task" | "onPriority">) {
  return (
    <>
      <Menu.Label>Priority: {task.priority}</Menu.Label>
      {priorityPresets.map(({ value, label }) => (
        <Menu.Item
          key={value}
          leftSection={<IconFlag size={16} aria-hidden />}
          disabled={task.priority === value}
          onClick={() => onPriority(value)}
        >
          {label} ({value})
        </Menu.Item>
      ))}
    </>
  );
}

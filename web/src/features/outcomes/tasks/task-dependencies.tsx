// What the task waits for and what waits for it. A dependency that would close a circle is refused where it is chosen.

import { Button, CloseButton, Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { messageOf } from "../../../lib/failure.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { TaskSection } from "./task-section.tsx";
import { TaskStatusBadge } from "./task-status-badge.tsx";
import { isSettled, nameTask } from "./task-words.ts";
import { useTaskActions } from "./use-task-actions.ts";

type TasksProps = { readonly task: OutcomeTask; readonly tasks: readonly OutcomeTask[] };

export function TaskDependencies({ task, tasks }: TasksProps) {
  const { removeDependency } = useTaskActions();
  const before = tasks.filter(({ id }) => task.depends_on.includes(id));
  const after = tasks.filter(({ depends_on: dependsOn }) => dependsOn.includes(task.id));
  const isOpen = !isSettled(task);
  return (
    <>
      {before.length === 0 && !isOpen ? null : (
        <TaskSection title="Waits for">
          <TaskLinks
            label="Tasks it waits for"
            tasks={before}
            onRemove={isOpen ? (other) => removeDependency.mutate({ task, other }) : null}
          />
          {isOpen ? <AddDependency task={task} tasks={tasks} /> : null}
        </TaskSection>
      )}
      {after.length > 0 ? (
        <TaskSection title="Needed by">
          <TaskLinks label="Tasks that wait for it" tasks={after} onRemove={null} />
        </TaskSection>
      ) : null}
    </>
  );
}

type TaskLinksProps = {
  readonly label: string;
  readonly tasks: readonly OutcomeTask[];
  readonly onRemove: ((task: OutcomeTask) => void) | null;
};

function TaskLinks({ label, tasks, onRemove }: TaskLinksProps) {
  if (tasks.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No other task
      </Text>
    );
  return (
    <ul className="plain-list" aria-label={label}>
      {tasks.map((other) => (
        <Group key={other.id} component="li" gap="xs" wrap="nowrap" justify="space-between" mb={4}>
          <AnchorLink
            to="."
            search={(old) => ({ ...old, task: other.id })}
            resetScroll={false}
            size="sm"
            className="breakable"
            dir="auto"
          >
            {nameTask(other)}
          </AnchorLink>
          <Group gap={4} wrap="nowrap">
            <TaskStatusBadge status={other.status} />
            {onRemove ? (
              <CloseButton
                size="sm"
                aria-label={`Stop waiting for ${nameTask(other)}`}
                onClick={() => onRemove(other)}
              />
            ) : null}
          </Group>
        </Group>
      ))}
    </ul>
  );
}

function AddDependency({ task, tasks }: TasksProps) {
  const { addDependency } = useTaskActions();
  const [chosen, setChosen] = useState<string | null>(null);
  const offered = tasks.filter(
    (other) => other.id !== task.id && !task.depends_on.includes(other.id) && !isSettled(other),
  );
  const other = offered.find(({ id }) => id === chosen);
  if (offered.length === 0) return null;
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <Select
        className="grow"
        size="xs"
        aria-label="Task to wait for"
        placeholder="Choose a task to wait for"
        data={offered.map((each) => ({ value: each.id, label: nameTask(each) }))}
        searchable
        value={chosen}
        error={addDependency.error ? messageOf(addDependency.error) : null}
        onChange={(id) => {
          addDependency.reset();
          setChosen(id);
        }}
      />
      <Button
        size="xs"
        variant="default"
        disabled={other === undefined}
        loading={addDependency.isPending}
        onClick={() => other && addDependency.mutate({ task, other }, { onSuccess: () => setChosen(null) })}
      >
        Add
      </Button>
    </Group>
  );
}

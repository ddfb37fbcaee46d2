// The tasks of an outcome that is written by hand: what each is, and which of those above it have to be done first.

import { ActionIcon, Button, Group, Input, MultiSelect, Paper, Stack, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { randomKey } from "../../../lib/random-key.ts";
import { newTask, type TaskDraft } from "./new-outcome.ts";

type TaskFieldsProps = {
  readonly tasks: readonly TaskDraft[];
  readonly error: string | null;
  readonly onChange: (tasks: readonly TaskDraft[]) => void;
};

/** As many as one request brings. */
const tasksMax = 50;

export function TaskFields({ tasks, error, onChange }: TaskFieldsProps) {
  return (
    <Stack gap="xs" role="group" aria-label="Tasks">
      <Input.Label component="div" required>
        Tasks
      </Input.Label>
      {tasks.map((task, at) => (
        <OneTask
          key={task.key}
          task={task}
          number={at + 1}
          above={tasks.slice(0, at)}
          onChange={(changed) => onChange(tasks.map((each) => (each.key === changed.key ? changed : each)))}
          onRemove={() => onChange(withoutTask(tasks, task.key))}
        />
      ))}
      {error === null ? null : <Input.Error role="alert">{error}</Input.Error>}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={tasks.length >= tasksMax}
          onClick={() => onChange([...tasks, newTask(randomKey())])}
        >
          Add task
        </Button>
      </Group>
    </Stack>
  );
}

const withoutTask = (tasks: readonly TaskDraft[], gone: string): readonly TaskDraft[] =>
  tasks.filter(({ key }) => key !== gone).map((task) => ({ ...task, after: task.after.filter((key) => key !== gone) }));

type OneTaskProps = {
  readonly task: TaskDraft;
  readonly number: number;
  readonly above: readonly TaskDraft[];
  readonly onChange: (task: TaskDraft) => void;
  readonly onRemove: () => void;
};

function OneTask({ task, number, above, onChange, onRemove }: OneTaskProps) {
  const choices = above
    .map(({ key, title }, at) => ({ value: key, label: `${at + 1}. ${title.trim()}`, isTitled: title.trim() !== "" }))
    .filter(({ isTitled }) => isTitled)
    .map(({ value, label }) => ({ value, label }));
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Task ${number}`}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            label={`${number}. Title`}
            className="grow"
            maxLength={300}
            dir="auto"
            value={task.title}
            onChange={(event) => onChange({ ...task, title: event.currentTarget.value })}
          />
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Remove task ${number}`} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <Textarea
          label="Description"
          autosize
          minRows={1}
          maxRows={10}
          dir="auto"
          value={task.description}
          onChange={(event) => onChange({ ...task, description: event.currentTarget.value })}
        />
        {choices.length === 0 ? null : (
          <MultiSelect
            label="Starts after"
            placeholder={task.after.length === 0 ? "Any time" : ""}
            data={choices}
            value={[...task.after]}
            onChange={(after) => onChange({ ...task, after })}
          />
        )}
      </Stack>
    </Paper>
  );
}

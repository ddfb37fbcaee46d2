// Adds a task to the outcome: what it is, what it waits for, what a person has to give first, and how it is checked.

import { Button, CloseButton, Group, MultiSelect, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../../src/protocol/api.ts";
import { taskLimits } from "../../../../../src/protocol/kinds.ts";
import { keys } from "../../../lib/data/keys.ts";
import { outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { randomKey } from "../../../lib/random-key.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { emptyTask, newTaskOf } from "./task-draft.ts";
import { TaskChecks, TaskFields } from "./task-fields.tsx";
import { nameTask } from "./task-words.ts";
import { type TaskForm, useTaskForm } from "./use-task-form.ts";

export function AddTaskModal({ onClose }: { readonly onClose: () => void }) {
  const { id: outcomeId, engine } = useOutcome();
  const queryClient = useQueryClient();
  const form = useTaskForm(emptyTask(engine));
  const create = useCreate(routes.outcomeTasks.create, {
    onSuccess: ({ number }) => {
      void queryClient.invalidateQueries({ queryKey: keys.outcome(outcomeId) });
      showDone(`Added #${number}`);
      onClose();
    },
  });
  return (
    <FormModal
      title="Add task"
      size="lg"
      onClose={onClose}
      onSubmit={form.onSubmit((draft) => create.mutate({ params: { outcomeId }, body: newTaskOf(draft) }))}
      action="Add task"
      isBusy={create.isPending}
    >
      <TaskFields form={form} />
      <WaitsFor form={form} />
      <Gates form={form} />
      <TaskChecks form={form} />
    </FormModal>
  );
}

function WaitsFor({ form }: { readonly form: TaskForm }) {
  const { id } = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(id)).data ?? [];
  const offered = tasks.filter(({ status }) => status !== "completed" && status !== "obsolete");
  if (offered.length === 0) return null;
  return (
    <MultiSelect
      label="Waits for"
      description="It starts when these are completed or skipped"
      placeholder={form.values.dependsOn.length === 0 ? "No other task" : ""}
      data={offered.map((task) => ({ value: task.id, label: nameTask(task) }))}
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Clear" }}
      {...form.getInputProps("dependsOn")}
    />
  );
}

const gateKinds = [
  { value: "human_approval", label: "Your approval" },
  { value: "document_required", label: "A document" },
];

function Gates({ form }: { readonly form: TaskForm }) {
  const { gates } = form.values;
  return (
    <Stack component="fieldset" gap="xs" className="plain-fieldset">
      <Text component="legend" fw={700}>
        Needed from you first
      </Text>
      <Text size="sm" c="dimmed">
        The task starts only after you gave these.
      </Text>
      {gates.map((gate, at) => (
        <Group key={gate.key} wrap="nowrap" align="flex-end" gap="xs" role="group" aria-label={`Need ${at + 1}`}>
          <Select
            label="Kind"
            w={150}
            data={gateKinds}
            allowDeselect={false}
            {...form.getInputProps(`gates.${at}.kind`)}
          />
          <TextInput
            className="grow"
            label="What"
            placeholder="Go live, signed contract, …"
            maxLength={taskLimits.gateLabel}
            dir="auto"
            {...form.getInputProps(`gates.${at}.label`)}
          />
          <CloseButton
            size="lg"
            aria-label={`Remove need ${at + 1}`}
            onClick={() => form.removeListItem("gates", at)}
          />
        </Group>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={gates.length >= taskLimits.gates}
          onClick={() => form.insertListItem("gates", { key: randomKey(), kind: "human_approval", label: "" })}
        >
          Add a need
        </Button>
      </div>
    </Stack>
  );
}

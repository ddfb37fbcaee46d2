// Splits a task into parts; a task that verifies them together is added at the end.

import { Button, Checkbox, CloseButton, Group, Paper, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { type OutcomeTask, routes } from "../../../../../src/protocol/api.ts";
import { taskLimits } from "../../../../../src/protocol/kinds.ts";
import { api } from "../../../lib/api.ts";
import { randomKey } from "../../../lib/random-key.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { useOutcomeCommand } from "../use-outcome-command.ts";
import { listNumbers, nameTask } from "./task-words.ts";

type Part = { readonly key: string; title: string; description: string };
type SplitDraft = { parts: Part[]; inOrder: boolean };

const emptyPart = (title = ""): Part => ({ key: randomKey(), title, description: "" });

/** What the last attempt left to do, where it said so. */
function firstParts({ checkpoint }: OutcomeTask): Part[] {
  const remaining = (checkpoint?.remaining ?? []).slice(0, taskLimits.splitParts);
  return remaining.length >= 2
    ? remaining.map((line) => emptyPart(line.slice(0, taskLimits.title)))
    : [emptyPart(), emptyPart()];
}

const useSplitForm = (task: OutcomeTask) =>
  useForm<SplitDraft>({
    initialValues: { parts: firstParts(task), inOrder: false },
    validate: { parts: { title: (value) => (value.trim() === "" ? "Give this part a title" : null) } },
  });

type SplitModalProps = { readonly task: OutcomeTask; readonly onClose: () => void };

export function SplitModal({ task, onClose }: SplitModalProps) {
  const { id: outcomeId } = useOutcome();
  const form = useSplitForm(task);
  const split = useOutcomeCommand({
    failure: "The task was not split",
    send: ({ parts, inOrder }: SplitDraft) =>
      api(routes.outcomeTasks.split, {
        params: { outcomeId, taskId: task.id },
        body: {
          parts: parts.map(({ title, description }) => ({ title: title.trim(), description })),
          in_order: inOrder,
        },
      }),
    onDone: ({ tasks }) => {
      showDone(`#${task.number} is split into ${listNumbers(tasks)}`);
      onClose();
    },
  });
  const { parts } = form.values;
  return (
    <FormModal
      title={`Split ${nameTask(task)}`}
      size="lg"
      onClose={onClose}
      onSubmit={form.onSubmit((draft) => split.mutate(draft))}
      action="Split task"
      isBusy={split.isPending}
    >
      <Text size="sm">
        The parts replace this task. One more task verifies them together; whatever waited for #{task.number} waits for
        that.{task.run_id === null ? "" : " The run under way is canceled."}
      </Text>
      {parts.map((part, at) => (
        <PartFields
          key={part.key}
          form={form}
          at={at}
          onRemove={parts.length > 2 ? () => form.removeListItem("parts", at) : null}
        />
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={parts.length >= taskLimits.splitParts}
          onClick={() => form.insertListItem("parts", emptyPart())}
        >
          Add part
        </Button>
      </div>
      <Checkbox
        label="One after the other"
        description="Each part waits for the one before it"
        {...form.getInputProps("inOrder", { type: "checkbox" })}
      />
    </FormModal>
  );
}

type PartFieldsProps = {
  readonly form: ReturnType<typeof useSplitForm>;
  readonly at: number;
  readonly onRemove: (() => void) | null;
};

function PartFields({ form, at, onRemove }: PartFieldsProps) {
  const name = `Part ${at + 1}`;
  return (
    <Paper withBorder p="sm" role="group" aria-label={name}>
      <Stack gap="xs">
        <Group wrap="nowrap" align="flex-end" gap="xs">
          <TextInput
            className="grow"
            label={`${name}: title`}
            maxLength={taskLimits.title}
            dir="auto"
            {...form.getInputProps(`parts.${at}.title`)}
          />
          {onRemove ? <CloseButton size="lg" aria-label={`Remove part ${at + 1}`} onClick={onRemove} /> : null}
        </Group>
        <Textarea
          label="Description (optional)"
          autosize
          minRows={1}
          maxRows={8}
          maxLength={taskLimits.description}
          dir="auto"
          {...form.getInputProps(`parts.${at}.description`)}
        />
      </Stack>
    </Paper>
  );
}

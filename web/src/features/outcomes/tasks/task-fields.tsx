// The fields of a task that a person may write, for a new one and for one that is there.

import { CloseButton, Group, NumberInput, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { taskLimits } from "../../../../../src/protocol/kinds.ts";
import { CheckRows } from "../../../ui/composer/check-rows.tsx";
import { checksLeft } from "./task-draft.ts";
import type { TaskForm } from "./use-task-form.ts";

export function TaskFields({ form }: { readonly form: TaskForm }) {
  return (
    <>
      <TextInput
        label="Title"
        withAsterisk
        data-autofocus
        maxLength={taskLimits.title}
        dir="auto"
        {...form.getInputProps("title")}
      />
      <Textarea
        label="Description"
        description="What the worker is told"
        autosize
        minRows={3}
        maxRows={14}
        maxLength={taskLimits.description}
        dir="auto"
        {...form.getInputProps("description")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberInput
          label="Priority"
          description="Lower numbers start first; 100 is normal"
          clampBehavior="none"
          allowDecimal={false}
          {...form.getInputProps("priority")}
        />
        <NumberInput
          label="Attempts"
          description="How often it may be tried before it fails"
          clampBehavior="none"
          allowDecimal={false}
          {...form.getInputProps("maxAttempts")}
        />
      </SimpleGrid>
    </>
  );
}

export function TaskChecks({ form }: { readonly form: TaskForm }) {
  const { kept } = form.values;
  return (
    <Stack component="fieldset" gap="xs" className="plain-fieldset">
      <Text component="legend" fw={700}>
        Checks
      </Text>
      <Text size="sm" c="dimmed">
        All must pass before the task is completed.
      </Text>
      {kept.length > 0 ? (
        <ul className="plain-list" aria-label="Checks of this task">
          {kept.map((check, at) => (
            <Group key={check.id} component="li" wrap="nowrap" justify="space-between" gap="xs">
              <Text size="sm" className="breakable" dir="auto">
                {check.about}
              </Text>
              <CloseButton
                aria-label={`Remove check: ${check.about}`}
                onClick={() => form.removeListItem("kept", at)}
              />
            </Group>
          ))}
        </ul>
      ) : null}
      <CheckRows form={form} most={checksLeft(form.values)} />
    </Stack>
  );
}

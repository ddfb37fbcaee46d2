// Corrects a memory.

import { Select, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Memory, routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { codeOf, messageOf } from "../../lib/failure.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { showDone } from "../../ui/toast.ts";
import { importanceWords, memoryTypeWords } from "./memory-words.ts";

/** As the contract has it. */
const [contentMin, contentMax] = [20, 2_000];
const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

type EditMemoryModalProps = { readonly memory: Memory; readonly onClose: () => void };

export function EditMemoryModal({ memory, onClose }: EditMemoryModalProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { content: memory.content, type: memory.type, importance: memory.importance },
    validate: {
      content: (value) => (value.trim().length < contentMin ? `At least ${contentMin} characters` : null),
    },
  });
  const save = useMutation({
    mutationFn: (body: typeof form.values) => api(routes.memories.update, { params: { memoryId: memory.id }, body }),
    onSuccess: () => {
      showDone("Saved");
      onClose();
    },
    onError: (error) => {
      if (codeOf(error) === "already_exists") form.setFieldError("content", messageOf(error));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.memories }),
    meta: { showsOwnErrors: true },
  });
  return (
    <FormModal
      title="Edit memory"
      size="lg"
      onClose={onClose}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      action="Save"
      isBusy={save.isPending}
    >
      <Textarea
        label="What was learned"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={contentMax}
        data-autofocus
        dir="auto"
        {...form.getInputProps("content")}
      />
      <Select label="Type" data={optionsOf(memoryTypeWords)} allowDeselect={false} {...form.getInputProps("type")} />
      <Select
        label="Importance"
        description="More important ones are preferred"
        data={optionsOf(importanceWords)}
        allowDeselect={false}
        {...form.getInputProps("importance")}
      />
      {save.error && codeOf(save.error) !== "already_exists" ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {messageOf(save.error)}
        </Text>
      ) : null}
    </FormModal>
  );
}

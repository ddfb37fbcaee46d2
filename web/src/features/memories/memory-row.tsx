// One memory: what it says, where it was learnt, whether it helped.

import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Memory, routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { tone } from "../../lib/tones.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { Time } from "../../ui/time.tsx";
import { showDone } from "../../ui/toast.ts";
import { EditMemoryModal } from "./edit-memory-modal.tsx";
import { helpedWords, importanceWords, isNoLongerOffered, memoryTypeWords } from "./memory-words.ts";

export function MemoryRow({ memory }: { readonly memory: Memory }) {
  const [isEditing, editing] = useDisclosure(false);
  return (
    <Paper component="li" withBorder className="row">
      <Stack gap={6}>
        <Text fw={600} className="breakable" dir="auto">
          {memory.content}
        </Text>
        <Group justify="space-between" gap="sm">
          <Group gap={6}>
            <Badge variant="light" tt="none" color="blue">
              {memoryTypeWords[memory.type]}
            </Badge>
            {memory.importance === "medium" ? null : (
              <Badge variant="light" tt="none" color={memory.importance === "critical" ? tone.strong : tone.plain}>
                {importanceWords[memory.importance]} importance
              </Badge>
            )}
            {isNoLongerOffered(memory) ? (
              <Badge variant="light" tt="none" color={tone.plain}>
                No longer used
              </Badge>
            ) : null}
            {memory.is_tainted ? (
              <Badge variant="light" tt="none" color={tone.plain} title="Workers see it marked as quoted text">
                From outside text
              </Badge>
            ) : null}
            <Text size="sm" c="dimmed">
              {helpedWords(memory)} · <Source memory={memory} />
            </Text>
          </Group>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={editing.open}>
              Edit
            </Button>
            <DeleteButton memory={memory} />
          </Group>
        </Group>
      </Stack>
      {isEditing ? <EditMemoryModal memory={memory} onClose={editing.close} /> : null}
    </Paper>
  );
}

function Source({ memory }: { readonly memory: Memory }) {
  const { outcome_id: outcomeId, outcome_name: name, task_id: taskId, task_number: number } = memory;
  if (outcomeId === null || name === null)
    return (
      <>
        from an outcome that was deleted, <Time at={memory.created_at} />
      </>
    );
  const isOfTask = taskId !== null && number !== null;
  return (
    <>
      learned in{" "}
      <AnchorLink
        to="/outcomes/$outcomeId"
        params={{ outcomeId }}
        search={isOfTask ? { task: taskId } : {}}
        size="sm"
        underline="always"
        dir="auto"
      >
        {isOfTask ? `${name}, #${number}` : name}
      </AnchorLink>{" "}
      <Time at={memory.created_at} />
    </>
  );
}

const excerptLength = 80;

function DeleteButton({ memory: { id, content } }: { readonly memory: Memory }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api(routes.memories.remove, { params: { memoryId: id } }),
    onSuccess: () => showDone("Deleted"),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.memories }),
  });
  const excerpt = content.length > excerptLength ? `${content.slice(0, excerptLength)}…` : content;
  const ask = () =>
    askFirst({
      title: "Delete this memory?",
      text: `Later outcomes are no longer told: “${excerpt}”`,
      confirm: "Delete memory",
      onConfirm: () => remove.mutate(),
    });
  return (
    <Button size="xs" variant="default" loading={remove.isPending} onClick={ask}>
      Delete
    </Button>
  );
}

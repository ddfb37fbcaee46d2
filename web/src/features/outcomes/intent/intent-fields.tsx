// The form for what someone wants: a summary, its parts with acceptance criteria and priority, and when it counts as achieved.

import { ActionIcon, Button, Group, Input, NativeSelect, Paper, Stack, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { randomKey } from "../../../lib/random-key.ts";
import { type IntentDraft, type IntentPriority, type ItemDraft, newItem } from "./intent-draft.ts";
import { priorityWords } from "./priority-words.ts";

type IntentFieldsProps = { readonly value: IntentDraft; readonly onChange: (value: IntentDraft) => void };

const itemsMax = 50;

export function IntentFields({ value, onChange }: IntentFieldsProps) {
  const change = (part: Partial<IntentDraft>) => onChange({ ...value, ...part });
  const changeItem = (changed: ItemDraft) =>
    change({ items: value.items.map((item) => (item.key === changed.key ? changed : item)) });
  return (
    <Stack gap="md">
      <Textarea
        label="What do you want to achieve?"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={4_000}
        dir="auto"
        value={value.summary}
        onChange={(event) => change({ summary: event.currentTarget.value })}
      />
      <Stack gap="xs" role="group" aria-label="Parts">
        <Input.Label component="div">Parts</Input.Label>
        {value.items.map((item, at) => (
          <ItemFields
            key={item.key}
            item={item}
            number={at + 1}
            onChange={changeItem}
            onRemove={() => change({ items: value.items.filter(({ key }) => key !== item.key) })}
          />
        ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={value.items.length >= itemsMax}
            onClick={() => change({ items: [...value.items, newItem(randomKey())] })}
          >
            Add part
          </Button>
        </Group>
      </Stack>
      <Textarea
        label="Success criteria"
        description="One per line. The outcome is achieved when all of them hold."
        autosize
        minRows={2}
        maxRows={10}
        dir="auto"
        value={value.successCriteria}
        onChange={(event) => change({ successCriteria: event.currentTarget.value })}
      />
    </Stack>
  );
}

type ItemFieldsProps = {
  readonly item: ItemDraft;
  readonly number: number;
  readonly onChange: (item: ItemDraft) => void;
  readonly onRemove: () => void;
};

function ItemFields({ item, number, onChange, onRemove }: ItemFieldsProps) {
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Part ${number}`}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            label="Title"
            className="grow"
            maxLength={300}
            dir="auto"
            value={item.title}
            onChange={(event) => onChange({ ...item, title: event.currentTarget.value })}
          />
          <NativeSelect
            label="Priority"
            data={Object.entries(priorityWords).map(([value, label]) => ({ value, label }))}
            value={item.priority}
            onChange={(event) => onChange({ ...item, priority: event.currentTarget.value as IntentPriority })}
          />
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Remove part ${number}`} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <Textarea
          label="Description"
          autosize
          minRows={1}
          maxRows={8}
          maxLength={4_000}
          dir="auto"
          value={item.description}
          onChange={(event) => onChange({ ...item, description: event.currentTarget.value })}
        />
        <Textarea
          label="Acceptance criteria"
          description="One per line"
          autosize
          minRows={1}
          maxRows={8}
          dir="auto"
          value={item.criteria}
          onChange={(event) => onChange({ ...item, criteria: event.currentTarget.value })}
        />
      </Stack>
    </Paper>
  );
}

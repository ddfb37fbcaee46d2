// State, priority and due date, each saved as soon as it is chosen; when the thing changed; and the bin.

import { Button, Group, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { Entity } from "../../../../src/protocol/api.ts";
import { kindSpecs } from "../../../../src/protocol/kinds.ts";
import { daysUntil, fromDateInput, toDateInput } from "../../lib/dates.ts";
import { isClosed } from "../../lib/urgency.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { Time } from "../../ui/time.tsx";
import { priorityWords, wordsOf } from "../../ui/wording.ts";
import type { EntityPatch } from "./draft.ts";
import { useEntityBin } from "./use-entity-bin.ts";

type EntityFactsProps = {
  readonly entity: Entity;
  readonly editable: boolean;
  readonly onChange: (patch: EntityPatch) => void;
};

export function EntityFacts({ entity, editable, onChange }: EntityFactsProps) {
  return (
    <Stack gap="sm" component="section" aria-labelledby="facts">
      <Title order={2} size="h5" id="facts">
        Details
      </Title>
      {editable ? <Choices entity={entity} onChange={onChange} /> : <ReadOnlyFacts entity={entity} />}
      <Text size="sm" c="dimmed">
        Created <Time at={entity.created_at} />
        {entity.created_by_run ? " by a run" : ""}, changed <Time at={entity.updated_at} />
        {entity.updated_by_run ? " by a run" : ""} · <span className="unbroken">version {entity.version}</span>
      </Text>
      {editable ? <BinButton entity={entity} /> : null}
    </Stack>
  );
}

function Choices({ entity, onChange }: Omit<EntityFactsProps, "editable">) {
  const spec = kindSpecs[entity.kind];
  return (
    <>
      <Select
        label="State"
        allowDeselect={false}
        data={spec.states.map((value) => ({ value, label: wordsOf(value) }))}
        value={entity.state_key}
        onChange={(state_key) => state_key && state_key !== entity.state_key && onChange({ state_key })}
      />
      {spec.hasPriority ? (
        <Select
          label="Priority"
          placeholder="None"
          clearable
          data={priorityWords.map((label, index) => ({ value: String(index + 1), label }))}
          value={entity.priority === null ? null : String(entity.priority)}
          onChange={(value) => onChange({ priority: value === null ? null : Number(value) })}
        />
      ) : null}
      {spec.hasDueDate ? <DueInput key={entity.due_at ?? ""} entity={entity} onChange={onChange} /> : null}
    </>
  );
}

/** Saved when left, because a date typed by keyboard is half a date for a while. */
function DueInput({ entity, onChange }: Omit<EntityFactsProps, "editable">) {
  return (
    <TextInput
      label="Due"
      type="date"
      {...(entity.due_at === null || isClosed(entity)
        ? {}
        : { description: `Due ${daysUntil(entity.due_at, Date.now())}` })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      defaultValue={toDateInput(entity.due_at)}
      onBlur={(event) => {
        const { value } = event.currentTarget;
        if (value !== toDateInput(entity.due_at)) onChange({ due_at: fromDateInput(value) });
      }}
    />
  );
}

/** State and date stand below the title. */
function ReadOnlyFacts({ entity: { priority } }: { readonly entity: Entity }) {
  return priority === null ? null : <Text size="sm">Priority {priorityWords[priority - 1]}</Text>;
}

function BinButton({ entity }: { readonly entity: Entity }) {
  const { remove } = useEntityBin(entity);
  const ask = () =>
    askFirst({
      title: `Put this ${entity.kind} in the bin?`,
      text: `“${entity.title}” can be restored from the bin later.`,
      confirm: "Put in the bin",
      onConfirm: () => remove.mutate(),
    });
  return (
    <Group>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={remove.isPending}
        onClick={ask}
      >
        Put in the bin
      </Button>
    </Group>
  );
}

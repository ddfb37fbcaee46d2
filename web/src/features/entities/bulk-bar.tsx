// Below a list while rows are chosen: what can be done with all of them at once.

import { Button, Group, Menu, Stack, Text, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type EntityKind, kindSpecs } from "../../../../src/protocol/kinds.ts";
import { fromDateInput } from "../../lib/dates.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { FormModal } from "../../ui/form-modal.tsx";
import { priorityWords, wordsOf } from "../../ui/wording.ts";
import type { EntityPatch } from "./draft.ts";
import type { BulkChange } from "./use-bulk-change.ts";

type BulkBarProps = {
  readonly kind: EntityKind;
  readonly count: number;
  readonly isBusy: boolean;
  readonly onChange: (change: BulkChange) => void;
  readonly onClose: () => void;
  /** What came of the last change. */
  readonly children: ReactNode;
};

export function BulkBar({ kind, count, isBusy, onChange, onClose, children }: BulkBarProps) {
  return (
    <Stack component="section" aria-label={`Selected ${kindSpecs[kind].plural}`} className="save-bar" gap="xs">
      {children}
      <Group gap="xs" justify="space-between">
        <Text size="sm" role="status">
          {count} selected
        </Text>
        <Group gap="xs">
          <BulkActions kind={kind} count={count} isOff={count === 0 || isBusy} onChange={onChange} />
          <Button variant="default" size="xs" onClick={onClose}>
            Done
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

type BulkActionsProps = Pick<BulkBarProps, "kind" | "count" | "onChange"> & { readonly isOff: boolean };

function BulkActions({ kind, count, isOff, onChange }: BulkActionsProps) {
  const spec = kindSpecs[kind];
  const set = (patch: EntityPatch) => onChange({ patch });
  const askBeforeBin = () =>
    askFirst({
      title: `Put ${count} ${count === 1 ? kind : spec.plural} in the bin?`,
      text: "They can be restored from the bin later.",
      confirm: "Put in the bin",
      onConfirm: () => onChange("bin"),
    });
  return (
    <>
      <Choices label="Set state" isOff={isOff}>
        {spec.states.map((state) => (
          <Menu.Item key={state} onClick={() => set({ state_key: state })}>
            {wordsOf(state)}
          </Menu.Item>
        ))}
      </Choices>
      {spec.hasPriority ? (
        <Choices label="Set priority" isOff={isOff}>
          {priorityWords.map((words, index) => (
            <Menu.Item key={words} onClick={() => set({ priority: index + 1 })}>
              {words}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => set({ priority: null })}>None</Menu.Item>
        </Choices>
      ) : null}
      {spec.hasDueDate ? <DueButton isOff={isOff} onSet={(due_at) => set({ due_at })} /> : null}
      <Button variant="default" size="xs" disabled={isOff} onClick={askBeforeBin}>
        Put in the bin
      </Button>
    </>
  );
}

type ChoicesProps = { readonly label: string; readonly isOff: boolean; readonly children: ReactNode };

function Choices({ label, isOff, children }: ChoicesProps) {
  return (
    <Menu position="top-start" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" disabled={isOff} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

type DueButtonProps = { readonly isOff: boolean; readonly onSet: (due: string | null) => void };

function DueButton({ isOff, onSet }: DueButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [day, setDay] = useState("");
  const submit = () => {
    setOpen(false);
    onSet(fromDateInput(day));
  };
  return (
    <>
      <Button variant="default" size="xs" disabled={isOff} onClick={() => setOpen(true)}>
        Set due date
      </Button>
      {isOpen ? (
        <FormModal
          title="Set due date"
          onClose={() => setOpen(false)}
          onSubmit={submit}
          action={day === "" ? "Remove due dates" : "Set due date"}
          isBusy={false}
        >
          <TextInput
            label="Due"
            description="Leave it empty to remove due dates."
            type="date"
            data-autofocus
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        </FormModal>
      ) : null}
    </>
  );
}

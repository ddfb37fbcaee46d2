// Above a list: which state, in which order, the bin, and a new one.

import { Button, Group, Select, Switch } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type EntityKind, type EntitySort, kindSpecs, sortsOfKind } from "../../../../src/protocol/kinds.ts";
import type { ListSearch } from "../../lib/search-params.ts";
import { BinToggle } from "../../ui/bin-toggle.tsx";
import { wordsOf } from "../../ui/wording.ts";

type EntityToolbarProps = {
  readonly kind: EntityKind;
  readonly search: ListSearch;
  readonly onChange: (next: ListSearch) => void;
  readonly onNew?: () => void;
};

const sortWords: Readonly<Record<EntitySort, string>> = {
  updated: "Changed last",
  created: "Newest",
  title: "By title",
  due: "By due date",
  priority: "By priority",
};

const usualOrders: Readonly<Partial<Record<EntityKind, string>>> = { document: "As a tree", milestone: "By due date" };

export function EntityToolbar({ kind, search, onChange, onNew }: EntityToolbarProps) {
  const states = kindSpecs[kind].states.map((value) => ({ value, label: wordsOf(value) }));
  const bin = search.bin ?? false;
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm" className="row-text">
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          flex="1 1 130px"
          maw={170}
          data={states}
          value={search.state ?? null}
          onChange={(state) => onChange({ ...search, state: state ?? undefined })}
        />
        <Select
          aria-label="Order"
          placeholder={bin ? "Changed last" : (usualOrders[kind] ?? "Changed last")}
          clearable
          flex="1 1 130px"
          maw={170}
          data={sortsOfKind(kind).map((value) => ({ value, label: sortWords[value] }))}
          value={search.sort ?? null}
          onChange={(sort) => onChange({ ...search, sort: sort ?? undefined })}
        />
        {kind === "document" ? (
          <Switch
            label="Show working notes"
            checked={search.notes ?? false}
            onChange={(event) => onChange({ ...search, notes: event.currentTarget.checked || undefined })}
          />
        ) : null}
      </Group>
      <Group gap="sm">
        <BinToggle bin={bin} what={kindSpecs[kind].plural} onToggle={() => onChange(bin ? {} : { bin: true })} />
        {onNew && !bin ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
            New {kind}
          </Button>
        ) : null}
      </Group>
    </Group>
  );
}

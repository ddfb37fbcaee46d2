// What one write does to each thing: its fields before and after. Large fields come whole when one asks for them.

import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { TextDiff } from "../../../ui/text-diff.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { useRun } from "../run-context.tsx";
import { stagedWriteQuery } from "./staged-queries.ts";

type StagedChange = StagedWrite["changes"][number];

const opWords = {
  created: { words: "Create", color: "green" },
  updated: { words: "Change", color: "blue" },
  deleted: { words: "Put in the bin", color: "red" },
  restored: { words: "Bring back", color: "green" },
} as const satisfies Record<StagedChange["op"], unknown>;

export function StagedChanges({ write }: { readonly write: StagedWrite }) {
  const { run } = useRun();
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery({ ...stagedWriteQuery(run.id, write.id), enabled: isWhole });
  const { changes } = whole.data ?? write;
  const isCut = changes.some(({ fields }) => fields.some(({ is_cut: cut }) => cut));
  return (
    <Stack gap="sm">
      {changes.map((change) => (
        <OneChange key={`${change.kind} ${change.entity_id}`} change={change} />
      ))}
      {isCut ? (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setWhole(true)}>
          {isWhole ? "Loading…" : "Show all of the text"}
        </Anchor>
      ) : null}
    </Stack>
  );
}

function OneChange({ change }: { readonly change: StagedChange }) {
  const { words, color } = opWords[change.op];
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge tt="none" variant="light" color={color} autoContrast className="unshrinkable">
          {words} {change.kind === "edge" ? "link" : change.kind}
        </Badge>
        <Text size="sm" className="breakable" dir="auto">
          {change.title}
        </Text>
      </Group>
      <Fields fields={change.fields.filter((field) => !isDetail(change, field))} />
      <Details fields={change.fields.filter((field) => isDetail(change, field))} />
    </Stack>
  );
}

type Field = StagedChange["fields"][number];

/** What is new says in its title what it is; how it is filed, and which ids a link joins, are for the curious. */
function isDetail({ op, kind }: StagedChange, { name }: Field): boolean {
  return op === "created" && (kind === "edge" || name === "type_key" || name === "state_key");
}

function Details({ fields }: { readonly fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <details>
      <Text component="summary" size="xs" className="faint">
        How it is filed
      </Text>
      <Fields fields={fields} />
    </details>
  );
}

function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return fields.map((field) => (
    <section key={field.name} aria-label={wordsOf(field.name)}>
      <Text size="xs" fw={600} c="dimmed">
        {wordsOf(field.name)}
        {field.is_cut ? " (the beginning of it)" : ""}
      </Text>
      <TextDiff before={field.before} after={field.after} />
    </section>
  ));
}

// What one write does to each thing: rendered as it would be, or before and after. Large fields come whole on demand.

import { Anchor, Badge, Group, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { tone } from "../../../lib/tones.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { TextDiff } from "../../../ui/text-diff.tsx";
import { fieldWords } from "../outputs/output-groups.ts";
import { useRun } from "../run-context.tsx";
import { stagedWriteQuery } from "./staged-queries.ts";
import { isDetail, linkWords } from "./staged-words.ts";

type StagedChange = StagedWrite["changes"][number];

const opWords = {
  created: { words: "Create", color: tone.passed },
  updated: { words: "Update", color: tone.atWork },
  deleted: { words: "Delete", color: tone.strong },
  restored: { words: "Restore", color: tone.passed },
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
        <OneChange
          key={`${change.kind} ${change.entity_id}`}
          change={change}
          // The heading of the card names it already.
          isNamed={changes.length > 1}
        />
      ))}
      {isCut ? (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setWhole(true)}>
          {isWhole ? "Loading…" : "Show all of the text"}
        </Anchor>
      ) : null}
    </Stack>
  );
}

function OneChange({ change, isNamed }: { readonly change: StagedChange; readonly isNamed: boolean }) {
  const { words, color } = opWords[change.op];
  const fields = change.fields.filter((field) => !isDetail(change, field));
  const [isDiff, setDiff] = useState(change.op !== "created");
  return (
    <Stack gap={4}>
      <Group gap="xs">
        {isNamed ? (
          <>
            <Badge tt="none" variant="light" color={color} autoContrast className="unshrinkable">
              {words} {change.kind === "edge" ? "link" : change.kind}
            </Badge>
            <Text size="sm" className="breakable" dir="auto">
              {linkWords(change.title)}
            </Text>
          </>
        ) : null}
        {change.op !== "created" && fields.some(isProse) ? (
          <Switch
            size="xs"
            label="Show diff"
            checked={isDiff}
            onChange={(event) => setDiff(event.currentTarget.checked)}
          />
        ) : null}
      </Group>
      {change.kind === "edge" ? null : (
        <>
          <Fields fields={fields.filter(({ name }) => name !== "title" || change.op !== "created")} isDiff={isDiff} />
          <Details fields={change.fields.filter((field) => isDetail(change, field))} />
        </>
      )}
    </Stack>
  );
}

type Field = StagedChange["fields"][number];

const proseNames = new Set(["content", "description"]);
const isProse = ({ name, after }: Field) => proseNames.has(name) && after !== null && after !== "";

function Details({ fields }: { readonly fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <details>
      <Text component="summary" size="xs" className="faint">
        Details
      </Text>
      <Fields fields={fields} isDiff />
    </details>
  );
}

function Fields({ fields, isDiff }: { readonly fields: readonly Field[]; readonly isDiff: boolean }) {
  return fields.map((field) => (
    <section key={field.name} aria-label={fieldWords(field.name)}>
      {!isDiff && isProse(field) ? (
        <div dir="auto" className="prose">
          <LazyMarkdown text={field.after ?? ""} />
        </div>
      ) : (
        <>
          <Text size="xs" fw={600} c="dimmed">
            {fieldWords(field.name)}
            {field.is_cut ? " (the beginning)" : ""}
          </Text>
          <TextDiff before={field.before} after={field.after} />
        </>
      )}
    </section>
  ));
}

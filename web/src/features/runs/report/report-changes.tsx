// What changed through a run: created, updated, linked, each with the way to its page. On paper the address is written out.

import { Group, Stack, Text, Title } from "@mantine/core";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { changedWords, wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { ReportSection } from "./report-section.tsx";
import { ReportThing } from "./report-thing.tsx";
import type { NamedThing } from "./report-words.ts";
import { useThings } from "./use-things.ts";

type ReportChangesProps = { readonly runId: string; readonly report: RunReport };

export function ReportChanges({ runId, report }: ReportChangesProps) {
  const things = useThings(runId, report);
  const { created, updated, linked } = report.what_changed;
  const words = wordsOf(report);
  const counted = (op: "created" | "updated") =>
    [words[op], changedWords(report, op)].filter((part) => part !== "").join(": ");
  const isNothing = created.length + updated.length + linked.length === 0;
  const named = (id: string, title: string) => things.get(id) ?? { id, title, kind: null, projectId: null };
  return (
    <ReportSection title={words.changes}>
      {isNothing ? <Text c="dimmed">{words.nothing}</Text> : null}
      <Stack gap="md">
        <ThingList title={counted("created")} things={created.map(({ id, title }) => named(id, title))} />
        <ThingList title={counted("updated")} things={updated.map(({ id, title }) => named(id, title))} />
        <LinkList title={words.linked} linked={linked} named={(id) => named(id, "")} />
      </Stack>
    </ReportSection>
  );
}

function ThingList({ title, things }: { readonly title: string; readonly things: readonly NamedThing[] }) {
  if (things.length === 0) return null;
  return (
    <div>
      <Title order={4} size="h6" mb={4}>
        {title}
      </Title>
      <Stack component="ul" gap={6} className="plain-list">
        {things.map((thing) => (
          <li key={thing.id}>
            <ReportThing thing={thing} />
          </li>
        ))}
      </Stack>
    </div>
  );
}

type LinkListProps = {
  readonly title: string;
  readonly linked: RunReport["what_changed"]["linked"];
  readonly named: (id: string) => NamedThing;
};

function LinkList({ title, linked, named }: LinkListProps) {
  if (linked.length === 0) return null;
  return (
    <div>
      <Title order={4} size="h6" mb={4}>
        {title}
      </Title>
      <Stack component="ul" gap={6} className="plain-list report-links">
        {linked.map(({ from_id: from, to_id: to, relationship }) => (
          <Group component="li" key={`${from} ${relationship} ${to}`} gap={6}>
            <ReportThing thing={named(from)} />
            <Text span c="dimmed" size="sm">
              {relationship.replaceAll("_", " ")}
            </Text>
            <ReportThing thing={named(to)} />
          </Group>
        ))}
      </Stack>
    </div>
  );
}

// The notes a run keeps for itself: the last few, the older ones on demand; live while it works.

import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { scratchpadQuery } from "../../../lib/data/runs.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { useRun } from "../run-context.tsx";
import { useReadAlong } from "../use-read-along.ts";
import { splitNote } from "./split-note.ts";

const shownAtFirst = 3;
const shownOnDemand = 20;

export function ScratchpadCard() {
  const { run } = useRun();
  useReadAlong("scratchpad");
  const [isLong, setLong] = useState(false);
  const limit = isLong ? shownOnDemand : shownAtFirst;
  const query = useInfiniteQuery({ ...scratchpadQuery(run.id, limit), placeholderData: keepPreviousData });
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const [first] = entries;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="scratchpad">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="scratchpad">
          Scratchpad
        </Title>
        {first ? (
          <EntityLink kind="document" projectId={first.project_id} id={first.document_id} size="sm">
            Open
          </EntityLink>
        ) : null}
      </Group>
      <QueryView query={query}>
        {() =>
          entries.length === 0 ? <NoNotes isGoingOn={goesOnByItself(run.status)} /> : <Notes entries={entries} />
        }
      </QueryView>
      {isLong ? <LoadMore query={query} /> : null}
      {query.hasNextPage || isLong ? (
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setLong(!isLong)}>
          {isLong ? `Show only the last ${shownAtFirst}` : "Show older notes"}
        </Button>
      ) : null}
    </Paper>
  );
}

type Entry = { readonly document_id: string; readonly heading: string; readonly text: string };

function Notes({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Stack component="ol" gap="md" className="plain-list">
      {entries.map(({ document_id: documentId, heading, text }) => (
        <li key={`${documentId}${heading}`}>
          <Text size="sm" fw={600} className="breakable">
            <bdi>{heading}</bdi>
          </Text>
          <NoteText text={text} />
        </li>
      ))}
    </Stack>
  );
}

function NoteText({ text }: { readonly text: string }) {
  const { summary, rest } = splitNote(text);
  return (
    <div dir="auto">
      {summary === "" ? null : (
        <Text size="sm" className="breakable">
          {summary}
        </Text>
      )}
      {rest === "" ? null : (
        <details className="fold">
          <Text component="summary" size="xs" c="dimmed">
            Calls, changes and plan
          </Text>
          <LazyMarkdown text={rest} />
        </details>
      )}
    </div>
  );
}

function NoNotes({ isGoingOn }: { readonly isGoingOn: boolean }) {
  return (
    <Text c="dimmed" size="sm">
      {isGoingOn
        ? "After every iteration the run notes here what it did and what it wants to do next."
        : "This run has noted nothing down."}
    </Text>
  );
}

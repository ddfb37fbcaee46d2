// An opened iteration: why it went on, what went wrong, who did what when, and every entry with its result.

import { Alert, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunEntry, RunIteration } from "../../../../../src/protocol/api.ts";
import { entriesQuery } from "../../../lib/data/runs.ts";
import { tone } from "../../../lib/tones.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { EntryRow } from "./entry-row.tsx";
import { ForkFromHere } from "./fork-from-here.tsx";
import { decisionWordsOf } from "./iteration-words.ts";
import { LanePicture } from "./lane-picture.tsx";
import { lanesOf } from "./lanes.ts";
import { MadeLinks } from "./made-links.tsx";

type IterationBodyProps = {
  readonly runId: string;
  readonly iteration: RunIteration;
  readonly withPlatform: boolean;
  readonly onFork: (iteration: number) => void;
};

export function IterationBody({ runId, iteration, withPlatform, onFork }: IterationBodyProps) {
  return (
    <Stack gap="sm">
      {iteration.error ? (
        <Alert color={tone.failure} title="What went wrong" p="xs">
          <Text size="sm" className="pre-wrap" mah={200}>
            {iteration.error}
          </Text>
        </Alert>
      ) : null}
      {iteration.why ? (
        <Text size="sm" className="breakable">
          <b>{decisionWordsOf(iteration.decision)}:</b> {iteration.why}
        </Text>
      ) : null}
      <MadeLinks runId={runId} artifacts={iteration.artifacts} />
      <Entries runId={runId} number={iteration.iteration} withPlatform={withPlatform} />
      <Group gap="md">
        <AnchorLink
          size="sm"
          underline="always"
          to="/homework/runs/$runId/activity"
          params={{ runId }}
          hash={`iteration-${iteration.iteration}`}
        >
          Link to this iteration
        </AnchorLink>
        {iteration.decision === null ? null : <ForkFromHere iteration={iteration.iteration} onFork={onFork} />}
      </Group>
    </Stack>
  );
}

type EntriesProps = { readonly runId: string; readonly number: number; readonly withPlatform: boolean };

function Entries({ runId, number, withPlatform }: EntriesProps) {
  const entries = useInfiniteQuery(entriesQuery(runId, number));
  return (
    <QueryView query={entries}>
      {(data) => (
        <>
          <Lanes entries={data.pages.flatMap((page) => page.items)} withPlatform={withPlatform} />
          <LoadMore query={entries} />
        </>
      )}
    </QueryView>
  );
}

function Lanes({ entries, withPlatform }: { readonly entries: readonly RunEntry[]; readonly withPlatform: boolean }) {
  const lanes = useMemo(() => lanesOf(entries, withPlatform), [entries, withPlatform]);
  if (lanes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {entries.length === 0 ? "Nothing is done yet." : "Only notes of the platform. Show them with the switch above."}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {lanes.map((lane) => (
        <section key={lane.id} aria-label={lane.title} className="entry-lane">
          <Text size="sm" fw={600} className="breakable">
            {lane.title}
          </Text>
          <ol className="plain-list">
            {lane.entries.map((entry) => (
              <li key={entry.id}>
                <EntryRow entry={entry} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      <LanePicture lanes={lanes} />
    </Stack>
  );
}

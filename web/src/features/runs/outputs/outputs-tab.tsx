// What a run made, changed, linked and deleted, the latest first; live while it works.

import { Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { outputsQuery } from "../../../lib/data/runs.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useRun } from "../run-context.tsx";
import { useReadAlong } from "../use-read-along.ts";
import { NoOutputs } from "./no-outputs.tsx";
import { groupsOf, type OutputFilter, type OutputGroup, ofKind, opWords } from "./output-groups.ts";
import { OutputRow } from "./output-row.tsx";
import { OutputsToolbar } from "./outputs-toolbar.tsx";

/** With fewer than this on the screen, what is filtered out is not worth a press on "Load more". */
const fewShown = 10;

export function OutputsTab() {
  const { run } = useRun();
  usePageTitle("Outputs", run.objective.slice(0, 60));
  useReadAlong("outputs");
  const [filter, setFilter] = useState<OutputFilter>({ kind: null, withOwn: false });
  const query = useInfiniteQuery({
    ...outputsQuery(run.id, filter.withOwn ? undefined : false),
    placeholderData: keepPreviousData,
  });
  const all = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const shown = useMemo(() => ofKind(all, filter.kind), [all, filter.kind]);
  const wantsMore = shown.length < fewShown && query.hasNextPage && !query.isFetching && !query.error;
  const { fetchNextPage } = query;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  return (
    <QueryView query={query}>
      {() => (
        <>
          <OutputsToolbar outputs={all} filter={filter} onFilter={setFilter} />
          {shown.length === 0 && !query.hasNextPage ? (
            <NoOutputs status={run.status} filter={filter} onFilter={setFilter} />
          ) : (
            <Stack gap="lg">
              {groupsOf(shown).map((group) => (
                <Group key={group.op} runId={run.id} group={group} isPartial={query.hasNextPage} />
              ))}
            </Stack>
          )}
          <LoadMore query={query} />
        </>
      )}
    </QueryView>
  );
}

type GroupProps = { readonly runId: string; readonly group: OutputGroup; readonly isPartial: boolean };

function Group({ runId, group: { op, outputs }, isPartial }: GroupProps) {
  return (
    <section aria-labelledby={`outputs-${op}`}>
      <Title order={2} size="h4" mb="xs" id={`outputs-${op}`}>
        {opWords[op]}{" "}
        <Text span c="dimmed" fw={400}>
          {outputs.length}
          {isPartial ? "+" : ""}
        </Text>
      </Title>
      <Stack component="ul" gap="xs" className="plain-list">
        {outputs.map((output) => (
          <OutputRow key={`${output.op}${output.id}`} runId={runId} output={output} />
        ))}
      </Stack>
    </section>
  );
}

// One group of runs with its heading: those that need the reader, those at work or in line, or those that have ended.
// `/homework#needs-you` leads to the heading of a group.

import { Button, Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId, useRef } from "react";
import type { ListedRun } from "../../../../../src/protocol/api.ts";
import type { RunGroup, RunsFilter } from "../../../lib/data/runs.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { QueuedRuns } from "./queued-runs.tsx";
import { groupWords, inOrder, resultsFirst } from "./run-groups.ts";
import { RunRow } from "./run-row.tsx";
import { useFocusOnHash } from "./use-focus-on-hash.ts";
import { useRunPages } from "./use-run-pages.ts";

const isQueued = ({ status }: ListedRun) => status === "queued";

type RunsSectionProps = {
  readonly filter: RunsFilter & { readonly group: RunGroup };
  /** Left out: the name of the group. */
  readonly title?: string;
  /** Said where there are none; nothing is said without it. */
  readonly ifNone?: ReactNode;
};

export function RunsSection({ filter, title = groupWords[filter.group], ifNone }: RunsSectionProps) {
  const { query, more, older, newest } = useRunPages(filter);
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const hasRuns = query.data?.pages.some((page) => page.items.length > 0) ?? false;
  useFocusOnHash(filter.group.replace("_", "-"), heading, hasRuns);
  const turn = (go: () => void) => () => {
    go();
    heading.current?.focus();
  };
  return (
    <QueryView query={query}>
      {(data) => {
        const items = inOrder(data.pages.flatMap((page) => page.items));
        const runs = filter.endedSince === undefined ? items : resultsFirst(items);
        if (runs.length === 0 && newest === null) return ifNone ?? null;
        const cards = runs.filter((run) => !isQueued(run));
        return (
          <section aria-labelledby={headingId}>
            <Group justify="space-between" mb="xs">
              <Title order={2} size="h4" id={headingId} ref={heading} tabIndex={-1}>
                {title}
              </Title>
              {newest ? (
                <Button size="compact-sm" variant="default" onClick={turn(newest)}>
                  Back to the newest
                </Button>
              ) : null}
            </Group>
            {cards.length === 0 ? null : (
              <Stack component="ul" gap="xs" className="plain-list">
                {cards.map((run) => (
                  <RunRow key={run.id} run={run} />
                ))}
              </Stack>
            )}
            <QueuedRuns runs={runs.filter(isQueued)} />
            {more ? <LoadMore query={more} /> : null}
            {older ? (
              <Group justify="center" mt="md">
                <Button variant="default" onClick={turn(older)}>
                  Older ones
                </Button>
              </Group>
            ) : null}
          </section>
        );
      }}
    </QueryView>
  );
}

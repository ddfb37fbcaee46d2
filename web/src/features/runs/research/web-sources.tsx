// What the run read on the web: the pages it opened, then, folded, its searches and the pages it could not open. Live while it works.

import { Anchor, Button, Stack, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { counted } from "../../../../../src/protocol/figures.ts";
import { groupSources, type ReadSource } from "../../../../../src/protocol/run-sources.ts";
import { sourcesQuery } from "../../../lib/data/runs.ts";
import { Card } from "../../../ui/card.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { Time } from "../../../ui/time.tsx";
import { useRun } from "../run-context.tsx";
import { useReadAlong } from "../use-read-along.ts";
import { shortAddress, sourceFacts } from "./source-words.ts";

export function WebSources() {
  const { run } = useRun();
  useReadAlong("sources");
  const query = useInfiniteQuery({ ...sourcesQuery(run.id), placeholderData: keepPreviousData });
  const sources = useMemo(() => groupSources(query.data?.pages.flatMap(({ items }) => items) ?? []), [query.data]);
  const pages = sources.filter(({ kind, state }) => kind === "page" && state !== "failed");
  const opened = pages.filter(({ state }) => state === "opened").length;
  return (
    <Card title="Web pages" beside={opened === 0 ? undefined : `${opened}${query.hasNextPage ? "+" : ""} opened`}>
      <QueryView query={query}>
        {() => (
          <Stack gap="xs">
            {pages.length === 0 ? <NoPages isGoingOn={goesOnByItself(run.status)} /> : <Pages pages={pages} />}
            <Folded noun="search" nouns="searches" sources={sources.filter(({ kind }) => kind === "search")} />
            <Folded
              noun="page could not be opened"
              nouns="pages could not be opened"
              sources={sources.filter(({ kind, state }) => kind === "page" && state === "failed")}
            />
            <LoadMore query={query} />
          </Stack>
        )}
      </QueryView>
    </Card>
  );
}

/** The documents of the run stand below. */
const shownAtFirst = 5;

function Pages({ pages }: { readonly pages: readonly ReadSource[] }) {
  const [isLong, setLong] = useState(false);
  const isFoldable = pages.length > shownAtFirst + 1;
  return (
    <div>
      <SourceList sources={isFoldable && !isLong ? pages.slice(0, shownAtFirst) : pages} />
      {isFoldable ? (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          ml={-8}
          aria-expanded={isLong}
          onClick={() => setLong(!isLong)}
        >
          {isLong ? `Show only the first ${shownAtFirst}` : `Show all ${counted(pages.length, "page")}`}
        </Button>
      ) : null}
    </div>
  );
}

type FoldedProps = { readonly noun: string; readonly nouns: string; readonly sources: readonly ReadSource[] };

function Folded({ noun, nouns, sources }: FoldedProps) {
  if (sources.length === 0) return null;
  return (
    <details className="fold">
      <Text component="summary" size="sm" c="dimmed">
        {sources.length} {sources.length === 1 ? noun : nouns}
      </Text>
      <SourceList sources={sources} />
    </details>
  );
}

const SourceList = ({ sources }: { readonly sources: readonly ReadSource[] }) => (
  <ul className="plain-list">
    {sources.map((source) => (
      <li key={source.id} className="source-row">
        <SourceName source={source} />
        <Text size="xs" c="dimmed" className="breakable">
          {sourceFacts(source).map((fact) => `${fact} · `)}
          <Time at={source.at} />
        </Text>
      </li>
    ))}
  </ul>
);

function SourceName({ source: { url, title } }: { readonly source: ReadSource }): ReactNode {
  if (url === null)
    return (
      <Text size="sm" className="breakable">
        <bdi>{title}</bdi>
      </Text>
    );
  return (
    <Anchor size="sm" href={url} title={url} target="_blank" rel="noopener noreferrer" className="breakable">
      <bdi>{title || shortAddress(url)}</bdi>
    </Anchor>
  );
}

const NoPages = ({ isGoingOn }: { readonly isGoingOn: boolean }) => (
  <Text size="sm" c="dimmed">
    {isGoingOn
      ? "Web pages that the run opens are listed here, each with a link."
      : "This run opened no web pages. Name an address in the objective to have a page read."}
  </Text>
);

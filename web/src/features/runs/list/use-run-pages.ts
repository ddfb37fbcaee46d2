// One group of runs, page by page. What is on the screen is fetched again whenever a run changes, so it is never more than a
// few pages: behind them a new stretch begins, and that way the last of 100,000 runs is reached as cheaply as the first.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { newestRunsKey, type RunsFilter, runsQuery } from "../../../lib/data/runs.ts";

/** 200 rows. */
const pagesMax = 8;

export function useRunPages(filter: RunsFilter) {
  const [stretch, setStretch] = useState<{ readonly of: string; readonly from: string } | null>(null);
  const of = JSON.stringify(filter);
  // Another search begins at the newest again.
  const from = stretch?.of === of ? stretch.from : undefined;
  const options = runsQuery(filter);
  const query = useInfiniteQuery({
    ...options,
    queryKey: from === undefined ? newestRunsKey(filter) : [...options.queryKey, from],
    initialPageParam: from,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages ?? [];
  const next = pages.at(-1)?.next_cursor ?? null;
  const isFull = pages.length >= pagesMax && next !== null;
  return {
    query,
    /** The button for one page more is left away where the stretch is full. */
    more: isFull ? null : query,
    older: isFull ? () => setStretch({ of, from: next }) : null,
    newest: from === undefined ? null : () => setStretch(null),
  };
}

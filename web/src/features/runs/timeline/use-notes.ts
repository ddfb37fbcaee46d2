// The documents that a run keeps for itself, so that they are not counted as what it made.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { outputsQuery } from "../../../lib/data/runs.ts";

/** Null where they are not all known. */
export function useNotes(runId: string): ReadonlySet<string> | null {
  const { data, hasNextPage } = useInfiniteQuery(outputsQuery(runId, true));
  return useMemo(
    () =>
      data === undefined || hasNextPage ? null : new Set(data.pages.flatMap(({ items }) => items.map(({ id }) => id))),
    [data, hasNextPage],
  );
}

// The things a report names, with where each of them is: from the run's outputs, and from its workspace for its own pages.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { outputsQuery, workspaceQuery } from "../../../lib/data/runs.ts";
import { missingPlaces, type NamedThing, type Place, thingsById } from "./report-words.ts";

/** Pages of outputs that are read for it; what is not found by then stands there without a link. */
const pagesMax = 20;

export function useThings(runId: string, report: RunReport): ReadonlyMap<string, NamedThing> {
  const { data, hasNextPage, isFetching, error, fetchNextPage } = useInfiniteQuery(outputsQuery(runId, false));
  const outputs = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const isMissing = missingPlaces(report, outputs).length > 0;
  const canReadOn = hasNextPage && !error && (data?.pages.length ?? 0) < pagesMax;
  const workspace = useQuery({ ...workspaceQuery(runId), enabled: isMissing && data !== undefined && !canReadOn });
  const wantsMore = isMissing && canReadOn && !isFetching;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  return useMemo(() => {
    const own = workspace.data?.documents.map((page): Place => ({ ...page, kind: "document", is_there: true })) ?? [];
    return thingsById(report, [...own, ...outputs]);
  }, [report, outputs, workspace.data]);
}

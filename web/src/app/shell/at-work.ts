// How many of one's runs are at work, queued, or wait for their user; and which run the header's pill leads to.

import { useQuery } from "@tanstack/react-query";
import { latestRunQuery, runCountsQuery } from "../../lib/data/runs.ts";
import { type AtWork, soleStatus } from "./counts.ts";

export function useAtWork(): AtWork {
  const counts = useQuery(runCountsQuery).data?.counts;
  return {
    running: counts?.running ?? 0,
    queued: counts?.queued ?? 0,
    waiting: counts?.waiting_on_user ?? 0,
  };
}

/** The one run that the pill is about; undefined while it is not known, or if there are several. */
export function useSoleRun(atWork: AtWork): string | undefined {
  const status = soleStatus(atWork);
  const latest = useQuery({ ...latestRunQuery(status ?? "running"), enabled: status !== null }).data;
  return status === null ? undefined : latest?.id;
}

// How many of one's runs are under way, in line, or wait for their user.

import { useQuery } from "@tanstack/react-query";
import { runCountsQuery } from "../../lib/data/runs.ts";
import type { AtWork } from "./counts.ts";

export function useAtWork(): AtWork {
  const counts = useQuery(runCountsQuery).data?.counts;
  return {
    running: counts?.running ?? 0,
    queued: counts?.queued ?? 0,
    waiting: counts?.waiting_on_user ?? 0,
  };
}

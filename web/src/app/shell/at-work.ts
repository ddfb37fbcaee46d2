// How many of one's runs are under way, in line, or wait for their user, and what else every page shows of one's work.

import { useQuery } from "@tanstack/react-query";
import { runCountsQuery } from "../../lib/data/runs.ts";
import type { AtWork } from "./counts.ts";

export type Standing = AtWork & { readonly questions: number; readonly unread: number; readonly hasAgents: boolean };

export function useAtWork(): Standing {
  const standing = useQuery(runCountsQuery).data;
  const counts = standing?.counts;
  return {
    questions: standing?.open_questions ?? 0,
    unread: standing?.unread_notifications ?? 0,
    hasAgents: standing?.has_agents ?? false,
    running: counts?.running ?? 0,
    queued: counts?.queued ?? 0,
    waiting: counts?.waiting_on_user ?? 0,
  };
}

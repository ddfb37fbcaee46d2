// How many of one's runs are at work, queued, or wait for their user, what else every page shows of one's work, and which run the
// header's pill leads to.

import { useQuery } from "@tanstack/react-query";
import type { AgentQuestion } from "../../../../src/protocol/api.ts";
import { latestRunQuery, runCountsQuery } from "../../lib/data/runs.ts";
import { type AtWork, soleStatus } from "./counts.ts";

export type Standing = AtWork & {
  readonly unread: number;
  readonly hasAgents: boolean;
  readonly asked: readonly AgentQuestion[];
};

const none: readonly AgentQuestion[] = [];

export function useAtWork(): Standing {
  const standing = useQuery(runCountsQuery).data;
  const counts = standing?.counts;
  return {
    questions: standing?.open_questions ?? 0,
    agents: standing?.agent_questions.length ?? 0,
    asked: standing?.agent_questions ?? none,
    unread: standing?.unread_notifications ?? 0,
    hasAgents: standing?.has_agents ?? false,
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

// One search over everything: runs, outcomes, agents, and what is in projects. The search page and the palette share it.

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type ListedRun, type OutcomeHit, routes, type SearchHit } from "../../../src/protocol/api.ts";
import { api } from "./api.ts";
import { agentsInfoQuery } from "./data/agents.ts";
import { keys } from "./data/keys.ts";
import { type SearchKind, searchQuery } from "./data/search.ts";
import { type AgentHit, agentHitsQuery, findAgents } from "./data/search-agents.ts";

/** Runs and agents have lists of their own; the rest is one full-text search. */
export type AnyKind = SearchKind | "run" | "agent";

export type Found = {
  readonly runs: readonly ListedRun[];
  readonly outcomes: readonly OutcomeHit[];
  readonly agents: readonly AgentHit[];
  /** What is in projects, and projects themselves. */
  readonly things: readonly SearchHit[];
};

export const countFound = ({ runs, outcomes, agents, things }: Found): number =>
  runs.length + outcomes.length + agents.length + things.length;

type Filter = {
  readonly text: string;
  readonly kind?: AnyKind | undefined;
  /** Also the working notes of runs. */
  readonly notes?: boolean | undefined;
  /** Of each group. */
  readonly limit: number;
};

/** As much of a text as the list of runs takes. */
const runTextMax = 400;

const runHitsQuery = (text: string, limit: number) =>
  queryOptions({
    queryKey: [...keys.runs, "hits", { text, limit }],
    queryFn: ({ signal }) =>
      api(routes.runs.list, { query: { q: text.trim().slice(0, runTextMax), limit } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Agents that cannot be read are left out; the other groups are shown all the same. */
export function useSearchAll(filter: Filter) {
  const texts = useTextHits(filter);
  const runs = useRunHits(filter);
  const agents = useAgentHits(filter);
  const asked = [texts, runs].filter(({ isAsked }) => isAsked).map(({ query }) => query);
  const found: Found = {
    runs: runs.items,
    outcomes: texts.outcomes,
    agents: agents.items,
    things: texts.items,
  };
  const isReady = asked.every((query) => query.data !== undefined) && !agents.isFirst;
  return {
    data: isReady ? found : undefined,
    error: asked.find((query) => query.error)?.error ?? null,
    isFetching: asked.some((query) => query.isFetching) || agents.isFetching,
    /** What is shown was found for an earlier text. */
    isEarlier: asked.some((query) => query.isPlaceholderData),
    refetch: () => Promise.all(asked.map((query) => query.refetch())),
  };
}

/** Whether this kind is among those that are searched for. */
const isWanted = ({ text, kind }: Filter, one: AnyKind) => text.trim() !== "" && (kind === undefined || kind === one);

function useTextHits({ text, kind, notes, limit }: Filter) {
  const textKind = kind === "run" || kind === "agent" ? null : kind;
  const isAsked = text.trim() !== "" && textKind !== null;
  const query = useQuery({ ...searchQuery({ text, kind: textKind ?? undefined, notes, limit }), enabled: isAsked });
  const found = isAsked ? query.data : undefined;
  return { query, isAsked, items: found?.items ?? [], outcomes: found?.outcomes ?? [] };
}

function useRunHits(filter: Filter) {
  const isAsked = isWanted(filter, "run");
  const query = useQuery({ ...runHitsQuery(filter.text, filter.limit), enabled: isAsked });
  return { query, isAsked, items: isAsked ? (query.data?.items ?? []) : [] };
}

function useAgentHits(filter: Filter) {
  const hasAgents = useQuery(agentsInfoQuery).data?.is_available === true;
  const isAsked = hasAgents && isWanted(filter, "agent");
  const { data, isFetching } = useQuery({ ...agentHitsQuery, enabled: isAsked });
  return {
    items: isAsked ? findAgents(data ?? [], filter.text, filter.limit) : [],
    isFirst: isAsked && isFetching && data === undefined,
    isFetching: isAsked && isFetching,
  };
}

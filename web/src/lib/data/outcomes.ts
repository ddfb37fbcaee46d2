// Server state about outcomes: lists, one outcome, its tasks, and what HOMЯ saw, did, asked and knows.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type OutcomeSummary, type OutcomeTask, routes } from "../../../../src/protocol/api.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export type OutcomeStatus = OutcomeSummary["status"];
export type OutcomesFilter = { readonly status?: OutcomeStatus | undefined; readonly q?: string | undefined };

const outcomesPerPage = 25;
const linesPerPage = 30;
/** The most that one request brings. */
const mostPerPage = 100;
/** What work under way costs, and what a run on a task asks, comes with no event of the outcome. */
const costEveryMs = 5_000;
const first = undefined as string | undefined;

export const outcomesQuery = ({ status, q }: OutcomesFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.outcomes, "list", { status, q }],
    queryFn: ({ signal, pageParam }) =>
      api(routes.outcomes.list, { query: { limit: outcomesPerPage, cursor: pageParam, status, q } }, { signal }),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(hasWorkUnderWay)) ? costEveryMs : false,
  });

/** Questions of all of one's outcomes that wait, newest first. */
export const openEscalationsQuery = queryOptions({
  queryKey: [...keys.outcomes, "open-escalations"],
  queryFn: ({ signal }) =>
    api(routes.escalations.listAll, { query: { limit: mostPerPage, group: "open" } }, { signal }).then(
      ({ items }) => items,
    ),
});

export const outcomeQuery = (outcomeId: string) =>
  queryOptions({
    queryKey: [...keys.outcome(outcomeId), "itself"],
    queryFn: ({ signal }) => api(routes.outcomes.get, { params: { outcomeId } }, { signal }),
    refetchInterval: ({ state }) => (hasWorkUnderWay(state.data) ? costEveryMs : false),
  });

const hasWorkUnderWay = (outcome: OutcomeSummary | undefined) =>
  outcome !== undefined && (outcome.tasks.running > 0 || outcome.is_drafting);

/** All tasks, in the order of their numbers. */
export const outcomeTasksQuery = (outcomeId: string) =>
  queryOptions({
    queryKey: [...keys.outcomeTasks(outcomeId), "all"],
    queryFn: async ({ signal }) => {
      const tasks: OutcomeTask[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: mostPerPage, cursor };
        const page = await api(routes.outcomeTasks.list, { params: { outcomeId }, query }, { signal });
        tasks.push(...page.items);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return tasks;
    },
  });

/** One task with its attempts. */
export const outcomeTaskQuery = (outcomeId: string, taskId: string) =>
  queryOptions({
    queryKey: [...keys.outcomeTasks(outcomeId), taskId],
    queryFn: ({ signal }) => api(routes.outcomeTasks.get, { params: { outcomeId, taskId } }, { signal }),
  });

export const designsQuery = (outcomeId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.outcome(outcomeId), "designs"],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.outcomes.listDesigns,
        { params: { outcomeId }, query: { limit: linesPerPage, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

export const interventionsQuery = (outcomeId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.outcome(outcomeId), "interventions"],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.outcomes.listInterventions,
        { params: { outcomeId }, query: { limit: linesPerPage, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

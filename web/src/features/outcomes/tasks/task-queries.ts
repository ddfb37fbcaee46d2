// Server state of one task beyond the task itself: what HOMЯ saw in its attempts, and what its prompts said of the outcome.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";

/** More than a task has attempts, except for those of a person who tries it again and again. */
const observationsShown = 100;
const briefsPerPage = 50;

export const taskObservationsQuery = (outcomeId: string, taskId: string) =>
  queryOptions({
    queryKey: [...keys.homr(outcomeId), "observations", taskId],
    queryFn: ({ signal }) =>
      api(
        routes.homr.observations,
        { params: { outcomeId }, query: { limit: observationsShown, task_id: taskId } },
        { signal },
      ).then(({ items }) => items),
  });

export const taskBriefsQuery = (outcomeId: string, taskId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.homr(outcomeId), "briefs", taskId],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.homr.briefs,
        { params: { outcomeId }, query: { limit: briefsPerPage, cursor: pageParam, task_id: taskId } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });

export const briefQuery = (outcomeId: string, runId: string, iteration: number) =>
  queryOptions({
    queryKey: [...keys.homr(outcomeId), "brief", runId, iteration],
    queryFn: ({ signal }) => api(routes.homr.brief, { params: { outcomeId, taskRunId: runId, iteration } }, { signal }),
    // What a prompt said does not change any more.
    staleTime: Number.POSITIVE_INFINITY,
  });

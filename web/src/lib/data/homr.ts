// Server state about HOMЯ in one outcome: how it stands, its settings, what it saw, did, asked and knows.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type HomrActivity, routes } from "../../../../src/protocol/api.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

const linesPerPage = 30;
const first = undefined as string | undefined;

export const homrStatusQuery = (outcomeId: string) =>
  queryOptions({
    queryKey: [...keys.homr(outcomeId), "status"],
    queryFn: ({ signal }) => api(routes.homr.status, { params: { outcomeId } }, { signal }),
  });

export const homrConfigQuery = (outcomeId: string) =>
  queryOptions({
    queryKey: [...keys.homr(outcomeId), "config"],
    queryFn: ({ signal }) => api(routes.homr.config, { params: { outcomeId } }, { signal }),
  });

/** Everything the tasks know of each other. */
export const homrContextQuery = (outcomeId: string) =>
  queryOptions({
    queryKey: [...keys.homr(outcomeId), "context"],
    queryFn: ({ signal }) => api(routes.homr.context, { params: { outcomeId } }, { signal }),
  });

/** Which prompts carried an item of the context. */
export const receiptsQuery = (outcomeId: string, itemId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.homr(outcomeId), "receipts", itemId],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.homr.receipts,
        { params: { outcomeId, itemId }, query: { limit: linesPerPage, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

export type ActivityFilter = {
  readonly type?: HomrActivity["type"] | undefined;
  readonly taskId?: string | undefined;
};

export const activityQuery = (outcomeId: string, { type, taskId }: ActivityFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.homr(outcomeId), "activity", { type, taskId }],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.homr.activity,
        { params: { outcomeId }, query: { limit: linesPerPage, cursor: pageParam, type, task_id: taskId } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

export const observationQuery = (outcomeId: string, observationId: string) =>
  queryOptions({
    queryKey: [...keys.homr(outcomeId), "observation", observationId],
    queryFn: ({ signal }) => api(routes.homr.observation, { params: { outcomeId, observationId } }, { signal }),
  });

export const escalationQuery = (outcomeId: string, escId: string) =>
  queryOptions({
    queryKey: [...keys.homr(outcomeId), "escalation", escId],
    queryFn: ({ signal }) => api(routes.escalations.get, { params: { outcomeId, escId } }, { signal }),
  });

export const reviewsQuery = (outcomeId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.homr(outcomeId), "reviews"],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.homr.reviews,
        { params: { outcomeId }, query: { limit: linesPerPage, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

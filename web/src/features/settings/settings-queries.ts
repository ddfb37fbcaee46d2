// Server state of the settings pages.

import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { AuditPart } from "../../../../src/protocol/kinds.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";

export const settingKeys = {
  sessions: ["settings", "sessions"] as const,
  keys: ["settings", "keys"] as const,
  channels: ["settings", "channels"] as const,
  deliveries: ["settings", "deliveries"] as const,
  people: ["settings", "people"] as const,
  audit: ["settings", "audit"] as const,
  models: ["settings", "models"] as const,
  quotas: ["settings", "quotas"] as const,
  myQuota: ["settings", "my-quota"] as const,
  allRuns: ["settings", "all-runs"] as const,
};

export const sessionsQuery = queryOptions({
  queryKey: settingKeys.sessions,
  queryFn: ({ signal }) => api(routes.identity.listSessions, {}, { signal }),
});

export const myQuotaQuery = queryOptions({
  queryKey: settingKeys.myQuota,
  queryFn: ({ signal }) => api(routes.identity.myQuota, {}, { signal }),
});

export const keysQuery = queryOptions({
  queryKey: settingKeys.keys,
  queryFn: ({ signal }) => api(routes.identity.listKeys, {}, { signal }),
});

/** A chat is linked on another device, so the list is asked for again while one waits for that. */
export const channelsQuery = queryOptions({
  queryKey: settingKeys.channels,
  queryFn: ({ signal }) => api(routes.channels.list, {}, { signal }),
});

/** As many as tell how a channel does. */
const deliveriesShown = 10;
const pendingEveryMs = 1_500;

/** Asked for again while one of them is pending: what comes of it is told by no stream. */
export const deliveriesQuery = (channelId: string) =>
  queryOptions({
    queryKey: [...settingKeys.deliveries, channelId],
    queryFn: ({ signal }) =>
      api(routes.channels.deliveries, { params: { channelId }, query: { limit: deliveriesShown } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ state: now }) => now === "pending") ? pendingEveryMs : false,
  });

export const peopleQuery = infiniteQueryOptions({
  queryKey: settingKeys.people,
  queryFn: ({ signal, pageParam }) => api(routes.identity.listUsers, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor,
});

/** What was done again and again becomes one line, so a page is longer than it looks. */
const auditPerPage = 200;

export type AuditFilter = { readonly actor_id?: string | undefined; readonly part?: AuditPart | undefined };

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...settingKeys.audit, filter],
    queryFn: ({ signal, pageParam }) =>
      api(routes.identity.listAudit, { query: { ...filter, cursor: pageParam, limit: auditPerPage } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

export const modelSettingsQuery = queryOptions({
  queryKey: settingKeys.models,
  queryFn: ({ signal }) => api(routes.models.settings, {}, { signal }),
});

/** After a change: its answer is what the page shows, and what is offered for new runs is asked for again. */
export function useKeepModelSettings() {
  const queryClient = useQueryClient();
  return (settings: RouteResult<typeof routes.models.settings>) => {
    queryClient.setQueryData(settingKeys.models, settings);
    void queryClient.invalidateQueries({ queryKey: keys.models });
  };
}

export const quotasQuery = infiniteQueryOptions({
  queryKey: settingKeys.quotas,
  queryFn: ({ signal, pageParam }) => api(routes.identity.quotas, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor,
});

export type RunGroup = "active" | "all";

export const allRunsQuery = (group: RunGroup) =>
  infiniteQueryOptions({
    queryKey: [...settingKeys.allRuns, group],
    queryFn: ({ signal, pageParam }) =>
      api(routes.identity.allRuns, { query: { cursor: pageParam, group } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });

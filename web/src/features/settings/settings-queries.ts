// Server state of the settings pages.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";

export const settingKeys = {
  sessions: ["settings", "sessions"] as const,
  keys: ["settings", "keys"] as const,
  channels: ["settings", "channels"] as const,
  deliveries: ["settings", "deliveries"] as const,
  people: ["settings", "people"] as const,
  audit: ["settings", "audit"] as const,
};

export const sessionsQuery = queryOptions({
  queryKey: settingKeys.sessions,
  queryFn: ({ signal }) => api(routes.identity.listSessions, {}, { signal }),
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

export const auditQuery = infiniteQueryOptions({
  queryKey: settingKeys.audit,
  queryFn: ({ signal, pageParam }) => api(routes.identity.listAudit, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor,
});

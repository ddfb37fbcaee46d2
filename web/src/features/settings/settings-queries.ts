// Server state of the settings pages.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";

export const settingKeys = {
  sessions: ["settings", "sessions"] as const,
  keys: ["settings", "keys"] as const,
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

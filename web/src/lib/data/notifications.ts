// Server state about what one was told: the latest for the bell, all of it for its page, and which events one wants to hear of.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export type NotificationPreference = RouteResult<typeof routes.notifications.preferences>["preferences"][number];

/** As many as the bell shows without scrolling. */
const latestShown = 6;
const perPage = 25;

/** With how many are unread. */
export const latestNotificationsQuery = queryOptions({
  queryKey: [...keys.notifications, "latest"],
  queryFn: ({ signal }) => api(routes.notifications.list, { query: { limit: latestShown } }, { signal }),
});

/** Newest first. */
export const notificationsQuery = (unread: boolean) =>
  infiniteQueryOptions({
    queryKey: [...keys.notifications, "list", { unread }],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.notifications.list,
        { query: { limit: perPage, cursor: pageParam, unread: unread ? "true" : "false" } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });

export const notificationPreferencesQuery = queryOptions({
  queryKey: keys.notificationPreferences,
  queryFn: ({ signal }) => api(routes.notifications.preferences, {}, { signal }),
});

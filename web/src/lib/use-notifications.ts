// What one does with a notification, wherever it is shown: mark it as read, mark all of them, follow where it leads, be there.

import { useDocumentVisibility } from "@mantine/hooks";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { type Notification, routes } from "../../../src/protocol/api.ts";
import { api } from "./api.ts";
import { keys } from "./data/keys.ts";
import { onNotification } from "./live/use-feed.ts";
import { safeReturn } from "./search-params.ts";

/** The lists, and the number on the bell. */
async function refreshUnread(queryClient: QueryClient): Promise<void> {
  const both = [keys.notifications, keys.runCounts];
  await Promise.all(both.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function useReadNotification() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (notificationId: string) => api(routes.notifications.read, { params: { notificationId } }),
    onSettled: () => refreshUnread(queryClient),
  });
}

export function useReadAllNotifications() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api(routes.notifications.readAll, {}),
    onSettled: () => refreshUnread(queryClient),
  });
}

/** Marks what leads to the page that the user looks at, whether it was there before or comes now. For the shell alone. */
export function useVisits(pathname: string, unread: number): void {
  const queryClient = useQueryClient();
  const { mutate: visit } = useMutation({
    mutationFn: (path: string) => api(routes.notifications.visit, { body: { path } }),
    onSuccess: ({ read }) => (read === 0 ? undefined : refreshUnread(queryClient)),
  });
  const isLookedAt = useDocumentVisibility() === "visible";
  useEffect(() => {
    if (isLookedAt && unread > 0) visit(pathname);
  }, [visit, pathname, unread, isLookedAt]);
  // The number alone may stay the same: one is read elsewhere while another comes.
  useEffect(
    () => (isLookedAt ? onNotification((told) => (leadsTo(told, pathname) ? visit(pathname) : undefined)) : undefined),
    [visit, pathname, isLookedAt],
  );
}

/** Whether this page, or one above it, is where the notification leads. */
export function leadsTo({ action_url: address }: Pick<Notification, "action_url">, pathname: string): boolean {
  const [place = ""] = address.split("?");
  return pathname === place || pathname.startsWith(`${place}/`);
}

type Opened = Pick<Notification, "id" | "action_url" | "read_at">;

/** Marks it as read and goes where it leads, which is never another site. */
export function useOpenNotification(): (notification: Opened) => void {
  const router = useRouter();
  const { mutate: read } = useReadNotification();
  return useCallback(
    ({ id, action_url: address, read_at: readAt }) => {
      if (readAt === null) read(id);
      router.history.push(safeReturn(address));
    },
    [router, read],
  );
}

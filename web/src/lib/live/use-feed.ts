// The user's feed, followed once by the shell: what it tells of is fetched again, and its listeners are told. It begins
// where it stood when the page asked who is signed in, which is before it asked for anything else.

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FeedEvent, Notification } from "../../../../src/protocol/api.ts";
import { keys } from "../data/keys.ts";
import { meQuery } from "../data/me.ts";
import { useRefresher } from "./refresher.ts";
import { onStreamRefused, useLiveTopic } from "./tab-stream.ts";
import { touchedByFeed } from "./touched-queries.ts";

/** Ten busy runs of one user change several times a second each. */
const refreshEveryMs = 500;

/** With whether the user wants the browser to show it. */
export type RungNotification = Notification & { readonly browser: boolean };

const listeners = new Set<(notification: RungNotification) => void>();

/** Told of each notification when it comes, once per tab, and of none from before the page was opened. Returns how to stop. */
export function onNotification(listener: (notification: RungNotification) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** For the shell alone. */
export function useFeed(): void {
  const queryClient = useQueryClient();
  const refresh = useRefresher(refreshEveryMs);
  // The first answer of /api/me counts: the feed has not told yet what a later answer already includes. It is undefined right after
  // signing in.
  const [after] = useState(() => queryClient.getQueryData(meQuery.queryKey)?.feed_seq);
  useLiveTopic(
    "feed",
    after,
    ({ data }) => {
      const event = data as FeedEvent;
      refresh(...touchedByFeed(event));
      if (event.type === "notification_created") tellOf(event.data as RungNotification);
    },
    undefined,
    () => refresh(keys.runs, everyRun, keys.outcomes, keys.notifications),
  );
  // Asking who is signed in tells whether the session is over; if it is, the answer leads to the sign-in page.
  useEffect(() => onStreamRefused(() => void queryClient.invalidateQueries({ queryKey: keys.me })), [queryClient]);
}

const everyRun: QueryKey = keys.run("").slice(0, 1);

function tellOf(created: RungNotification): void {
  for (const listener of listeners) listener(created);
}

// The user's feed, followed once by the shell: what it tells of is fetched again, and its listeners are told. It begins
// with now, and what was loaded before is loaded again then.

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { z } from "zod";
import { routes } from "../../../../src/protocol/api.ts";
import { notification } from "../../../../src/protocol/routes/notifications.ts";
import { keys } from "../data/keys.ts";
import { useRefresher } from "./refresher.ts";
import { onStreamRefused, useLiveTopic } from "./tab-stream.ts";
import { touchedByFeed } from "./touched-queries.ts";

/** Ten busy runs of one user change several times a second each. */
const refreshEveryMs = 500;

/** With whether the user wants the browser to show it. */
const rung = notification.extend({ browser: z.boolean().default(false) });
export type RungNotification = z.infer<typeof rung>;

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
  useLiveTopic(
    "feed",
    undefined,
    ({ data }) => {
      const event = routes.runs.feed.result.parse(data);
      refresh(...touchedByFeed(event));
      if (event.type === "notification_created") tellOf(rung.parse(event.data));
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

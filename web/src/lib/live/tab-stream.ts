// The one live stream of this tab, for everything on the page: what topic-stream.ts does, with the browser around it.

import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import { queryOf } from "../../../../src/protocol/client.ts";
import type { LiveTopic } from "../../../../src/protocol/live-topic.ts";
import { probeServer } from "../probe-server.ts";
import { isReachable, subscribeReachability } from "../reachability.ts";
import type { Listener, LiveEvent } from "./topic-book.ts";
import { type Following, type LiveStatus, TopicStream } from "./topic-stream.ts";

const statusListeners = new Set<() => void>();
const refusedListeners = new Set<() => void>();

const stream = new TopicStream({
  open: (topics) => new EventSource(`${routes.live.follow.path}${queryOf({ topics })}`),
  isVisible: () => document.visibilityState === "visible",
  mayRing: () => "Notification" in globalThis && Notification.permission === "granted",
  probe: () => void probeServer(),
  random: Math.random,
  onStatus: () => {
    for (const listener of statusListeners) listener();
  },
  onRefused: () => {
    for (const listener of refusedListeners) listener();
  },
});

document.addEventListener("visibilitychange", () => stream.visibilityChanged());
subscribeReachability(() => {
  if (isReachable()) stream.serverIsBack();
});

/**
 * Follows a topic while the component is there; null: none yet. `after` is the last event that is in what one shows (such as
 * `last_seq` of an answer), and may change as that does: what came after it is told, in order and once. Undefined: what happens
 * from now on. `onGone`: it is not there, or not one's own any more. `onMissed`: something may have happened that no event
 * tells of, so load again; also told at the beginning, and after a long pause, where `after` is undefined.
 */
export function useLiveTopic(
  topic: LiveTopic | null,
  after: number | undefined,
  onEvent: (event: LiveEvent) => void,
  onGone?: () => void,
  onMissed?: () => void,
): void {
  const latest = useRef<Listener & { readonly after: number | undefined }>({ after, onEvent, onGone, onMissed });
  const following = useRef<Following | null>(null);
  useLayoutEffect(() => {
    latest.current = { after, onEvent, onGone, onMissed };
  });
  useEffect(() => {
    if (topic === null) return;
    const begun = stream.follow(topic, latest.current.after, {
      onEvent: (event) => latest.current.onEvent(event),
      onGone: () => latest.current.onGone?.(),
      onMissed: () => latest.current.onMissed?.(),
    });
    following.current = begun;
    return () => {
      following.current = null;
      begun.leave();
    };
  }, [topic]);
  useEffect(() => following.current?.moveTo(after), [after]);
}

/** Whether the page is told of what happens: `away` while the server cannot be reached. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(subscribeStatus, () => stream.status);
}

function subscribeStatus(listener: () => void): () => void {
  statusListeners.add(listener);
  return () => void statusListeners.delete(listener);
}

/** The server answered, and said no: perhaps someone has to sign in again. Returns how to stop. */
export function onStreamRefused(listener: () => void): () => void {
  refusedListeners.add(listener);
  return () => void refusedListeners.delete(listener);
}

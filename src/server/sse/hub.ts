// The topics that someone watches. A topic is forgotten when its last watcher leaves.

import { createTopic, type StreamEvent, type Topic } from "./topic.ts";

export type ReadEvents = (topic: string, afterSeq: number, limit: number) => Promise<readonly StreamEvent[]>;

export type Subscription = Pick<Topic, "next" | "woken"> & { readonly close: () => void };

export type Hub = ReturnType<typeof createHub>;

export function createHub(read: ReadEvents) {
  const watched = new Map<string, { readonly topic: Topic; watchers: number }>();

  function subscribe(name: string): Subscription {
    const entry = watched.get(name) ?? { topic: createTopic((after, limit) => read(name, after, limit)), watchers: 0 };
    watched.set(name, entry);
    entry.watchers += 1;
    let open = true;
    return {
      next: entry.topic.next,
      woken: entry.topic.woken,
      close: () => {
        if (!open) return;
        open = false;
        entry.watchers -= 1;
        if (entry.watchers === 0) watched.delete(name);
      },
    };
  }

  return {
    subscribe,
    /** Something was written to this topic. */
    notify: (name: string) => watched.get(name)?.topic.notify(),
    /** We may have missed something on any topic: everyone looks again. */
    notifyAll: () => {
      for (const { topic } of watched.values()) topic.notify();
    },
    topicCount: () => watched.size,
  };
}

// Everything that goes to one client, in order: what it missed of each of its topics, then what comes. Topics take turns, a
// page each, so that none waits for the backlog of another.

import type { Env } from "../../lib/env.ts";
import { type Followed, goneEvent } from "./followed.ts";
import type { Hub, Subscription } from "./hub.ts";
import type { EncodedEvent } from "./topic.ts";

/** A stream that is open. */
export type Live = {
  readonly userId: string;
  /** When a chunk was offered that the client has not taken yet. */
  offeredAt: number | null;
  beatAt: number;
  isEnded: boolean;
  /** Rung when the stream has to look around: news, time to beat, or to end. */
  bell: PromiseWithResolvers<void>;
  /** Cuts the connection instead of ending it. */
  cut: (why: Error) => void;
};

export function ring(one: Live): void {
  const rung = one.bell;
  one.bell = Promise.withResolvers();
  rung.resolve();
}

export type Pace = { readonly heartbeatMs: number; readonly maxAgeMs: number };

/** Not all at once: a thousand clients that came together would be looked up together, again and again. */
export const nextBeat = (env: Env, { heartbeatMs }: Pace): number => env.now() + heartbeatMs * (0.5 + env.random() / 2);

type OpenTopic = {
  readonly name: string;
  readonly prefix: Uint8Array | null;
  readonly subscription: Subscription;
  seq: number;
  /** There may be something to read. */
  mayHaveNews: boolean;
  /** One waiting for news at a time, or a silent topic would collect those of every turn. */
  isListening: boolean;
};

const encoder = new TextEncoder();

/** Ends when the stream should. */
export async function* chunksOf(
  { hub, env, pace }: { readonly hub: Hub; readonly env: Env; readonly pace: Pace },
  one: Live,
  followed: Followed,
): AsyncGenerator<Uint8Array, undefined> {
  const open = openTopics(hub, followed);
  const endAt = env.now() + pace.maxAgeMs * (0.8 + env.random() * 0.2); // Not all clients at the same moment.
  try {
    // Browsers wait this long before they come back, stretched so that they do not all come at once.
    yield encoder.encode(`retry: ${1_000 + Math.floor(env.random() * 2_000)}\n\n${followed.opening}`);
    while (!one.isEnded && env.now() < endAt) {
      const { promise: rung } = one.bell; // Before reading: what happens in between wakes us again.
      const isTimeToBeat = env.now() >= one.beatAt;
      const hasTold = yield* tellNews(one, open, isTimeToBeat);
      if (one.isEnded) return;
      if (isTimeToBeat) {
        const admitted = await followed.stillAdmitted();
        if (admitted === null) return;
        yield* dropGone(open, admitted);
        one.beatAt = nextBeat(env, pace);
        yield followed.beat;
      }
      if (!hasTold) await rung;
    }
  } finally {
    for (const topic of open) leave(open, topic);
  }
}

function openTopics(hub: Hub, { topics }: Followed): Set<OpenTopic> {
  const begun = topics.map(({ topic, after, name, prefix }) => {
    const subscription = hub.subscribe(topic);
    return { name, prefix, subscription, seq: after, mayHaveNews: true, isListening: false };
  });
  return new Set(begun);
}

/** At most a page of each topic. With every beat the database is asked, whether or not anyone told of anything. */
async function* tellNews(
  one: Live,
  open: ReadonlySet<OpenTopic>,
  isTimeToBeat: boolean,
): AsyncGenerator<Uint8Array, boolean> {
  let hasTold = false;
  for (const topic of open) {
    if (!topic.mayHaveNews && !isTimeToBeat) continue;
    const events = await readOn(one, topic, isTimeToBeat);
    if (one.isEnded) break;
    if (events.length === 0) continue;
    hasTold = true;
    yield joined(events, topic.prefix);
  }
  return hasTold;
}

function* dropGone(open: Set<OpenTopic>, admitted: ReadonlySet<string>): Generator<Uint8Array> {
  for (const topic of open) {
    if (admitted.has(topic.name)) continue;
    leave(open, topic);
    yield encoder.encode(goneEvent(topic.name));
  }
}

function leave(open: Set<OpenTopic>, topic: OpenTopic): void {
  open.delete(topic);
  topic.subscription.close();
}

/** The next page. `isDoubted`: notifications follow the commit, and the process that sends them may have died. */
async function readOn(one: Live, topic: OpenTopic, isDoubted: boolean): Promise<readonly EncodedEvent[]> {
  topic.mayHaveNews = false;
  listen(one, topic);
  const events = await topic.subscription.next(topic.seq, isDoubted);
  const last = events.at(-1);
  if (last) {
    topic.seq = last.seq;
    topic.mayHaveNews = true; // There may be another page.
  }
  return events;
}

function listen(one: Live, topic: OpenTopic): void {
  if (topic.isListening) return;
  topic.isListening = true;
  void topic.subscription.woken().then(() => {
    topic.isListening = false;
    topic.mayHaveNews = true;
    ring(one);
  });
}

function joined(events: readonly EncodedEvent[], prefix: Uint8Array | null): Uint8Array {
  if (prefix === null && events.length === 1 && events[0]) return events[0].bytes;
  return Buffer.concat(events.flatMap(({ bytes }) => (prefix === null ? [bytes] : [prefix, bytes])));
}

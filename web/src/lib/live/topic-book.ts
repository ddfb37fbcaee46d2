// What this tab knows of one live topic: who follows it and how far each of them is, and the last events, so that someone who
// comes late or steps back needs no new connection. It opens nothing and knows no clock.

import type { LiveTopic } from "../../../../src/protocol/live-topic.ts";

export type LiveEvent = { readonly seq: number; readonly name: string; readonly data: unknown };

export type Listener = {
  readonly onEvent: (event: LiveEvent) => void;
  /** The topic is not there, or no longer one's own. */
  readonly onGone?: (() => void) | undefined;
  /** Something may have happened that no event will tell of: load again. At first told to followers that gave no number. */
  readonly onMissed?: (() => void) | undefined;
};

export type Follower = {
  readonly listener: Listener;
  /** What it last said it has; undefined: nothing in particular. */
  said: number | undefined;
  /** The last event it was told of; undefined until it is known where "now" is. */
  cursor: number | undefined;
};

/** The last events that are kept; a follower that needs older ones is served by a new connection. */
const recentMax = 500;

export class TopicBook {
  readonly topic: LiveTopic;
  /** Said by the server; a follower that comes after that asks again. */
  isGone = false;
  readonly #followers = new Set<Follower>();
  /** All events after `from`, up to `upTo`; null until the server has said where it begins. */
  #known: { from: number; upTo: number; events: LiveEvent[] } | null = null;

  constructor(topic: LiveTopic) {
    this.topic = topic;
  }

  get isEmpty(): boolean {
    return this.#followers.size === 0;
  }

  add(listener: Listener, after: number | undefined): Follower {
    const follower: Follower = { listener, said: after, cursor: after };
    this.#followers.add(follower);
    return follower;
  }

  remove(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** It says what it has now. Returns whether that is news. */
  move(follower: Follower, after: number | undefined): boolean {
    if (after === follower.said) return false;
    follower.said = after;
    follower.cursor = after ?? follower.cursor;
    return true;
  }

  /** After which event a new connection has to begin; undefined: with now. */
  ask(): number | undefined {
    const cursors = [...this.#followers].flatMap(({ cursor }) => (cursor === undefined ? [] : [cursor]));
    if (this.#known) cursors.push(this.#known.upTo);
    return cursors.length === 0 ? undefined : Math.min(...cursors);
  }

  /** Someone lacks events that a connection which is at this number will not bring. */
  lacksBefore(position: number | undefined): boolean {
    const from = this.#known?.from ?? Number.POSITIVE_INFINITY;
    return [...this.#followers].some(
      ({ cursor }) => cursor !== undefined && cursor < from && (position === undefined || cursor < position),
    );
  }

  /** Where a connection begins that was asked to begin after `asked`. */
  begin(seq: number, asked: number | undefined): void {
    this.#known ??= { from: seq, upTo: seq, events: [] };
    // Fewer events than there were (a database was put back), or "now" is later than what we had.
    if (asked === undefined ? seq > this.#known.upTo : seq < asked) this.#restart(seq);
    this.catchUpAll();
  }

  /** An event of a connection that was at number `position` before. */
  take(event: LiveEvent, position: number): void {
    if (!this.#known) return;
    const { from, upTo } = this.#known;
    for (const follower of this.#followers) {
      const { cursor } = follower;
      if (cursor === undefined || position > cursor || event.seq <= cursor) continue;
      if (event.seq > position + 1) this.#tellMissed(follower); // The server has forgotten what was between.
      if (cursor < from) this.#tellEvent(follower, event);
    }
    if (event.seq > upTo && position <= upTo) this.#keep(event);
    this.catchUpAll();
  }

  catchUpAll(): void {
    for (const follower of this.#followers) this.#catchUp(follower);
  }

  tellGone(): void {
    for (const follower of this.#followers) this.#tell(follower, ({ onGone }) => onGone?.());
  }

  /** Before a long pause: if no follower said what it has, events of the pause need not be told one by one. */
  forget(): void {
    if ([...this.#followers].some(({ said }) => said !== undefined)) return;
    this.#known = null;
    for (const follower of this.#followers) follower.cursor = undefined;
  }

  #keep(event: LiveEvent): void {
    if (!this.#known) return;
    const { events } = this.#known;
    events.push(event);
    this.#known.upTo = event.seq;
    if (events.length > recentMax) this.#known.from = events.shift()?.seq ?? this.#known.from;
  }

  #catchUp(follower: Follower): void {
    if (!this.#known) return;
    const { from, upTo, events } = this.#known;
    if (follower.cursor === undefined) {
      follower.cursor = upTo;
      this.#tellMissed(follower);
    }
    const { cursor } = follower;
    if (cursor < from || cursor >= upTo) return; // What is before comes from the server.
    for (const event of events.filter(({ seq }) => seq > cursor))
      if (event.seq > follower.cursor) this.#tellEvent(follower, event);
  }

  /** From here on nothing before is known. */
  #restart(seq: number): void {
    this.#known = { from: seq, upTo: seq, events: [] };
    for (const follower of this.#followers) {
      if (follower.cursor === undefined || follower.cursor === seq) continue;
      follower.cursor = seq;
      this.#tellMissed(follower);
    }
  }

  #tellEvent(follower: Follower, event: LiveEvent): void {
    follower.cursor = event.seq;
    this.#tell(follower, ({ onEvent }) => onEvent(event));
  }

  #tellMissed(follower: Follower): void {
    this.#tell(follower, ({ onMissed }) => onMissed?.());
  }

  /** The others hear of it also when one of them fails. */
  #tell(follower: Follower, what: (listener: Listener) => void): void {
    if (!this.#followers.has(follower)) return;
    try {
      what(follower.listener);
    } catch (thrown) {
      setTimeout(() => {
        throw thrown; // Seen as any bug of a page is.
      });
    }
  }
}

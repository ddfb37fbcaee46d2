// The one live stream of a tab, without a browser around it: carries all topics that are followed, opens a new connection when
// they change and closes the old one when the new one is open, comes back after a cut from where each topic was, and sleeps
// while the tab is hidden. Nothing is lost and nothing doubled on the way.

import { type LiveTopic, liveTopicsMax } from "../../../../src/protocol/live-topic.ts";
import { type Connection, openConnection, type Source, topicsText } from "./live-connection.ts";
import { NamedTimers } from "./named-timers.ts";
import { type Listener, TopicBook } from "./topic-book.ts";

/** `away`: the server could not be reached the last time, or the tab is hidden. */
export type LiveStatus = "live" | "connecting" | "away";

export type StreamSurroundings = {
  readonly open: (topics: string) => Source;
  readonly isVisible: () => boolean;
  /** The system shows notifications for this page, so the feed is wanted also while the tab is hidden. */
  readonly mayRing: () => boolean;
  /** Asks the server for a sign of life; listeners for reachability are told of the answer. */
  readonly probe: () => void;
  readonly random: () => number;
  readonly onStatus: (status: LiveStatus) => void;
  /** The server answered, and said no: perhaps someone has to sign in again. */
  readonly onRefused: () => void;
};

export type Following = {
  /** What one has now: what came after it is told, again if need be. */
  readonly moveTo: (after: number | undefined) => void;
  readonly leave: () => void;
};

/** A page that appears follows several topics at once: one connection for all of them. */
const settleMs = 50;
/** Long enough to look at another tab for a moment; browsers allow six connections per server. */
const sleepAfterMs = 30_000;
/** Before the server ends it (after four minutes at the least), so that there is no pause. */
const renewAfterMs = 200_000;
/** The server gives a sign of life at least every 15 s. */
const silenceMaxMs = 45_000;
/** A server that says no is asked less and less often, until the pause is so many times the usual one. */
const refusalsMax = 10;

export class TopicStream {
  readonly #around: StreamSurroundings;
  readonly #books = new Map<LiveTopic, TopicBook>();
  readonly #timers = new NamedTimers<"settle" | "retry" | "renew" | "silence" | "sleep">();
  /** The one that is open, and the one that will take its place. */
  #current: Connection | null = null;
  #coming: Connection | null = null;
  #isAsleep = false;
  #failures = 0;
  #status: LiveStatus = "connecting";

  constructor(around: StreamSurroundings) {
    this.#around = around;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** Follows a topic after the event that one has; without one, from now on. */
  follow(topic: LiveTopic, after: number | undefined, listener: Listener): Following {
    const book = this.#books.get(topic) ?? new TopicBook(topic);
    this.#books.set(topic, book);
    book.isGone = false;
    const follower = book.add(listener, after);
    this.#settleSoon();
    return {
      moveTo: (now) => {
        if (book.move(follower, now)) this.#settleSoon();
      },
      leave: () => {
        book.remove(follower);
        if (book.isEmpty && this.#books.get(topic) === book) this.#drop(topic);
      },
    };
  }

  visibilityChanged(): void {
    this.#timers.clear("sleep");
    if (!this.#around.isVisible()) this.#timers.set("sleep", sleepAfterMs, () => this.#fallAsleep());
    else if (this.#isAsleep) {
      this.#isAsleep = false;
      this.#settle();
    }
  }

  /** A server that is back need not be waited for any longer. */
  serverIsBack(): void {
    if (this.#timers.isSet("retry")) this.#renew();
  }

  #drop(topic: LiveTopic): void {
    this.#books.delete(topic);
    for (const one of [this.#current, this.#coming]) one?.positions.delete(topic);
    this.#settleSoon();
  }

  #fallAsleep(): void {
    this.#isAsleep = true;
    const kept = new Set(this.#wanted());
    for (const book of this.#books.values()) if (!kept.has(book)) book.forget();
    this.#settle();
  }

  #settleSoon(): void {
    if (!this.#timers.isSet("settle")) this.#timers.set("settle", settleMs, () => this.#settle());
  }

  /** Brings the connection in line with what is followed. */
  #settle(): void {
    this.#timers.clear("settle");
    for (const book of this.#books.values()) book.catchUpAll();
    const wanted = this.#wanted();
    if (wanted.length === 0) this.#close();
    else if (!isServed(wanted, this.#coming ?? this.#current) && !this.#timers.isSet("retry")) this.#connect(wanted);
    this.#tellStatus();
  }

  /** The newest first, and the feed always: what does not fit waits until there is room. */
  #wanted(): readonly TopicBook[] {
    const followed = [...this.#books.values()].filter(({ isGone }) => !isGone).reverse();
    const feed = followed.filter(({ topic }) => topic === "feed");
    if (this.#isAsleep) return this.#around.mayRing() ? feed : [];
    return [...feed, ...followed.filter(({ topic }) => topic !== "feed")].slice(0, liveTopicsMax);
  }

  #connect(wanted: readonly TopicBook[]): void {
    this.#coming?.source.close();
    this.#timers.clear("retry");
    const asked = new Map(wanted.map((book) => [book.topic, book.ask()]));
    const opened: Connection = openConnection(this.#around.open(topicsText(asked)), asked, {
      onOpen: () => {
        if (opened === this.#coming) this.#takeOver(opened);
      },
      onSign: () => {
        if (opened === this.#current) this.#watchSilence(opened);
      },
      onBegin: (topic, seq) => {
        if (!this.#isUsed(opened) || !opened.positions.has(topic)) return;
        opened.positions.set(topic, seq);
        this.#books.get(topic)?.begin(seq, asked.get(topic));
      },
      onEvent: (topic, event) => {
        const position = opened.positions.get(topic);
        if (!this.#isUsed(opened) || position === undefined) return;
        opened.positions.set(topic, event.seq);
        this.#books.get(topic)?.take(event, position);
      },
      onGone: (topic) => {
        if (this.#isUsed(opened)) this.#lose(opened, topic);
      },
      onError: (isRefused) => {
        if (this.#isUsed(opened)) this.#fail(opened, isRefused);
      },
    });
    this.#coming = opened;
  }

  #isUsed(connection: Connection): boolean {
    return connection === this.#current || connection === this.#coming;
  }

  #takeOver(opened: Connection): void {
    this.#current?.source.close();
    this.#current = opened;
    this.#coming = null;
    this.#failures = 0;
    this.#watchSilence(opened);
    this.#timers.set("renew", renewAfterMs, () => this.#renew());
    this.#tellStatus();
  }

  /** A connection that died while the machine slept says nothing at all. */
  #watchSilence(opened: Connection): void {
    this.#timers.set("silence", silenceMaxMs, () => this.#fail(opened, false));
  }

  #lose(from: Connection, topic: LiveTopic): void {
    from.asked.delete(topic); // It carries the others, and they are all that is wanted.
    from.positions.delete(topic);
    const book = this.#books.get(topic);
    if (!book || book.isGone) return;
    book.isGone = true;
    book.tellGone();
    this.#settleSoon();
  }

  #fail(failed: Connection, isRefused: boolean): void {
    failed.source.close(); // It would come back by itself, but from where it began.
    if (failed === this.#coming) {
      this.#coming = null;
      this.#failures += 1;
    } else {
      this.#current = null;
      this.#timers.clear("silence", "renew");
    }
    this.#around.probe();
    if (isRefused) this.#around.onRefused();
    const pause = 1_000 + this.#around.random() * 2_000;
    const times = isRefused ? Math.min(this.#failures, refusalsMax) : 1;
    if (!this.#coming) this.#timers.set("retry", pause * times, () => this.#renew());
    this.#tellStatus();
  }

  /** Another connection, also where the one there is would do. */
  #renew(): void {
    this.#timers.clear("retry");
    const wanted = this.#wanted();
    if (wanted.length > 0) this.#connect(wanted);
    this.#tellStatus();
  }

  #close(): void {
    this.#coming?.source.close();
    this.#current?.source.close();
    this.#coming = null;
    this.#current = null;
    this.#failures = 0;
    this.#timers.clear("retry", "renew", "silence");
  }

  #tellStatus(): void {
    const away = this.#isAsleep || this.#failures > 0 ? "away" : "connecting";
    const now = this.#current ? "live" : away;
    if (now === this.#status) return;
    this.#status = now;
    this.#around.onStatus(now);
  }
}

/** It carries exactly these, and from far enough back. */
function isServed(wanted: readonly TopicBook[], connection: Connection | null): boolean {
  if (!connection || connection.asked.size !== wanted.length) return false;
  const { positions } = connection;
  return wanted.every((book) => positions.has(book.topic) && !book.lacksBefore(positions.get(book.topic)));
}

// A tab's live stream with connections that say what the test makes them say, on vitest's clock.

import { vi } from "vitest";
import type { LiveTopic } from "../../src/protocol/live-topic.ts";
import type { Source } from "../../web/src/lib/live/live-connection.ts";
import { TopicStream } from "../../web/src/lib/live/topic-stream.ts";

type Ear = (event: { data?: string; lastEventId?: string }) => void;

/** An EventSource that says what the test makes it say. */
class FakeSource implements Source {
  readyState = 0;
  readonly topics: string;
  readonly #ears = new Map<string, Ear[]>();

  constructor(topics: string) {
    this.topics = topics;
  }
  addEventListener(type: string, ear: Ear): void {
    this.#ears.set(type, [...(this.#ears.get(type) ?? []), ear]);
  }
  close(): void {
    this.readyState = 2;
  }
  get isClosed(): boolean {
    return this.readyState === 2;
  }
  #say(type: string, event: { data?: string; lastEventId?: string } = {}): void {
    if (!this.isClosed) for (const ear of this.#ears.get(type) ?? []) ear(event);
  }
  /** Opens, and says where each topic begins: where it was asked to, or at `now`. */
  open(now: Readonly<Record<string, number>> = {}): void {
    this.readyState = 1;
    this.#say("open");
    for (const part of this.topics.split(",")) {
      const [topic = "", after] = part.split("@");
      this.begin(topic, now[topic] ?? Number(after ?? 0));
    }
  }
  begin(topic: string, seq: number): void {
    this.#say("begin", { data: `${topic}\n{"seq":${seq}}` });
  }
  event(topic: string, ...seqs: readonly number[]): void {
    for (const seq of seqs) this.#say("run_event", { data: `${topic}\n{"n":${seq}}`, lastEventId: String(seq) });
  }
  gone(topic: string): void {
    this.#say("gone", { data: topic });
  }
  alive(): void {
    this.#say("alive", { data: "yes" });
  }
  cut(): void {
    this.readyState = 0;
    this.#say("error");
  }
  refuse(): void {
    const ears = this.#ears.get("error") ?? [];
    this.readyState = 2;
    for (const ear of ears) ear({});
  }
}

export function fakeStream() {
  const sources: FakeSource[] = [];
  const world = { isVisible: true, mayRing: false, probes: 0, refusals: 0, statuses: [] as string[] };
  const stream = new TopicStream({
    open: (topics) => {
      const source = new FakeSource(topics);
      sources.push(source);
      return source;
    },
    isVisible: () => world.isVisible,
    mayRing: () => world.mayRing,
    probe: () => {
      world.probes += 1;
    },
    random: () => 0.5,
    onStatus: (status) => world.statuses.push(status),
    onRefused: () => {
      world.refusals += 1;
    },
  });
  const follow = (topic: LiveTopic, after?: number) => {
    const heard = { seqs: [] as number[], gone: 0, missed: 0, moveTo: (_: number) => {}, leave: () => {} };
    const following = stream.follow(topic, after, {
      onEvent: ({ seq }) => heard.seqs.push(seq),
      onGone: () => {
        heard.gone += 1;
      },
      onMissed: () => {
        heard.missed += 1;
      },
    });
    return Object.assign(heard, following);
  };
  const last = () => sources.at(-1) as FakeSource;
  const live = () => sources.filter(({ isClosed }) => !isClosed);
  /** Long enough for followers that came together. */
  const settle = () => vi.advanceTimersByTime(50);
  const hide = () => {
    world.isVisible = false;
    stream.visibilityChanged();
    vi.advanceTimersByTime(30_000);
  };
  const show = () => {
    world.isVisible = true;
    stream.visibilityChanged();
  };
  return { stream, world, sources, follow, last, live, settle, hide, show };
}

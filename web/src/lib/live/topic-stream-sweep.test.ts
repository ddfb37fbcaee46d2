// Whatever comes and goes, is cut, refused, hidden or written meanwhile: every follower hears what came after what it had, in
// order, each event once. By seed: the number in the message plays the same again.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveTopic } from "../../../../src/protocol/live-topic.ts";
import type { Source } from "./live-connection.ts";
import { type Following, TopicStream } from "./topic-stream.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const topics: readonly LiveTopic[] = ["feed", "run:a", "run:b", "project:p"];
const seeds = 300;
const stepsOfEach = 120;

/** The same numbers for the same seed. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

type Ear = (event: { data?: string; lastEventId?: string }) => void;

/** A connection to a server that has these logs (their lengths), and tells at its own pace. */
class ServedSource implements Source {
  readyState = 0;
  readonly #logs: ReadonlyMap<string, number>;
  readonly #positions: Map<string, number | undefined>;
  readonly #ears = new Map<string, Ear>();

  constructor(asked: string, logs: ReadonlyMap<string, number>) {
    this.#logs = logs;
    this.#positions = new Map(
      asked.split(",").map((part) => {
        const [topic = "", after] = part.split("@");
        return [topic, after === undefined ? undefined : Number(after)];
      }),
    );
  }
  addEventListener(type: string, ear: Ear): void {
    this.#ears.set(type, ear);
  }
  close(): void {
    this.readyState = 2;
  }
  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.#ears.get("open")?.({});
    for (const [topic, after] of this.#positions) {
      const begins = after ?? this.#logs.get(topic) ?? 0;
      this.#positions.set(topic, begins);
      if (this.readyState === 1) this.#ears.get("begin")?.({ data: `${topic}\n{"seq":${begins}}` });
    }
  }
  /** At most so many events of each topic. */
  tell(atMost: number): void {
    for (const [topic, position = 0] of this.#positions)
      for (let seq = position + 1; seq <= Math.min(position + atMost, this.#logs.get(topic) ?? 0); seq++) {
        if (this.readyState !== 1) return;
        this.#positions.set(topic, seq);
        this.#ears.get("run_event")?.({ data: `${topic}\n{}`, lastEventId: String(seq) });
      }
  }
  fail(isRefusal: boolean): void {
    if (this.readyState === 2) return;
    this.readyState = isRefusal ? 2 : 0;
    this.#ears.get("error")?.({});
  }
}

type Heard = Following & { readonly topic: string; readonly after: number; readonly seqs: number[]; hasLeft: boolean };

function play(seed: number): string | undefined {
  const random = makeRandom(seed);
  const logs = new Map<string, number>(topics.map((topic) => [topic, random(20)]));
  const sources: ServedSource[] = [];
  const heard: Heard[] = [];
  let isVisible = true;
  const stream = new TopicStream({
    open: (asked) => {
      const source = new ServedSource(asked, logs);
      sources.push(source);
      return source;
    },
    isVisible: () => isVisible,
    mayRing: () => seed % 2 === 0,
    probe: () => {},
    random: () => random(1_000) / 1_000,
    onStatus: () => {},
    onRefused: () => {},
  });
  const one = <T>(all: readonly T[]): T | undefined => all[random(all.length)];
  const follow = () => {
    const topic = one(topics) ?? "feed";
    const after = random((logs.get(topic) ?? 0) + 1);
    const seqs: number[] = [];
    const following = stream.follow(topic, after, { onEvent: ({ seq }) => seqs.push(seq) });
    heard.push({ ...following, topic, after, seqs, hasLeft: false });
  };
  const leave = () => {
    const leaving = one(heard.filter(({ hasLeft }) => !hasLeft));
    leaving?.leave();
    if (leaving) leaving.hasLeft = true;
  };
  const write = () => {
    const topic = one(topics) ?? "feed";
    logs.set(topic, (logs.get(topic) ?? 0) + 1 + random(3));
  };
  const look = () => {
    isVisible = !isVisible;
    stream.visibilityChanged();
  };
  const tell = () => one(sources.slice(-3))?.tell(1 + random(5));
  const pass = () => vi.advanceTimersByTime(one([10, 50, 100, 1_000, 3_000, 31_000, 210_000]) ?? 0);
  // biome-ignore format: one line tells how often each comes
  const moves = [
    follow, leave, write, write, tell, tell, tell, pass, pass, look,
    () => one(sources.slice(-2))?.open(),
    () => one(sources.slice(-2))?.open(),
    () => one(sources.slice(-2))?.fail(random(4) === 0),
    () => stream.serverIsBack(),
  ];
  follow();
  for (let step = 0; step < stepsOfEach; step++) one(moves)?.();
  if (!isVisible) look();
  for (let n = 0; n < 20; n++) {
    vi.advanceTimersByTime(3_000);
    for (const source of sources) source.open();
    for (const source of sources) source.tell(1_000);
  }
  const wrong = heard.find(({ topic, after, seqs, hasLeft }) => {
    const last = hasLeft ? after + seqs.length : (logs.get(topic) ?? 0);
    return seqs.length !== last - after || seqs.some((seq, n) => seq !== after + n + 1);
  });
  vi.clearAllTimers();
  return wrong && `seed ${seed}: ${wrong.topic} after ${wrong.after} of ${logs.get(wrong.topic)}: ${wrong.seqs}`;
}

test("nothing is lost and nothing doubled, whatever happens", () => {
  const problems = Array.from({ length: seeds }, (_, seed) => play(seed + 1)).filter((one) => one !== undefined);
  expect(problems).toEqual([]);
});

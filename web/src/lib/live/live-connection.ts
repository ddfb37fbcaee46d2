// One connection of the tab's live stream: which topics it carries, how far it is in each, and what it says in words.

import type { LiveTopic } from "../../../../src/protocol/live-topic.ts";
import type { LiveEvent } from "./topic-book.ts";

/** What is needed of an EventSource. */
export type Source = {
  readonly readyState: number;
  readonly addEventListener: (
    type: string,
    listener: (event: { readonly data?: string; readonly lastEventId?: string }) => void,
  ) => void;
  readonly close: () => void;
};

export type Connection = {
  readonly source: Source;
  /** What it was asked for: the topics, and after which event each. */
  readonly asked: Map<LiveTopic, number | undefined>;
  /** How far it is, of those that are still wanted from it. */
  readonly positions: Map<LiveTopic, number | undefined>;
};

export type ConnectionEars = {
  readonly onOpen: () => void;
  /** Anything at all was said. */
  readonly onSign: () => void;
  readonly onBegin: (topic: LiveTopic, seq: number) => void;
  readonly onEvent: (topic: LiveTopic, event: LiveEvent) => void;
  readonly onGone: (topic: LiveTopic) => void;
  /** `isRefused`: the server answered, and said no. */
  readonly onError: (isRefused: boolean) => void;
};

const eventNames = ["run_event", "change", "chat_event", "feed_event"] as const;
/** EventSource.CLOSED, which a test has no EventSource for. */
const closed = 2;

/** `feed@12,run:…`: what the address says. */
export function topicsText(asked: ReadonlyMap<LiveTopic, number | undefined>): string {
  return [...asked].map(([topic, after]) => (after === undefined ? topic : `${topic}@${after}`)).join(",");
}

export function openConnection(source: Source, asked: Connection["asked"], ears: ConnectionEars): Connection {
  source.addEventListener("open", ears.onOpen);
  source.addEventListener("error", () => ears.onError(source.readyState === closed));
  source.addEventListener("alive", ears.onSign);
  source.addEventListener("gone", ({ data = "" }) => ears.onGone(data as LiveTopic));
  source.addEventListener("begin", ({ data = "" }) => {
    const [topic, text] = split(data);
    ears.onSign();
    ears.onBegin(topic, (JSON.parse(text) as { readonly seq: number }).seq);
  });
  for (const name of eventNames)
    source.addEventListener(name, ({ data = "", lastEventId = "" }) => {
      const [topic, text] = split(data);
      ears.onSign();
      ears.onEvent(topic, { seq: Number(lastEventId), name, data: JSON.parse(text) as unknown });
    });
  return { source, asked, positions: new Map(asked) };
}

/** The topic, a line break, and what its own stream would say. */
function split(data: string): readonly [LiveTopic, string] {
  const at = data.indexOf("\n");
  return [data.slice(0, at) as LiveTopic, data.slice(at + 1)];
}

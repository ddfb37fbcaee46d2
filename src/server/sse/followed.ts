// What one client follows, in the form that `chunks.ts` works on: a single topic as it is, or several in one stream. Events
// are encoded once for all clients (topic.ts): in a stream of several, each gets the name of its topic as a line of data in
// front, and browsers join lines of data.

/** One topic of a stream. */
export type FollowedTopic = {
  readonly topic: string;
  /** The last event the client has; the number before the first it wants. */
  readonly after: number;
};

/** A stream of one topic: it ends when its user may no longer look. */
export type SingleRequest = FollowedTopic & { readonly stillAdmitted: () => Promise<boolean> };

/** A stream of several, each with the name the client gave it. It goes on when one of them is gone. */
export type ManyRequest = {
  readonly topics: readonly (FollowedTopic & { readonly name: string })[];
  /** Names of those that are not there for its user. */
  readonly gone: readonly string[];
  /** The names of those that its user may still see; null: the user may see nothing any more. */
  readonly stillAdmitted: () => Promise<ReadonlySet<string> | null>;
};

export type Followed = {
  readonly topics: readonly (FollowedTopic & { readonly name: string; readonly prefix: Uint8Array | null })[];
  /** Said first. */
  readonly opening: string;
  readonly beat: Uint8Array;
  readonly stillAdmitted: ManyRequest["stillAdmitted"];
};

const encoder = new TextEncoder();

export const goneEvent = (name: string) => `event: gone\ndata: ${name}\n\n`;

export function followOne({ topic, after, stillAdmitted }: SingleRequest): Followed {
  const admitted: ReadonlySet<string> = new Set([topic]);
  return {
    topics: [{ topic, after, name: topic, prefix: null }],
    opening: "",
    beat: encoder.encode(": alive\n\n"),
    stillAdmitted: async () => ((await stillAdmitted()) ? admitted : null),
  };
}

export function followMany({ topics, gone, stillAdmitted }: ManyRequest): Followed {
  const begin = ({ name, after }: ManyRequest["topics"][number]) =>
    `event: begin\ndata: ${name}\ndata: {"seq":${after}}\n\n`;
  return {
    topics: topics.map((one) => ({ ...one, prefix: encoder.encode(`data: ${one.name}\n`) })),
    opening: [...topics.map(begin), ...gone.map(goneEvent)].join(""),
    // An event, so that scripts can see it: a connection that died in its sleep says nothing by itself.
    beat: encoder.encode("event: alive\ndata: yes\n\n"),
    stillAdmitted,
  };
}

// The live events of one topic: one look at the database per wake-up and one encoding per event, however many clients
// watch. A client that is far behind reads from the database on its own.

/** An event as it goes over the wire; `seq` is its id and has no gaps within a topic. */
export type StreamEvent = { readonly seq: number; readonly name: string; readonly data: unknown };

export type EncodedEvent = { readonly seq: number; readonly bytes: Uint8Array };

export type ReadTopic = (afterSeq: number, limit: number) => Promise<readonly StreamEvent[]>;

const recentMax = 1_000;
const pageSize = 200;
const encoder = new TextEncoder();

const encode = ({ seq, name, data }: StreamEvent): EncodedEvent => ({
  seq,
  bytes: encoder.encode(`id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
});

export type Topic = ReturnType<typeof createTopic>;

export function createTopic(read: ReadTopic) {
  /** The newest events without gaps, ending at number `upTo`; null until someone has read the topic to its end. */
  const recent: EncodedEvent[] = [];
  let upTo: number | null = null;
  /** Something was written since the last read. */
  let stale = false;
  let reading: Promise<void> | null = null;
  let bell = Promise.withResolvers<void>();

  function append(events: readonly StreamEvent[]): void {
    recent.push(...events.map(encode));
    recent.splice(0, Math.max(0, recent.length - recentMax));
    upTo = events.at(-1)?.seq ?? upTo;
  }

  async function refresh(): Promise<void> {
    while (stale && upTo !== null) {
      stale = false;
      const found = await read(upTo, pageSize).catch((thrown: unknown) => {
        stale = true; // The news is still unread.
        throw thrown;
      });
      append(found);
      if (found.length === pageSize) stale = true;
    }
  }

  return {
    /** Something was written. */
    notify(): void {
      stale = true;
      const rung = bell;
      bell = Promise.withResolvers<void>();
      rung.resolve();
    },
    /** Resolves at the next `notify`. */
    woken: (): Promise<void> => bell.promise,
    /** Events after `seq`, at most a page; empty where there are none yet. `isDoubted`: a notification may have been lost. */
    async next(seq: number, isDoubted = false): Promise<readonly EncodedEvent[]> {
      stale ||= isDoubted;
      if (stale && upTo !== null)
        reading ??= refresh().finally(() => {
          reading = null;
        });
      await reading; // Subscribers that come during a read share it.
      if (upTo !== null && seq >= upTo - recent.length)
        return recent.slice(Math.max(0, recent.length - (upTo - seq))).slice(0, pageSize);
      const found = await read(seq, pageSize);
      if (upTo === null && found.length < pageSize) {
        upTo = seq;
        append(found);
      }
      return found.map(encode);
    },
  };
}

// Several streams as one, each in its own order. At most one value of each stream is read ahead.

export async function* mergeStreams<T>(streams: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  type Step = { readonly from: AsyncGenerator<T>; readonly result: IteratorResult<T, unknown> };
  const step = async (from: AsyncGenerator<T>): Promise<Step> => ({ from, result: await from.next() });
  const waiting = new Map(streams.map((stream) => [stream, step(stream)]));
  try {
    while (waiting.size > 0) {
      const { from, result } = await Promise.race(waiting.values());
      if (result.done) {
        waiting.delete(from);
        continue;
      }
      // To the end of the line: a stream that always has something does not keep the others from being heard.
      waiting.delete(from);
      yield result.value;
      waiting.set(from, step(from));
    }
  } finally {
    for (const pending of waiting.values()) pending.catch(() => {});
    for (const stream of streams) void stream.return(undefined).catch(() => {});
  }
}

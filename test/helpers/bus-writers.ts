// Many processes that write to one bus at once.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { BusEntry } from "../../src/runner/bus/entry.ts";
import type { WriterNews, WriterOrder } from "./bus-writer.ts";

export type Writers = {
  /** Lets them all go at the same moment; returns how long the writing took. */
  readonly write: (order: Omit<WriterOrder, "writer">) => Promise<number>;
  readonly end: () => Promise<void>;
};

export async function startWriters(count: number): Promise<Writers> {
  const children = Array.from({ length: count }, () => fork(path.join(import.meta.dirname, "bus-writer.ts")));
  await Promise.all(children.map((child) => hear(child, "ready")));
  return {
    write: async (order) => {
      const began = performance.now();
      const done = children.map((child) => hear(child, "done"));
      children.forEach((child, writer) => {
        child.send({ ...order, writer });
      });
      await Promise.all(done);
      return performance.now() - began;
    },
    end: async () => {
      await Promise.all(children.map(end));
    },
  };
}

async function hear(child: ChildProcess, wanted: WriterNews["type"]): Promise<void> {
  const gone = new AbortController();
  child.once("exit", () => gone.abort());
  const [news] = (await once(child, "message", { signal: gone.signal })) as [WriterNews];
  if (news.type !== wanted) throw new Error(`a writer says ${news.type}, not ${wanted}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.disconnect();
  await exit;
}

/** What is wrong with messages that `runWriters` wrote: missing, mixed up or out of order. */
export function findFaults(entries: readonly BusEntry[], writers: number, count: number): readonly string[] {
  const ids = entries.map(({ msg_id: id }) => id);
  return [
    ...(entries.length === writers * count ? [] : [`${entries.length} messages, not ${writers * count}`]),
    ...(new Set(ids).size === ids.length ? [] : ["ids that are equal"]),
    ...(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? "")) ? [] : ["ids that are out of order"]),
    ...Array.from({ length: writers }, (_, writer) => writer).flatMap((writer) => {
      const bodies = entries.filter(({ run_id: id }) => id === String(writer)).map(({ body }) => body);
      const wanted = Array.from({ length: count }, (_, n) => `writer ${writer}\n---\nmessage ${n}`);
      return JSON.stringify(bodies) === JSON.stringify(wanted) ? [] : [`writer ${writer}`];
    }),
  ];
}

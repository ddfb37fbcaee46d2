// A process that writes to a bus once it is told to, and says how long that took.

import { appendFileSync, closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { openBus } from "../../src/runner/bus/bus.ts";
import { formatEntry } from "../../src/runner/bus/entry.ts";
import { openTask } from "../../src/runner/layout/runner-root.ts";
import { makeRoot } from "./runner-root.ts";

export type WriterOrder = {
  readonly folder: string;
  readonly taskId: string;
  readonly writer: number;
  readonly count: number;
  /** One after the other; all at once; or without the bus, straight to the file. */
  readonly how: "awaited" | "together" | "plain";
  readonly flush: boolean;
};

export type WriterNews = { readonly type: "ready" } | { readonly type: "done" };

process.on("message", (order: WriterOrder) => {
  write(order).then(
    () => tell({ type: "done" }),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit(0));
tell({ type: "ready" });

async function write({ folder, taskId, writer, count, how, flush }: WriterOrder): Promise<void> {
  const root = makeRoot({ folder });
  const task = openTask(root, "garden", taskId);
  const bus = openBus(root, task, { flushAll: flush, lockWaitMs: 60_000 });
  const message = (n: number) => ({
    type: "INFO",
    body: `writer ${writer}\n---\nmessage ${n}`,
    run_id: String(writer),
  });
  if (how === "together") await Promise.all(Array.from({ length: count }, (_, n) => bus.post(message(n))));
  for (let n = 0; n < count && how === "awaited"; n++) await bus.post(message(n));
  for (let n = 0; n < count && how === "plain"; n++) appendPlainly(bus.file, message(n), flush);
}

/** The same bytes, without a lock, an order or a look at what is there. */
function appendPlainly(file: string, message: { type: string; body: string; run_id: string }, flush: boolean): void {
  const head = { msg_id: "MSG-20261116-120000-000000000-PID00000-0000", ts: "2026-11-16T12:00:00.000Z", issue_id: "" };
  const more = { project_id: "garden", task_id: "", parents: [], attachment_path: "", links: [], meta: {} };
  const text = formatEntry({ ...head, ...more, ...message });
  if (!flush) {
    appendFileSync(file, text);
    return;
  }
  const fd = openSync(file, "a");
  writeSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
}

function tell(news: WriterNews): void {
  process.send?.(news);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { tooMuchSignal } from "../tools/web/too-much.ts";

const watchdog = new URL("./page-watchdog.ts", import.meta.url).href;

/** A process that never looks up from its work, with a watchdog beside it. */
async function endOf(
  turn: number,
  limits: { parentPid?: number; cpuMs?: number; memoryMb?: number },
): Promise<unknown> {
  const all = { parentPid: process.pid, cpuMs: 1e9, memoryMb: 1e6, ...limits };
  const program = `
    import { Worker } from "node:worker_threads";
    const turns = new Int32Array(new SharedArrayBuffer(4)).fill(${turn});
    const workerData = { turns, ...${JSON.stringify(all)} };
    const kept = [];
    new Worker(new URL(${JSON.stringify(watchdog)}), { workerData, execArgv: [] }).once("message", () => {
      for (;;) if (kept.length < 300) kept.push(Buffer.alloc(1_048_576, 1));
    });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
  return (await once(child, "exit"))[1];
}

// The parent tells a page that was too much from every other end by the signal.
test.each([
  ["when its parent is gone", 0, { parentPid: 1 }, "SIGKILL"],
  ["when a page takes too much time", 1, { cpuMs: 200 }, tooMuchSignal],
  ["when memory runs over", 0, { memoryMb: 250 }, tooMuchSignal],
])("a process that hears nothing is ended %s", async (_, turn, limits, signal) => {
  expect(await endOf(turn, limits)).toBe(signal);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

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

test.each([
  ["when its parent is gone", 0, { parentPid: 1 }],
  ["when a page takes too much time", 1, { cpuMs: 200 }],
  ["when memory runs over", 0, { memoryMb: 250 }],
])("a process that hears nothing is ended %s", async (_, turn, limits) => {
  expect(await endOf(turn, limits)).toBe("SIGKILL");
});

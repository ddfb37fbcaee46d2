// The thread that ends its process: when the parent is gone, when one page takes more time of the processor than it may, when memory
// runs over. A process that is taking a page apart hears nothing itself. Time of the processor, because on a busy machine honest pages
// take long by the clock.

import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { tooMuchSignal } from "../tools/web/too-much.ts";

const { turns, parentPid, cpuMs, memoryMb } = z
  .object({ turns: z.instanceof(Int32Array), parentPid: z.number(), cpuMs: z.number(), memoryMb: z.number() })
  .parse(workerData);

const lookEveryMs = 50;
const clock = new Int32Array(new SharedArrayBuffer(4));

parentPort?.postMessage("watching"); // Not before: to load this file, the process has to listen.

let turn = 0;
let begun = cpuNow();
for (;;) {
  Atomics.wait(clock, 0, 0, lookEveryMs);
  const now = Atomics.load(turns, 0);
  if (now !== turn) begun = cpuNow();
  turn = now;
  const isWorking = turn % 2 === 1;
  const isLate = isWorking && cpuNow() - begun > cpuMs;
  if (process.ppid !== parentPid) process.kill(process.pid, "SIGKILL");
  // The parent tells this end from one that has other causes.
  if (isLate || process.memoryUsage.rss() > memoryMb * 1_048_576) process.kill(process.pid, tooMuchSignal);
}

function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

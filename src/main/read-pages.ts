// The process that takes foreign pages apart, one after the other. It gets markup and gives text; it has no environment, writes no files and
// starts no programs (`--permission`). It ends with its parent. A thread beside it ends it when a page takes too much (page-watchdog.ts).

import { Worker } from "node:worker_threads";
import { z } from "zod";
import { parsePage } from "../tools/web/parse-page.ts";

const order = z.object({ html: z.string(), url: z.string() });

/** Changes with every page; even numbers: between two pages. */
const turns = new Int32Array(new SharedArrayBuffer(4));

const [parentPid, cpuMs, memoryMb] = process.argv.slice(2).map(Number);
const watchdog = new Worker(new URL("./page-watchdog.ts", import.meta.url), {
  workerData: { turns, parentPid, cpuMs, memoryMb },
  env: {},
  execArgv: [],
});
// Without its watchdog the process would outlive its parent.
watchdog.once("error", () => process.exit(1));
watchdog.once("message", () => process.send?.({ kind: "ready" }));

process.once("disconnect", () => process.exit(0));
process.on("message", (message: unknown) => {
  const { html, url } = order.parse(message);
  Atomics.add(turns, 0, 1);
  const page = parsePage(html, url);
  Atomics.add(turns, 0, 1);
  process.send?.({ kind: "page", page });
});

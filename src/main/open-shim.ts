// The program of a shim: what it is told comes through stdin, which run it is for through its arguments. It is started detached, and
// its output goes to a file in the run's folder.

import { readJson } from "../lib/json.ts";
import { mustFit } from "../lib/shape.ts";
import type { Backend } from "../runner/backends/backend.ts";
import { orderShape } from "../runner/job/job.ts";
import { locateRun } from "../runner/job/job-files.ts";
import { listProcesses } from "../runner/job/process-table.ts";
import { runShim } from "../runner/job/shim.ts";
import { findTask } from "../runner/layout/runner-root.ts";
import { openRunnerRoot } from "./open-runner-root.ts";

/** Arguments and environment of an agent; a system takes two megabytes at most. */
const orderMax = 16 * 1024 * 1024;

/** Arguments: root folder, project, task, run. Never rejects; the exit code is for the log of the starter. */
export async function openShim(
  args: readonly string[],
  loadBackend: (name: string) => Promise<Backend | null>,
): Promise<number> {
  const asked = new AbortController();
  process.on("SIGTERM", () => asked.abort());
  // A shim belongs to no terminal: a run ends by a request to stop, not with a window.
  for (const name of ["SIGINT", "SIGHUP"] as const) process.on(name, () => {});
  try {
    const [folder = "", projectId = "", taskId = "", runId = ""] = args;
    const order = mustFit(orderShape, readJson(await readAll(process.stdin)));
    const backend = await loadBackend(order.backend);
    const root = openRunnerRoot(folder, order.host);
    const task = findTask(root, projectId, taskId);
    if (backend === null || task === null) throw new Error(`${order.backend} or task ${taskId} is not known`);
    await runShim({ root, table: listProcesses, backend, asked: asked.signal, log }, locateRun(task, runId), order);
    return 0;
  } catch (error) {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function readAll(input: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size > orderMax) throw new Error("the order is too large");
  }
  return Buffer.concat(chunks).toString("utf8");
}

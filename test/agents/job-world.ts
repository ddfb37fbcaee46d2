// Jobs with real processes for tests: agents are scripts of `sh`, and what is left of them is found by their tag.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { defaultLimits, type JobHandle, type JobRequest, type StartDeps } from "../../src/runner/job/job.ts";
import { locateJob, tagOf } from "../../src/runner/job/job-files.ts";
import { listProcesses, type ProcessRow } from "../../src/runner/job/process-table.ts";
import { startJob } from "../../src/runner/job/start-job.ts";
import { waitForJob } from "../../src/runner/job/wait-for-job.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import type { RunFolder, RunnerRoot, TaskFolder } from "../../src/runner/layout/runner-root.ts";
import { checkTagOf } from "../../src/runner/task/check-processes.ts";
import { patienceMs } from "../helpers/patience.ts";
import { makeRoot, makeTask } from "../helpers/runner-root.ts";
import { testBackend } from "./test-backend.ts";

const programs = path.join(fileURLToPath(new URL(".", import.meta.url)), "programs");
export const starterProgram = path.join(programs, "starter.ts");

export function makeDeps(root: RunnerRoot, variables: Record<string, string | undefined> = process.env): StartDeps {
  return {
    root,
    table: listProcesses,
    surroundings: { variables, binFolder: "/opt/run-agent/bin" },
    shim: { file: process.execPath, args: [path.join(programs, "test-shim.ts")] },
    timeZone: "UTC",
  };
}

export function makeRequest(task: TaskFolder, script: string, over: Partial<JobRequest> = {}): JobRequest {
  return {
    task,
    backend: testBackend,
    prompt: "Water the plants.",
    limits: { ...defaultLimits, graceMs: 500 },
    workFolder: task.path,
    model: null,
    baseUrl: null,
    token: null,
    session: null,
    program: ["sh", "-c", script],
    ...over,
  };
}

export function makeWorld(root = makeRoot(), variables?: Record<string, string | undefined>) {
  const task = makeTask(root);
  const deps = makeDeps(root, variables);
  const start = (script: string, over: Partial<JobRequest> = {}) => startJob(deps, makeRequest(task, script, over));
  const runOf = (handle: JobHandle) => locateJob(root, handle);
  return {
    root,
    task,
    deps,
    start,
    runOf,
    infoOf: (handle: JobHandle) => readRunInfo(root, runOf(handle)),
    wait: (handle: JobHandle) => waitForJob(deps, handle, { slowestMs: 50 }),
    /** Start and end of one run. */
    play: async (script: string, over: Partial<JobRequest> = {}) => {
      const handle = await start(script, over);
      const result = await waitForJob(deps, handle, { slowestMs: 50 });
      return { handle, result, run: runOf(handle), info: readRunInfo(root, runOf(handle)) };
    },
    events: () => readBus(openBus(root, task)).entries,
    types: () => readBus(openBus(root, task)).entries.map(({ type }) => type),
  };
}

/** Living processes of a run, its shim among them. */
export const processesOf = (run: RunFolder): readonly ProcessRow[] =>
  listProcesses().filter(({ marks }) => marks.tag === tagOf(run) || marks.shim === tagOf(run));

/** Living processes of the checks of a task. */
export const checksOf = (task: TaskFolder): readonly ProcessRow[] =>
  listProcesses().filter(({ marks }) => marks.tag === checkTagOf(task));

/** Less and less often: a look at every process of the machine takes longer than the first pauses. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let [waitedMs, pauseMs] = [0, 10]; !holds(); waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 1.3, 100)) {
    if (waitedMs > patienceMs) throw new Error(`never: ${what}`);
    await sleep(pauseMs);
  }
}

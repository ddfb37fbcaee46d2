// A runner's root folder for tests, with the real clock unless a test brings its own.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { thisProcess } from "../../src/files/process-identity.ts";
import { realEnv } from "../../src/main/env.ts";
import { nanoClock } from "../../src/main/nano-clock.ts";
import { createRunInfo, type NewRun, type RunningRun } from "../../src/runner/layout/run-info.ts";
import {
  createRun,
  createTask,
  inRun,
  inTask,
  openRoot,
  type RootOptions,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../../src/runner/layout/runner-root.ts";

const folders: string[] = [];

export function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "homework-runner-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function makeRoot(over: Partial<RootOptions> = {}): RunnerRoot {
  const folder = over.folder ?? path.join(makeFolder(), "run-agent");
  return openRoot({ folder, env: realEnv, nanos: nanoClock(), self: thisProcess(), host: "here", ...over });
}

export const makeTask = (root: RunnerRoot): TaskFolder => createTask(root, "garden", "Water the plants");

/** What the runner tells the agent of a run about it. */
export const variablesOf = ({ task, runId, path: folder }: RunFolder): Readonly<Record<string, string>> => ({
  JRUN_PROJECT_ID: task.projectId,
  JRUN_TASK_ID: task.taskId,
  JRUN_ID: runId,
  JRUN_RUNS_DIR: path.dirname(folder),
  JRUN_MESSAGE_BUS: inTask(task, "bus"),
  JRUN_TASK_FOLDER: task.path,
  JRUN_RUN_FOLDER: folder,
  RUN_AGENT_TAG: `tag-${runId}`,
});

/** A run with the files that its record names. */
export function makeRun(
  root: RunnerRoot,
  task: TaskFolder,
  over: Partial<NewRun> = {},
): RunFolder & { info: RunningRun } {
  const run = createRun(root, task);
  for (const file of ["prompt", "stdout", "stderr"] as const) writeFileSync(inRun(run, file), "");
  const self = thisProcess();
  const given = {
    agent: "command",
    pid: self.pid,
    pgid: self.pid,
    process_started: self.started,
    cwd: task.path,
    ...over,
  };
  return { ...run, info: createRunInfo(root, run, given) };
}

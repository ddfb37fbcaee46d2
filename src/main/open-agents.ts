// What starting agents needs from this machine, and the loop that tasks are driven by.

import { fileURLToPath } from "node:url";
import { runIterationJob } from "../loop/run-iteration-job.ts";
import { agentPrompt } from "../prompts/agent-prompt.ts";
import type { StartDeps } from "../runner/job/job.ts";
import { listProcesses } from "../runner/job/process-table.ts";
import type { RunnerRoot } from "../runner/layout/runner-root.ts";
import type { DriveDeps } from "../runner/task/drive-task.ts";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** `configFile`: for the run-agent that agents call; null: it finds its own. */
export const openJobs = (
  root: RunnerRoot,
  configFile: string | null,
  variables: Readonly<Record<string, string | undefined>>,
): StartDeps => ({
  root,
  table: listProcesses,
  surroundings: { variables, binFolder: here("../../bin/path"), rootFolder: root.folder, configFile },
  shim: { file: process.execPath, args: [here("../../bin/agent-shim.js")] },
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export const openDrive = (jobs: StartDeps): DriveDeps => ({
  jobs,
  runIteration: runIterationJob,
  writePrompt: (view) => agentPrompt(view, jobs.root.env.newId().replaceAll("-", "").slice(-16)),
});

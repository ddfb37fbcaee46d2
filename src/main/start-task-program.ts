// Starts `run-agent task` for a task, detached: it outlives the server, and nothing of it runs in this process. What it says goes to a file
// in the task's folder; where it ends at once with an error, its words are the answer.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants } from "node:fs";
import path from "node:path";
import { AppError } from "../lib/app-error.ts";
import { listRuns, type RunnerRoot } from "../runner/layout/runner-root.ts";
import { readFileText, startLog } from "../runner/serve/allowed-files.ts";
import type { PreparedTask, StartTask } from "../runner/serve/start-task.ts";
import { realEnv } from "./env.ts";
import { home } from "./ports-web.ts";

export type TaskProgram = {
  /** The program and its first arguments. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** A program that lives so long has started. */
const startMs = 2_000;
const lookEveryMs = 50;
const wordsMax = 2_000;

export const runAgentCommand: TaskProgram["command"] = [process.execPath, path.join(home, "bin", "run-agent.js")];

export function startTaskWith({ command: [file, ...first], environment }: TaskProgram, root: RunnerRoot): StartTask {
  return async (prepared) => {
    const { task } = prepared;
    const log = root.disk.open(
      path.join(task.path, startLog),
      constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
    );
    const before = listRuns(root, task).length;
    try {
      const child = spawn(file, [...first, ...taskArguments(root, prepared)], {
        cwd: task.path,
        env: withoutRunVariables(environment),
        detached: true,
        stdio: ["ignore", log, log],
      });
      const ended = once(child, "exit").then(([code]) => ({ code: code as number | null }));
      ended.catch(() => {}); // A program that cannot be started is told of below.
      await once(child, "spawn");
      child.unref();
      const end = await waitForStart(ended, () => listRuns(root, task).length > before);
      if (end !== null && end.code !== 0) throw notStarted(root, prepared, null);
    } catch (thrown) {
      throw thrown instanceof AppError ? thrown : notStarted(root, prepared, thrown);
    } finally {
      closeSync(log);
    }
  };
}

function taskArguments(root: RunnerRoot, { task, workFolder, agent, isRestart }: PreparedTask): readonly string[] {
  return [
    "task",
    ...(isRestart ? ["resume"] : []),
    `--root=${root.folder}`,
    `--project=${task.projectId}`,
    `--task=${task.taskId}`,
    ...(workFolder === null ? [] : [`--cwd=${workFolder}`]),
    ...(agent === null ? [] : [`--agent=${agent}`]),
  ];
}

/** A server that was started by an agent must not hand on that agent's run. */
function withoutRunVariables(environment: TaskProgram["environment"]): Record<string, string> {
  const ours = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(JRUN|CONDUCTOR)_|^RUN_AGENT_TAG$/.test(entry[0]),
  );
  return Object.fromEntries(ours);
}

/** Null: it is at work. */
async function waitForStart<T>(ended: Promise<T>, hasRun: () => boolean): Promise<T | null> {
  for (let waitedMs = 0; waitedMs < startMs && !hasRun(); waitedMs += lookEveryMs) {
    const end = await Promise.race([ended, realEnv.sleep(lookEveryMs).then(() => null)]);
    if (end !== null) return end;
  }
  return null;
}

/** A new task without a run is removed again; the person who wanted it still has its text. */
function notStarted(root: RunnerRoot, { task, isRestart }: PreparedTask, cause: unknown): AppError {
  const words = root.disk.kindOf(path.join(task.path, startLog)) === "file" ? lastWords(root, task) : "";
  if (!isRestart && listRuns(root, task).length === 0) root.disk.remove(task.path);
  const why = words || (cause instanceof Error ? cause.message : "it ended at once");
  return new AppError("unprocessable", `The task could not be started: ${why}`, { cause });
}

const lastWords = (root: RunnerRoot, task: PreparedTask["task"]): string =>
  readFileText(root, task, startLog, wordsMax).text.trim();

// The run of a task's loop: created from the settings, paused by a stop, resumed or begun anew by a person. Each is one change of the
// folder that keeps it.

import path from "node:path";
import { doneCheck, isDoneCheck } from "../../domain/agent/done-check.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { Budget } from "../../domain/run/budget/budget.ts";
import type { Check } from "../../domain/run/checks/check.ts";
import { type Answered, cancel, pause, resume } from "../../domain/run/commands.ts";
import { newRun } from "../../domain/run/new-run.ts";
import { isTerminal, type Run, type RunId } from "../../domain/run/run.ts";
import { AppError } from "../../lib/app-error.ts";
import { commandRun } from "../../runs/command-run.ts";
import { createRun } from "../../runs/create-run.ts";
import type { RunnerConfig } from "../config/runner-config.ts";
import { lockFile } from "../layout/lock-file.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { clearStop, readTaskText, removeDone, requestStop } from "../layout/task-files.ts";
import { toTickStamp } from "../layout/timestamps.ts";
import { type LoopFile, loopIn, openLoopStore, readLoopFile, writeLoopFile } from "./loop-file.ts";

/** A folder has one run, owned by the user of the folder. */
const owner = "local" as UserId;
export const loopLimits = { maxConcurrentRuns: 1 };
/** Ten years: what no limit means where a number is needed. */
const noLimitMs = 10 * 365 * 24 * 3_600_000;

export type NewTaskRun = {
  readonly config: RunnerConfig;
  readonly checks: readonly Check[];
  readonly timeZone: string;
  readonly loop: Omit<LoopFile, "host">;
};

/** `isNew`: it was begun here; else another process has begun it meanwhile, with what it was given. */
export async function createTaskRun(
  root: RunnerRoot,
  task: TaskFolder,
  given: NewTaskRun,
): Promise<{ readonly run: Run; readonly isNew: boolean }> {
  const { config, checks, timeZone, loop } = given;
  const run = newRun({
    id: root.env.newId() as RunId,
    userId: owner,
    objective: readTaskText(root, task),
    scope: { kind: "global" },
    context: { type: "task", entityId: null },
    timeZone,
    engine: "agent",
    isJudged: false,
    budget: toBudget(config, 0),
    checks: [doneCheck, ...checks],
  });
  return openLoopStore(root, task).beginOnce((tx) => {
    writeLoopFile(root, task, { ...loop, host: root.host });
    return createRun(tx, run, loopLimits);
  });
}

/** The first start is no restart. Those that were made before the task was resumed are not counted again. */
const toBudget = (config: RunnerConfig, done: number): Budget => ({
  maxIterations: done + config.maxRestarts + 1,
  maxRunningMs: config.timeBudgetMs ?? noLimitMs,
  maxCostMicroUsd: config.costBudgetMicroUsd,
  maxTokens: null,
  maxToolCalls: null,
  isCostHard: false,
});

/** Null: no loop was started here yet. */
export async function readTaskRun(root: RunnerRoot, task: TaskFolder): Promise<Run | null> {
  return readLoopFile(root, task) === null ? null : ((await openLoopStore(root, task).read())?.run ?? null);
}

async function command(root: RunnerRoot, task: TaskFolder, what: (run: Run) => Answered): Promise<string | null> {
  const run = await readTaskRun(root, task);
  if (run === null) return "No loop was started for it yet.";
  const done = await openLoopStore(root, task).transaction((tx) => commandRun(tx, owner, run.id, what, loopLimits));
  return done.outcome === "refused" ? done.why : null;
}

/** The request is on the disk first; a loop at work sees it, and one that is started later as well. */
export async function stopTaskRun(root: RunnerRoot, task: TaskFolder, by: string, reason: string): Promise<void> {
  requestStop(root, task, by, reason);
  await command(root, task, pause);
}

/** For good: only `resumeTaskRun` begins anew. */
export async function cancelTaskRun(root: RunnerRoot, task: TaskFolder, by: string, reason: string): Promise<void> {
  requestStop(root, task, by, reason);
  const why = await command(root, task, cancel);
  if (why !== null && (await readTaskRun(root, task)) !== null) throw new AppError("wrong_status", `${why}.`);
}

export type Resumed = "resumed" | "begun anew" | "goes on";

/** A stop is taken back. What has stopped goes on; what has ended, or was never begun, begins anew, and DONE is removed. */
export function resumeTaskRun(root: RunnerRoot, task: TaskFolder, given: NewTaskRun): Promise<Resumed> {
  return lockFile(root, path.join(task.path, "resume"), resumeWaitMs, () => resumeAlone(root, task, given));
}

/** Another process that resumes it takes milliseconds. */
const resumeWaitMs = 10_000;

async function resumeAlone(root: RunnerRoot, task: TaskFolder, given: NewTaskRun): Promise<Resumed> {
  const run = await readTaskRun(root, task);
  clearStop(root, task);
  if (run === null || isTerminal(run.state.status)) {
    removeDone(root, task);
    if (run !== null) root.disk.move(loopIn(task), nameOfOld(root, task));
    // What has to hold before DONE counts still has to, unless something else is asked for now.
    const checks = given.checks.length > 0 ? given.checks : checksOf(run);
    await createTaskRun(root, task, { ...given, checks });
    return "begun anew";
  }
  writeLoopFile(root, task, { ...given.loop, host: root.host });
  if (run.state.status !== "stopped") return "goes on";
  const budget = toBudget(given.config, run.state.iteration);
  const why = await command(root, task, (now) => resume(now, budget));
  if (why !== null) throw new AppError("wrong_status", `${why}.`);
  return "resumed";
}

const checksOf = (run: Run | null): readonly Check[] => (run?.checks ?? []).filter((check) => !isDoneCheck(check));

const nameOfOld = (root: RunnerRoot, task: TaskFolder): string =>
  path.join(task.path, `loop-${toTickStamp(root.nanos())}`);

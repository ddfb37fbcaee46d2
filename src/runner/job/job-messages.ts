// What the runner says on the bus about a run, and the summary of its end for people.

import os from "node:os";
import { type Bus, openBus } from "../bus/bus.ts";
import { byRunner } from "../bus/questions.ts";
import { tailBus } from "../bus/read-bus.ts";
import { isRunId } from "../layout/ids.ts";
import {
  findRun,
  inRun,
  listProjects,
  listTasks,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../layout/runner-root.ts";
import type { JobResult } from "./job.ts";

const summaryMax = 500;
/** How far back the end of a run is looked for, where it is not known whether it was posted. */
const lookBack = 2_000;

/** Its files have the same names in every run folder. */
export const postStart = (bus: Bus, run: RunFolder, agent: string) =>
  bus.post({ type: "START", run_id: run.runId, body: `${agent} started in ${run.path}`, meta: { agent } });

export const postWarning = (bus: Bus, run: RunFolder, body: string) =>
  bus.post({ type: "WARNING", run_id: run.runId, body, meta: byRunner });

/** STOP: it came to its end, or was asked to. CRASH: anything else. */
export function postEnd(bus: Bus, run: RunFolder, result: JobResult, stderr: string) {
  const isOk = result.verdict.kind === "ok";
  const summary = summarize(result);
  const lines = [
    summary === null ? "finished" : summary,
    `exit code: ${result.exit_code}`,
    `run folder: ${run.path}`,
    `output: ${inRun(run, "output")}`,
    ...result.notes,
    ...(isOk || stderr === "" ? [] : ["", "last lines of stderr:", stderr]),
  ];
  const type = isOk || result.stop !== null ? "STOP" : "CRASH";
  return bus.post({
    type,
    run_id: run.runId,
    body: lines.join("\n").toWellFormed(),
    meta: { exit_code: String(result.exit_code) },
  });
}

/** For a parent that waits for its results: on the bus of its own task, wherever the child worked. */
export async function postChildDone(root: RunnerRoot, run: RunFolder, parentRunId: string, result: JobResult) {
  const task = findTaskOf(root, run, parentRunId);
  if (task === null) return;
  const bus = openBus(root, task);
  const isPosted = tailBus(bus, lookBack).entries.some(
    ({ type, meta }) => type === "CHILD_DONE" && meta.child_run_id === run.runId,
  );
  if (isPosted) return;
  const how = summarize(result) ?? "finished";
  await bus.post({
    type: "CHILD_DONE",
    body: `Run ${run.runId}: ${how}\noutput: ${inRun(run, "output")}`,
    meta: { ...byRunner, child_run_id: run.runId, parent_run_id: parentRunId, exit_code: String(result.exit_code) },
  });
}

/** Mostly the child's own. */
function findTaskOf(root: RunnerRoot, { task }: RunFolder, runId: string): TaskFolder | null {
  if (!isRunId(runId)) return null;
  const others = () => listProjects(root).flatMap((project) => listTasks(root, project));
  return findRun(root, task, runId) !== null ? task : (others().find((each) => findRun(root, each, runId)) ?? null);
}

export function isEndPosted(bus: Bus, run: RunFolder): boolean {
  return tailBus(bus, lookBack).entries.some(
    ({ type, run_id: id }) => id === run.runId && (type === "STOP" || type === "CRASH"),
  );
}

/** Null: it went well. */
export function summarize({ verdict, stop }: Pick<JobResult, "verdict" | "stop">): string | null {
  if (stop !== null) return shorten(`Stopped by ${stop.by}: ${stop.reason}`);
  return verdict.kind === "ok" ? null : shorten(verdict.why);
}

const shorten = (text: string): string =>
  (text.length > summaryMax ? `${text.slice(0, summaryMax)}…` : text).toWellFormed();

/** Signals as shells number them. */
export function toExitCode(exitCode: number | null, signal: NodeJS.Signals | null): number {
  if (exitCode !== null) return exitCode;
  return signal === null ? -1 : 128 + os.constants.signals[signal];
}

/** What an exit says by itself, where the agent's output says nothing. */
export function describeExit(exitCode: number | null, signal: NodeJS.Signals | null): string {
  if (signal === "SIGKILL") return "The agent was killed (SIGKILL); out of memory is a frequent reason.";
  if (signal === "SIGTERM") return "The agent was ended by SIGTERM.";
  if (signal !== null) return `The agent was ended by ${signal}.`;
  if (exitCode === 1) return "The agent reported a failure (exit code 1).";
  if (exitCode === 2) return "The agent was called wrongly (exit code 2).";
  return `The agent ended with exit code ${exitCode}.`;
}

// The end of a run, written down: output.md, the result, STOP or CRASH on the bus, and last run-info. A crash in between leaves the run
// "running" without a living process, and the next look does what is missing. Nothing here is done twice.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import path from "node:path";
import type { Tokens } from "../backends/backend.ts";
import { openBus } from "../bus/bus.ts";
import { endRun, type RunInfo } from "../layout/run-info.ts";
import { inRun, type RunFolder, type RunnerRoot } from "../layout/runner-root.ts";
import type { JobDeps, JobResult } from "./job.ts";
import { inJob, readResult, restoreFolder, writeResult } from "./job-files.ts";
import { isEndPosted, postChildDone, postEnd, summarize } from "./job-messages.ts";

export type JobEnd = {
  readonly result: JobResult;
  /** The agent's last words; empty: what it printed takes their place. */
  readonly text: string;
  readonly stderr: string;
  /** It may have been begun by a process that was killed. */
  readonly isAgain?: boolean;
};

/** Together a minute: a full disk may have room again. */
const triesMax = 7;
const firstPauseMs = 1_000;
/** Of an output that stands in for the agent's own words. */
const outputMax = 1024 * 1024;

type FinishDeps = JobDeps & { readonly log: (line: string) => void };

export async function finishJob(
  deps: FinishDeps,
  run: RunFolder,
  info: RunInfo | undefined,
  end: JobEnd,
): Promise<JobResult> {
  const { root } = deps;
  const notes: string[] = [];
  const attempt = (what: string, work: () => unknown, tries = 1) =>
    tryToWrite(deps, what, work, tries).then((why) => why !== null && notes.push(why));
  await attempt("The run's folder", () => restoreFolder(root, run));
  await attempt("output.md", () => writeOutput(root, run, end.text));
  await attempt("The temporary folder", () => root.disk.remove(inJob(run, "temp")));
  // A shim has time; others are waited for.
  const tries = end.isAgain ? 1 : triesMax;
  const known = end.isAgain ? readResult(root, run) : null;
  const result = known ?? { ...end.result, notes: [...end.result.notes, ...notes] };
  await attempt("The result", () => writeResult(root, run, result), tries);
  await attempt("The end on the bus", async () => {
    const bus = openBus(root, run.task);
    if (!end.isAgain || !isEndPosted(bus, run)) await postEnd(bus, run, result, end.stderr);
  });
  const parent = info?.parent_run_id ?? "";
  if (parent !== "") await attempt("CHILD_DONE", () => postChildDone(root, run, parent, result));
  await attempt("run-info.yaml", () => recordEnd(root, run, result, info), tries);
  return result;
}

/** Null: it is written; else why not. */
async function tryToWrite(deps: FinishDeps, what: string, work: () => unknown, tries: number): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return null;
    } catch (error) {
      const why = `${what} could not be written: ${error instanceof Error ? error.message : String(error)}`;
      deps.log(why);
      if (attempt >= tries) return why;
    }
    await deps.root.env.sleep(firstPauseMs * 2 ** (attempt - 1));
  }
}

function recordEnd(root: RunnerRoot, run: RunFolder, result: JobResult, info: RunInfo | undefined) {
  const { tokens, cost_usd: cost, stop } = result;
  const summary = summarize(result);
  const end = {
    exitCode: result.exit_code,
    isSuccess: result.verdict.kind === "ok",
    ...(summary === null ? {} : { error_summary: summary }),
    ...(tokens === null ? {} : { usage: toUsage(tokens) }),
    ...(cost === null ? {} : { cost_usd: cost }),
    ...(stop === null ? {} : { stop_requested: stop }),
  };
  return endRun(root, run, end, info);
}

const toUsage = ({ input, cacheRead, cacheWrite, output, reasoning }: Tokens) => ({
  input_tokens: Math.round(input),
  cache_read_tokens: Math.round(cacheRead),
  cache_write_tokens: Math.round(cacheWrite),
  output_tokens: Math.round(output),
  reasoning_tokens: Math.round(reasoning),
});

/** The agent's own output.md stays, whatever it is. */
function writeOutput(root: RunnerRoot, run: RunFolder, text: string): void {
  const file = inRun(run, "output");
  if (root.disk.kindOf(file) !== null) return;
  root.disk.replace(file, (text === "" ? readEnd(root, inRun(run, "stdout"), outputMax) : text).toWellFormed());
}

/** The last bytes of a file as text; what is not UTF-8 is replaced. Empty where there is no such file. */
function readEnd({ disk }: RunnerRoot, file: string, max: number): string {
  if (disk.kindOf(file) !== "file") return "";
  const fd = disk.open(file, constants.O_RDONLY);
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, max));
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(fd, bytes, length, bytes.length - length, size - bytes.length + length);
    const text = bytes.subarray(0, length).toString("utf8");
    return size > max ? `(the last ${max} of ${size} bytes of ${path.basename(file)})\n${text}` : text;
  } finally {
    closeSync(fd);
  }
}

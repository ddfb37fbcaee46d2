// The platform's own checks of a task: DONE, files that must be there, and programs that must succeed in the work folder. Programs are
// started without a shell, for a bounded time; the end of what they print is kept.

import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { isDoneCheck } from "../../domain/agent/done-check.ts";
import { clipStart } from "../../domain/planner/clip.ts";
import type { Check, Proof } from "../../domain/run/checks/check.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { hasCode } from "../../files/has-code.ts";
import { type Journal, type Proven, untilInterrupted } from "../../runs/ports/engine.ts";
import { platformLane } from "../../runs/ports/run-store.ts";
import type { JobDeps } from "../job/job.ts";
import type { TaskFolder } from "../layout/runner-root.ts";
import { runCheckProgram } from "./check-processes.ts";

export type CheckedFolder = {
  readonly jobs: JobDeps;
  /** Programs end with it. */
  readonly task: TaskFolder;
  readonly folder: string;
  /** What programs see of the environment: no key is in it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly isDone: () => boolean;
  readonly timeoutMs?: number;
};

const timeoutMs = 10 * 60_000;
const outputMax = 4_000;

export function proveWork<Writes>(run: RunningRun, checked: CheckedFolder, journal: Journal<Writes>): Promise<Proven> {
  return untilInterrupted(journal.signal, async () => {
    const proofs: Proof[] = [];
    for (const check of run.checks)
      proofs.push({
        checkId: check.id,
        ...(await proveOne(check, checked, journal)),
        artifacts: [],
        iteration: run.state.iteration,
      });
    return { kind: "proven", proofs };
  });
}

type Seen = Pick<Proof, "isGreen" | "seen">;

async function proveOne<Writes>(check: Check, checked: CheckedFolder, journal: Journal<Writes>): Promise<Seen> {
  const { target, id } = check;
  if (isDoneCheck(check)) return proveDone(checked);
  if (target.kind === "file_exists") return proveFile(checked.folder, target.path);
  if (target.kind !== "command_succeeds")
    return { isGreen: false, seen: `A check of the kind ${target.kind} cannot be run here.` };
  const head = { key: `check:${id}`, lane: platformLane, tool: null, args: null };
  const { program, args } = target;
  const ended = await journal.effect(
    head,
    true,
    () => runProgram(checked, program, args, journal.signal),
    (seen) => ({
      did: seen.seen,
      error: seen.isGreen ? null : seen.seen,
    }),
  );
  return ended.kind === "done"
    ? ended.result
    : { isGreen: false, seen: `It is not known whether ${program} succeeded.` };
}

function proveDone({ isDone }: CheckedFolder): Seen {
  return isDone()
    ? { isGreen: true, seen: "DONE is there." }
    : { isGreen: false, seen: "DONE is not there: the agent has not said that the task is done." };
}

/** Links that lead out of the folder do not count. */
function proveFile(folder: string, name: string): Seen {
  try {
    const file = realpathSync(path.resolve(folder, name));
    const inside = path.relative(realpathSync(folder), file);
    if (inside.startsWith("..") || path.isAbsolute(inside))
      return { isGreen: false, seen: `${name} lies outside of ${folder}.` };
    const { size } = statSync(file);
    return { isGreen: true, seen: `${name} is there (${size} bytes).` };
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return { isGreen: false, seen: `${name} is not there.` };
    throw error;
  }
}

async function runProgram(
  { jobs, task, folder, variables, timeoutMs: limitMs = timeoutMs }: CheckedFolder,
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Seen> {
  let output = "";
  const hear = (text: string) => {
    output = (output + text).slice(-2 * outputMax);
  };
  const end = await runCheckProgram(jobs, task, { program, args, folder, variables, limitMs, hear }, signal);
  const line = [program, ...args].join(" ");
  const tail = output.trim() === "" ? "" : `\n${clipStart(output.trim(), outputMax)}`;
  if (end === null) return { isGreen: false, seen: `${line} took longer than ${limitMs / 1_000} s.${tail}` };
  if (end === 0) return { isGreen: true, seen: `${line} succeeded.` };
  return { isGreen: false, seen: `${line} ended with ${typeof end === "number" ? `exit code ${end}` : end}.${tail}` };
}

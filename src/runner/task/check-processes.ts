// The programs that check a task's work, as processes. They carry a tag of their task, so that they are found and ended with it also
// where the process that started them was killed.

import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { identify } from "../../files/process-identity.ts";
import { type Ending, endProcesses } from "../job/end-processes.ts";
import type { JobDeps } from "../job/job.ts";
import { makeFamily } from "../job/members.ts";
import { marks } from "../job/process-table.ts";
import type { TaskFolder } from "../layout/runner-root.ts";

export type CheckProgram = {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly limitMs: number;
  readonly hear: (text: string) => void;
};

/** The exit code, or in words what happened instead; null: it took too long. */
export type CheckEnd = number | string | null;

/** What a check is given to clean up once it has to end. */
const graceMs = 2_000;
/** What it left behind has had its time. */
const leftBehindGraceMs = 500;

/** It follows from the folder, so any process can tell it. */
export const checkTagOf = (task: TaskFolder): string =>
  `check-${createHash("sha256").update(task.path).digest("hex").slice(0, 16)}`;

/** Answers once nothing of the program is left. Rejects when the signal was aborted, then too with nothing left. */
export async function runCheckProgram(
  deps: JobDeps,
  task: TaskFolder,
  { program, args, folder, variables, limitMs, hear }: CheckProgram,
  signal: AbortSignal,
): Promise<CheckEnd> {
  signal.throwIfAborted();
  const tag = checkTagOf(task);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...variables, [marks.taskFolder]: task.path, [marks.tag]: tag },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", hear);
  const family = makeFamily(tag, identify(child.pid ?? 0) ?? null, true);
  const end = await waitForEnd(deps, child, limitMs, signal);
  const isOver = end !== null;
  await endProcesses(family, ending(deps, isOver ? "SIGHUP" : "SIGTERM", isOver ? leftBehindGraceMs : graceMs));
  signal.throwIfAborted();
  return end;
}

/** Ends every check of the task that is under way, whichever process started it. Answers how many processes there were. */
export async function endChecks(deps: JobDeps, task: TaskFolder): Promise<number> {
  const { found } = await endProcesses(makeFamily(checkTagOf(task), null), ending(deps, "SIGTERM", graceMs));
  return found;
}

const ending = ({ root: { env, self }, table }: JobDeps, ask: Ending["ask"], ms: number): Ending => ({
  env,
  self,
  table,
  ask,
  graceMs: ms,
});

async function waitForEnd(
  { root: { env } }: JobDeps,
  child: ChildProcess,
  limitMs: number,
  signal: AbortSignal,
): Promise<CheckEnd> {
  const over = new AbortController();
  const late = env.sleep(limitMs, AbortSignal.any([signal, over.signal])).then(
    () => null,
    () => null,
  );
  const end = await Promise.race([endOf(child), late]);
  over.abort();
  return end;
}

const endOf = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.once("error", (error) => resolve(`an error: ${error.message}`));
    // A process that it left behind may keep the pipes open; the program itself has ended.
    child.once("exit", (code, name) => setImmediate(() => resolve(code ?? `the signal ${name}`)));
  });

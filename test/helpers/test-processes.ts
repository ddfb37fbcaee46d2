// Finds processes that tests started, by a mark in their environment: also those that were detached and have no
// parent of ours any more. Linux only, as /proc is; elsewhere nothing is found.

import { existsSync, readdirSync, readFileSync } from "node:fs";

export type FoundProcess = { readonly pid: number; readonly command: string; readonly testFile: string };

const markName = "TEST_OF_HOMEWORK_FILE";

/** From now on, what this process starts carries the mark. */
export function markProcesses(runId: string, testFile: string): void {
  process.env[markName] = `${runId}:${testFile}`;
}

/** What other files of this worker use, too; the end of the worker is theirs. */
const beyondFiles = new Set<number>();

/** Starts what outlives the test file. It has to be given `environmentBeyondFile`. */
export async function startBeyondFile<T>(start: () => Promise<T>): Promise<T> {
  const before = new Set(childIds());
  const started = await start();
  for (const pid of childIds()) if (!before.has(pid)) beyondFiles.add(pid);
  return started;
}

export const environmentBeyondFile = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name === markName || value === undefined ? [] : [[name, value]],
    ),
  );

/** Living processes with the mark of this run (and of this file, where given). */
export function findMarked(runId: string, testFile = ""): readonly FoundProcess[] {
  const mark = `${markName}=${runId}:${testFile}`;
  return processIds().flatMap((pid) => {
    const found = read(`/proc/${pid}/environ`)
      .split("\0")
      .find((entry) => entry.startsWith(mark));
    if (found === undefined || (testFile && found !== mark)) return [];
    const command = commandOf(pid);
    return command === "" ? [] : [{ pid, command, testFile: found.slice(`${markName}=${runId}:`.length) }];
  });
}

/** Children of this process that are not in `known`: also those whose environment was replaced. */
export function findNewChildren(known: ReadonlySet<number>): readonly { pid: number; command: string }[] {
  return childIds()
    .filter((pid) => !known.has(pid) && !beyondFiles.has(pid))
    .map((pid) => ({ pid, command: commandOf(pid) }))
    .filter(({ command }) => command !== "");
}

export function childIds(): readonly number[] {
  if (!existsSync("/proc/self/task")) return [];
  return readdirSync("/proc/self/task").flatMap((thread) =>
    read(`/proc/self/task/${thread}/children`).trim().split(" ").filter(Boolean).map(Number),
  );
}

function processIds(): readonly number[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
}

/** Empty for a process that has ended and only waits for its parent to notice. */
function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).split("\0").join(" ").trim().slice(0, 200);
}

/** Processes come and go while we look, and those of other users may not be looked at. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

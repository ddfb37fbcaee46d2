// Is a PostgreSQL running on this cluster? postmaster.pid names a process; that it is a postmaster of exactly this
// folder is checked at the process itself. Nothing here sends a signal or trusts a pid alone.

import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { readOrUndefined } from "../../files/owned-files.ts";
import { answersSignals, commandLine, identify, type ProcessIdentity } from "../../files/process-identity.ts";

export type Postmaster =
  | { readonly state: "none" }
  /** The file is left over. `blocks`: PostgreSQL would still believe it, because some process (an innocent one, or a
   * zombie) answers to its pid, or because the file is cut off. */
  | { readonly state: "stale"; readonly pid: number; readonly blocks: boolean }
  /** There is a process, but this system does not show what it is: only the server at the port can tell. */
  | ({ readonly state: "unclear" } & Process)
  | ({ readonly state: "running" } & Process);

type Process = {
  readonly process: ProcessIdentity;
  readonly port: number;
  readonly socketFolder: string | null;
  /** Its file says already where it listens. */
  readonly listens: boolean;
};

export function pidFileOf(cluster: string): string {
  return path.join(cluster, "postmaster.pid");
}

export function findPostmaster(cluster: string): Postmaster {
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory, status.
  const lines = readOrUndefined(pidFileOf(cluster))?.split("\n");
  if (!lines) return { state: "none" };
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  const found = identify(pid);
  const isOurs = found && isPostmasterOf(pid, cluster);
  if (!found || isOurs === false) return { state: "stale", pid, blocks: !(pid > 0) || answersSignals(pid) };
  const [, , , , socketFolder = "", address = ""] = lines;
  const where = { port, socketFolder: socketFolder || null, listens: socketFolder !== "" || address !== "" };
  return { state: isOurs ? "running" : "unclear", process: found, ...where };
}

/** Server processes of a cluster, by their working folder. Undefined where that cannot be seen (only Linux shows it). */
export function serverProcesses(cluster: string): readonly ProcessIdentity[] | undefined {
  if (process.platform !== "linux") return undefined;
  const real = realOr(cluster);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => workingFolder(pid) === real && isPostgres(pid))
    .flatMap((pid) => identify(pid) ?? []);
}

/** Undefined when this system does not show it. */
export function isPostmasterOf(pid: number, cluster: string): boolean | undefined {
  const command = commandLine(pid);
  if (command === undefined) return undefined;
  if (!isPostmaster(command)) return false;
  // A server works in its data folder, which is surer than the words it was started with: the folder may have been
  // moved and another put in its place.
  const works = workingFolder(pid);
  return works === undefined ? `${command} `.includes(` -D ${cluster} `) : works === realOr(cluster);
}

/** The postmaster keeps its command line; its children show "postgres: what I do". */
function isPostmaster(command: string): boolean {
  return /^(\S.*[/\\])?postgres(\.exe)? +-D /.test(command);
}

function isPostgres(pid: number): boolean {
  const command = commandLine(pid) ?? "";
  return command.startsWith("postgres:") || isPostmaster(command);
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function realOr(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

// Which process is meant: a pid alone may be reused by an innocent one, so a pid goes with the moment it started.
// A zombie counts as gone: it holds nothing any more, although signals still find it.

import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import os from "node:os";
import { AppError } from "../lib/app-error.ts";
import { hasCode } from "./has-code.ts";

export type ProcessIdentity = {
  readonly pid: number;
  /** When it started, in the words of this machine; letters, digits and dots. Empty where it cannot be told. */
  readonly started: string;
};

/** The process that has this pid now; undefined when no process has it. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (process.platform === "linux") return identifyLinux(pid);
  if (process.platform === "win32") return answersSignals(pid) ? { pid, started: "" } : undefined;
  const started = askPs(pid, "lstart=");
  return started === undefined ? undefined : { pid, started: started.replaceAll(/[^0-9A-Za-z]+/g, ".") };
}

export function thisProcess(): ProcessIdentity {
  const found = identify(process.pid);
  if (found) return found;
  throw new AppError(
    "config_invalid",
    `This system shows no processes (is /proc mounted?), so it cannot be told which of them is still alive. Mount it and start again.`,
  );
}

/** Is exactly this process, not a later one with its pid, still there? */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Would a signal find any process under this pid? */
export function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Sends the signal to exactly this process; nothing happens when it is gone. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch (error) {
    // It ended between the look and the signal.
    if (!hasCode(error, "ESRCH")) throw error;
  }
}

/** For file names that say which process they belong to; `more` tells several of one process apart. */
export function nameAfter({ pid, started }: ProcessIdentity, more: string): string {
  return `${pid}-${started}-${more}`;
}

export function namedProcess(fileName: string): ProcessIdentity | undefined {
  const match = /(?:^|-)(\d+)-([0-9A-Za-z.]*)-/.exec(fileName);
  return match ? { pid: Number(match[1]), started: match[2] ?? "" } : undefined;
}

/** The command line as one string, or undefined when there is no such process or it may not be seen. */
export function commandLine(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return process.platform === "win32" ? undefined : askPs(pid, "command=");
  } catch {
    return undefined;
  }
}

function identifyLinux(pid: number): ProcessIdentity | undefined {
  try {
    // After the name, which may hold anything: state is the first field and start time (in ticks since boot) the 20th.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return { pid, started: `${bootId()}.${fields[19] ?? ""}` };
  } catch {
    return undefined;
  }
}

let bootIdOnce: string | undefined;

/** Ticks since boot repeat after a reboot; the boot's own id does not. */
function bootId(): string {
  bootIdOnce ??= shown(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8));
  return bootIdOnce;
}

/** Within one realm pids mean the same: this run of this machine, and this container. */
export function realm(): string {
  return `${os.hostname()} ${bootId()} ${shown(() => readlinkSync("/proc/self/ns/pid"))}`;
}

/** Some sandboxes show less of themselves. */
function shown(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}

function askPs(pid: number, column: string): string | undefined {
  try {
    const [state, answer] = ["state=", column].map((what) =>
      execFileSync("ps", ["-o", what, "-p", String(pid)], { encoding: "utf8", timeout: 5000 }).trim(),
    );
    return state?.startsWith("Z") ? undefined : answer;
  } catch {
    return undefined;
  }
}

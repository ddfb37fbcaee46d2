// All processes of this machine at one moment, each with what tells which agent run it belongs to: its parent, its group, and the marks
// that the job put into its environment. Environments can be read on Linux only; elsewhere a run's processes are its descendants.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { type ProcessIdentity, thisProcess } from "../../files/process-identity.ts";

/** Marks of a run in the environment of its processes. */
export const marks = {
  /** Every process of an agent has its run's tag. */
  tag: "RUN_AGENT_TAG",
  /** Only the run's shim has this one: it is not swept with its agent. */
  shim: "RUN_AGENT_SHIM",
  parentRun: "JRUN_PARENT_ID",
  runFolder: "JRUN_RUN_FOLDER",
  taskFolder: "JRUN_TASK_FOLDER",
} as const;

export type ProcessRow = ProcessIdentity & {
  readonly parent: number;
  readonly group: number;
  /** Of itself and of its children that have ended. */
  readonly cpuMs: number;
  readonly isPaused: boolean;
  /** Empty where there is no such mark, or it cannot be seen. */
  readonly marks: Readonly<Record<keyof typeof marks, string>>;
};

/** `since` is the start of a process: marks are then read of processes that started with it or later, which is much faster. */
export type ProcessTable = (since?: string) => readonly ProcessRow[];

/** Zombies are not among them. */
export const listProcesses: ProcessTable = (since) => {
  if (process.platform === "linux") return listLinux(since);
  return process.platform === "win32" ? [] : listByPs();
};

/** More processes do not stand above one another. */
const aboveMax = 256;

/** The processes above this one, the nearest first; empty where environments cannot be read. */
export function listProcessesAbove(): readonly ProcessRow[] {
  if (process.platform !== "linux") return [];
  const { started } = thisProcess();
  const boot = started.slice(0, started.lastIndexOf(".") + 1);
  const rows: ProcessRow[] = [];
  for (let pid = process.ppid; pid > 0 && rows.length < aboveMax; ) {
    const [row] = readLinux(pid, boot, 0);
    if (row === undefined) break;
    rows.push(row);
    pid = row.parent;
  }
  return rows;
}

/** Linux counts processor time in hundredths of a second, whatever its kernel was built with. */
const msPerTick = 10;

function listLinux(since = ""): readonly ProcessRow[] {
  const { started } = thisProcess();
  const boot = started.slice(0, started.lastIndexOf(".") + 1);
  // A time of another boot, or none, leaves nothing out.
  const from = since.startsWith(boot) ? Number(since.slice(boot.length)) || 0 : 0;
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readLinux(Number(name), boot, from) : []));
}

function readLinux(pid: number, boot: string, from: number): readonly ProcessRow[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // After the name, which may hold anything: state, parent and group are the first fields, times the 12th to 15th, start the 20th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    if (state === "Z" || state === "X") return [];
    const number = (field: number) => Number(fields[field]);
    const ticks = number(11) + number(12) + number(13) + number(14);
    return [
      {
        pid,
        started: boot + (fields[19] ?? ""),
        parent: number(1),
        group: number(2),
        cpuMs: ticks * msPerTick,
        isPaused: state === "T",
        marks: number(19) < from ? noMarks : findMarks(readEnvironment(pid)),
      },
    ];
  } catch {
    // It ended while it was looked at.
    return [];
  }
}

/** Empty for processes of other users and for the kernel's own. */
function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

const noMarks = { tag: "", shim: "", parentRun: "", runFolder: "", taskFolder: "" };

function findMarks(environment: string): ProcessRow["marks"] {
  if (!environment.includes(marks.tag) && !environment.includes(marks.shim)) return noMarks;
  const entries = environment.split("\0");
  const find = (name: string) => entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return {
    tag: find(marks.tag),
    shim: find(marks.shim),
    parentRun: find(marks.parentRun),
    runFolder: find(marks.runFolder),
    taskFolder: find(marks.taskFolder),
  };
}

const psColumns = "pid=,ppid=,pgid=,lstart=,state=,time=";

function listByPs(): readonly ProcessRow[] {
  const text = execFileSync("ps", ["-A", "-o", psColumns], { encoding: "utf8", timeout: 10_000, maxBuffer: 1 << 24 });
  return text.split("\n").flatMap(parsePsLine);
}

const psLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})\s+(\S+)\s+([\d:.-]+)\s*$/;

export function parsePsLine(line: string): readonly ProcessRow[] {
  const [, pid, parent, group, started = "", state = "", time = ""] = psLine.exec(line) ?? [];
  if (pid === undefined || state.startsWith("Z")) return [];
  return [
    {
      pid: Number(pid),
      started: started.replaceAll(/[^0-9A-Za-z]+/g, "."),
      parent: Number(parent),
      group: Number(group),
      cpuMs: parsePsTime(time),
      isPaused: state.startsWith("T"),
      marks: noMarks,
    },
  ];
}

/** `1-02:03:04` and `3:04.50`. */
function parsePsTime(text: string): number {
  const [clock = "", days = "0"] = text.split("-").toReversed();
  const seconds = clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1_000;
}

// What a server's process takes: memory, and time of the processor together with all processes below it, which are its database's. Read from
// /proc, so the siege needs Linux. Time of the processor means the same on a busy machine, where times of a clock do not.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ticks of /proc are hundredths of a second on every usual system. */
const ticksPerSecond = 100;

export type ProcessUse = { readonly serverSeconds: number; readonly databaseSeconds: number };

type Stat = { readonly pid: number; readonly parent: number; readonly seconds: number };

/** Fields after the name in brackets, which may have spaces: state, parent, …, and as 12th and 13th user and system time, then ended children. */
function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return { pid, parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
  } catch {
    return null; // ended meanwhile
  }
}

export function readUse(serverPid: number): ProcessUse {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  const below = new Set([serverPid]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  const sum = (stats: readonly Stat[]) => stats.reduce((seconds, stat) => seconds + stat.seconds, 0);
  return {
    serverSeconds: sum(all.filter(({ pid }) => pid === serverPid)),
    databaseSeconds: sum(all.filter(({ pid }) => pid !== serverPid && below.has(pid))),
  };
}

export function watchMemory(pid: number) {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(readMemory(pid)), 500);
  return {
    peak: () => Math.max(...samples),
    /**
     * MiB after a full collection. Without one the figure says only how long ago the collector last looked: with much memory on the machine
     * it lets several hundred MiB of dead objects lie, siege or not.
     */
    settled: async () => {
      process.kill(pid, "SIGUSR2"); // siege-collect.mjs
      const from = samples.length;
      await sleep(collectMs);
      return Math.min(...samples.slice(from));
    },
    stop: () => clearInterval(timer),
  };
}

/** What the server needs for its collections and for giving pages back, also on a busy machine; the lowest within it is taken. */
const collectMs = 30_000;

function readMemory(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(found) / 1024;
}

// How much of the processors this process and a PostgreSQL cluster have used: what a machine with other work on it does not change.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Linux counts in hundredths of a second. */
const tickMs = 10;

/** Milliseconds so far; null where the system does not tell. */
export function readCpuMs(dataFolder: string): number | null {
  const postmaster = findPostmaster(dataFolder);
  if (postmaster === null) return null;
  try {
    const { user, system } = process.cpuUsage();
    const ofServer = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readStat(pid))
      .filter((stat) => stat !== null)
      .filter(({ pid, parent }) => pid === postmaster || parent === postmaster);
    // Connections that ended are counted by their parent.
    const ticks = ofServer.reduce((sum, { pid, own, ended }) => sum + own + (pid === postmaster ? ended : 0), 0);
    return (user + system) / 1_000 + ticks * tickMs;
  } catch {
    return null;
  }
}

function findPostmaster(dataFolder: string): number | null {
  const file = readdirSync(dataFolder, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("postmaster.pid"),
  );
  return file === undefined ? null : Number(readFileSync(join(dataFolder, file), "utf8").split("\n", 1)[0]);
}

/** Fields of /proc/<pid>/stat; null where it ended meanwhile. */
function readStat(pid: string): { pid: number; parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [, parent = 0] = fields;
    const [own = 0, ownSystem = 0, ended = 0, endedSystem = 0] = fields.slice(11, 15);
    return { pid: Number(pid), parent, own: own + ownSystem, ended: ended + endedSystem };
  } catch {
    return null;
  }
}

// Ends every process of an agent run: a signal that asks, a grace, then SIGKILL until none is left. Each signal goes to a process
// whose start was checked just before, so a pid that was given to another process is not hit.

import { hasCode } from "../../files/has-code.ts";
import { isAlive, type ProcessIdentity, signal } from "../../files/process-identity.ts";
import type { Env } from "../../lib/env.ts";
import { type Family, findMembers } from "./members.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

export type Ending = {
  readonly env: Env;
  readonly self: ProcessIdentity;
  readonly table: ProcessTable;
  /** SIGTERM: the run is stopped. SIGHUP: its agent has ended, and what it left behind is told so. */
  readonly ask: "SIGTERM" | "SIGHUP";
  readonly graceMs: number;
};

export type Ended = {
  /** How many processes there were. */
  readonly found: number;
  /** How many needed SIGKILL. */
  readonly killed: number;
  /** Those that even SIGKILL did not end in time: they hang in the kernel, or belong to another user. */
  readonly left: readonly ProcessIdentity[];
};

const firstPollMs = 10;
const slowestPollMs = 100;
/** Each round finds what was started since the one before. */
const killRoundsMax = 200;
/** A process that is just replacing its program shows no environment: one empty look is not enough. */
const emptyLooks = 2;

export async function endProcesses(family: Family, ending: Ending): Promise<Ended> {
  const { env, table, self, ask, graceMs } = ending;
  const look = () => findMembers(table(family.agent?.started), family, self);
  const asked = look();
  askAll(family, asked, ask);
  let left = asked;
  const until = env.now() + graceMs;
  for (let pollMs = firstPollMs; left.length > 0 && env.now() < until; pollMs = Math.min(pollMs * 1.5, slowestPollMs)) {
    await env.sleep(pollMs);
    left = look();
  }
  const found = new Set(asked.map(({ pid }) => pid));
  const killed = new Set<number>();
  let empty = 0;
  for (let round = 0; empty < emptyLooks && round < killRoundsMax; round++) {
    if (round > 0) await env.sleep(round < 10 ? firstPollMs : slowestPollMs);
    left = look();
    empty = left.length === 0 ? empty + 1 : 0;
    for (const row of left) {
      found.add(row.pid);
      killed.add(row.pid);
    }
    sendAll(family, left, "SIGKILL");
  }
  return { found: found.size, killed: killed.size, left: left.map(({ pid, started }) => ({ pid, started })) };
}

function askAll(family: Family, rows: readonly ProcessRow[], ask: NodeJS.Signals): void {
  sendAll(family, rows, ask);
  // A paused process hears of it only once it goes on.
  for (const row of rows) if (row.isPaused) send(row, "SIGCONT");
}

/** The group at once, so that its processes cannot start others in between; the rest one by one. */
function sendAll({ agent }: Family, rows: readonly ProcessRow[], name: NodeJS.Signals): void {
  const leader = rows.find(({ pid, group }) => pid === agent?.pid && group === pid);
  const isGroupSignalled = leader !== undefined && isAlive(leader) && signalGroup(leader.pid, name);
  for (const row of rows) if (!isGroupSignalled || row.group !== leader?.pid) send(row, name);
}

function signalGroup(group: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(-group, name);
    return true;
  } catch (error) {
    if (hasCode(error, "ESRCH", "EPERM")) return false;
    throw error;
  }
}

function send(row: ProcessRow, name: NodeJS.Signals): void {
  try {
    signal(row, name);
  } catch (error) {
    // A process of another user: it is told of as left.
    if (!hasCode(error, "EPERM")) throw error;
  }
}

// Looks at a run from time to time: what it has printed, whether its processes have used the processor, what it said on the bus.

import type { ProcessIdentity } from "../../files/process-identity.ts";
import type { Bus } from "../bus/bus.ts";
import { findLastWord, isWaitingFor } from "../bus/questions.ts";
import { tailBus } from "../bus/read-bus.ts";
import type { JobLimits } from "./job.ts";
import { type Family, findMembers, hasLivingChild } from "./members.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";
import type { Observed } from "./watch-job.ts";

export type Look = {
  readonly nowMs: number;
  /** Bytes printed so far, on both streams. */
  readonly outputBytes: number;
};

export type Sampled = {
  readonly family: Family;
  readonly self: ProcessIdentity;
  readonly table: ProcessTable;
  readonly bus: Bus;
  readonly runId: string;
  /** How often it is looked. */
  readonly everyMs: number;
};

/** Waiting programs use a little, too: for timers, for the network. Work takes more than this share of one processor. */
const busyShare = 0.02;
/** The question that a run waits for is among so many last messages, or others have much to say meanwhile. */
const lookBack = 200;

export const sampleEveryMs = ({ idleMs, firstOutputMs, wallMs }: JobLimits): number =>
  Math.min(5_000, Math.max(50, Math.min(idleMs ?? 20_000, firstOutputMs ?? 20_000, wallMs ?? 20_000) / 4));

/** Each call looks once. Time that passes between two looks counts at most twice the interval: clocks are set, machines sleep. */
export function makeSampler(sampled: Sampled, startedMs: number): (look: Look) => Observed {
  const { family, self, table, everyMs } = sampled;
  let lastMs = startedMs;
  let steadyMs = 0;
  let cpu = new Map<number, number>();
  let outputBytes = 0;
  let outputAt = 0;
  let aliveAt = 0;
  let lastSaid: string | null = null;
  return (look) => {
    const passedMs = Math.min(Math.max(0, look.nowMs - lastMs), everyMs * 2 + 1_000);
    lastMs = look.nowMs;
    steadyMs += passedMs;
    if (look.outputBytes !== outputBytes) {
      outputBytes = look.outputBytes;
      outputAt = steadyMs;
    }
    const rows = table(family.agent?.started);
    const members = findMembers(rows, family, self);
    const isBusy = usedMs(members, cpu) >= passedMs * busyShare && usedMs(members, cpu) > 0;
    cpu = new Map(members.map(({ pid, cpuMs }) => [pid, cpuMs]));
    const said = readBus(sampled);
    const hasSpoken = said.last !== lastSaid;
    lastSaid = said.last;
    if (isBusy || hasSpoken || hasLivingChild(rows, sampled.runId)) aliveAt = steadyMs;
    return {
      runningMs: steadyMs,
      hasOutput: outputBytes > 0,
      outputSilentMs: steadyMs - outputAt,
      lifelessMs: steadyMs - Math.max(outputAt, aliveAt),
      isWaiting: said.isWaiting,
    };
  };
}

function usedMs(members: readonly ProcessRow[], before: ReadonlyMap<number, number>): number {
  return members.reduce((sum, { pid, cpuMs }) => sum + Math.max(0, cpuMs - (before.get(pid) ?? 0)), 0);
}

/** A bus that cannot be read tells nothing. */
function readBus({ bus, runId }: Sampled): { readonly last: string | null; readonly isWaiting: boolean } {
  try {
    const { entries } = tailBus(bus, lookBack);
    return { last: findLastWord(entries, runId)?.msg_id ?? null, isWaiting: isWaitingFor(entries, runId) };
  } catch {
    return { last: null, isWaiting: false };
  }
}

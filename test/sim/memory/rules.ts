// What the simulated database is asked again and again, each as one small function, so that a planted bug is one of them
// answered wrongly. The answers here are those of src/store/ and src/queue/.

import type { RunId } from "../../../src/domain/run/run.ts";
import type { JobAttempt, Lease, ModelCall } from "../../../src/runs/ports/run-store.ts";
import { lostMs } from "./lost-time.ts";
import type { MemoryTransaction } from "./memory-database.ts";
import type { CallRow, JobRow, RunRecord } from "./records.ts";

export type FencedOperation =
  | "recordEntry"
  | "recordWrites"
  | "reserveCall"
  | "settleCall"
  | "intendEffect"
  | "keepHandle"
  | "finishEffect"
  | "hear";

export type Rules = {
  /** Whether this lease may still write. */
  readonly isOurs: (operation: FencedOperation, lease: Lease, record: RunRecord) => boolean;
  readonly hasRoom: (record: RunRecord, call: ModelCall) => boolean;
  /** The run before the call, as everyone does. */
  readonly lockToSettle: (tx: MemoryTransaction, runId: RunId, callId: string) => Promise<void>;
  readonly isSettleable: (call: CallRow) => boolean;
  /** What an answer costs that did not come (`failed`), or whose worker died (`lost`). */
  readonly chargeFor: (call: Pick<CallRow, "reservedMicroUsd">, why: "failed" | "lost") => number;
  readonly leasedMs: (record: RunRecord, nowMs: number) => number;
  readonly takesAcknowledgement: (job: JobRow, from: JobAttempt) => boolean;
  readonly takesSignOfLife: (job: JobRow, from: JobAttempt) => boolean;
  readonly takesBack: (job: JobRow, from: JobAttempt) => boolean;
  readonly isExpired: (job: JobRow, databaseNowMs: number, workerNowMs: number) => boolean;
  readonly isDue: (job: JobRow, databaseNowMs: number) => boolean;
  /** Older first. */
  readonly fetchOrder: (a: JobRow, b: JobRow) => number;
  /** The number of the first of the events that are added now. */
  readonly firstSeq: (record: RunRecord) => number;
};

/** A worker is not thought to have worked on for longer than this after its last sign of life (run-store.ts). */
export const graceMs = 5_000;
/** `heartbeatSeconds` of the queue (migration 0034). */
export const heartbeatMs = 10_000;

export const rightRules: Rules = {
  isOurs: (_operation, lease, { run }) => run.fence === lease.fence && run.state.status === "running",
  hasRoom: ({ run: { budget, spent }, calls }, call) => {
    if (!budget.isCostHard || budget.maxCostMicroUsd === null) return true;
    const open = calls.reduce(
      (sum, { state, reservedMicroUsd }) => sum + (state === "reserved" ? reservedMicroUsd : 0),
      0,
    );
    return spent.costMicroUsd + open + call.reservedMicroUsd <= budget.maxCostMicroUsd;
  },
  lockToSettle: async (tx, runId, callId) => {
    await tx.lock("run", runId);
    await tx.lock("call", callId);
  },
  isSettleable: ({ state }) => state === "reserved",
  chargeFor: ({ reservedMicroUsd }) => reservedMicroUsd,
  leasedMs: (record, nowMs) => {
    const { leasedAtMs, leaseSeenAtMs } = record;
    const untilMs = Math.min(nowMs, (leaseSeenAtMs ?? nowMs) + graceMs);
    return leasedAtMs === null ? 0 : Math.max(0, untilMs - leasedAtMs - lostMs(record, untilMs));
  },
  takesAcknowledgement: (job, { attempt }) => job.state === "active" && job.attempt === attempt,
  takesSignOfLife: (job, { attempt }) => job.state === "active" && job.attempt === attempt,
  takesBack: (job, { attempt }) => job.state === "active" && job.attempt === attempt,
  isExpired: (job, databaseNowMs) => job.state === "active" && job.heartbeatMs + heartbeatMs < databaseNowMs,
  isDue: (job, databaseNowMs) => job.state !== "active" && job.startAfterMs <= databaseNowMs,
  fetchOrder: (a, b) => a.order - b.order,
  firstSeq: ({ lastSeq }) => lastSeq + 1,
};

// The queue in memory, with the few rules of src/queue/job-queue.ts and the library below it: one open job per key, an
// attempt number for every delivery, signs of life on the database's clock. queue-contract.test.ts holds both to the same.

import { jobIdOf } from "../../../src/queue/job-id.ts";
import type { JobQueue, JobRef, QueuedJob } from "../../../src/queue/job-queue.ts";
import type { Lease } from "../../../src/runs/ports/run-store.ts";
import type { MemoryDatabase, MemoryTransaction } from "./memory-database.ts";
import { withEvents } from "./memory-events.ts";
import type { JobRow } from "./records.ts";
import type { Rules } from "./rules.ts";

const untouched = {
  state: "created",
  attempt: 0,
  wasStarted: false,
  heartbeatMs: 0,
  givenBackBy: null,
  touchedBy: null,
} as const;

/** What happens in transactions. */
export function memoryJobs(rules: Rules): Pick<JobQueue<MemoryTransaction>, "enqueue" | "drop" | "complete"> {
  return {
    enqueue: async (tx, { kind, key, data, notBeforeMs, isNews }) => {
      const id = jobIdOf(key);
      await tx.lock("job", id);
      if (tx.findJob(id) !== null) return;
      const [startAfterMs, order] = [notBeforeMs ?? tx.nowMs, tx.nextOrder()];
      tx.putJob(id, { ...untouched, id, kind, data, startAfterMs, order });
      if (isNews) tx.notice({ kind, dropped: null });
    },
    drop: async (tx, kind, key) => {
      const id = jobIdOf(key);
      await tx.lock("job", id);
      tx.putJob(id, null);
      tx.notice({ kind, dropped: id });
    },
    complete: async (tx, from) => {
      await tx.lock("job", from.id);
      const job = tx.findJob(from.id);
      if (job === null || !rules.takesAcknowledgement(job, from)) return false;
      tx.acknowledged(from, job);
      tx.putJob(from.id, null);
      return true;
    },
  };
}

/**
 * Signs of life and expiry are one transaction for each job: the library locks several in no order of its own, and whoever fails over
 * that tries again. Such circles are not what is looked for here.
 */
export function memoryQueue(
  database: MemoryDatabase,
  rules: Rules,
  by: string,
  workerNowMs: () => number,
): JobQueue<MemoryTransaction> {
  const run = <T>(work: (tx: MemoryTransaction) => Promise<T>) => database.run(`${by} queue`, null, work);
  return {
    ...memoryJobs(rules),
    fetch: (kind, limit) =>
      run(async (tx) => {
        const due = tx
          .allJobs()
          .filter((job) => job.kind === kind && rules.isDue(job, tx.nowMs) && !tx.isLockedByAnother("job", job.id))
          .toSorted(rules.fetchOrder)
          .slice(0, limit);
        return due.map((job) => started(tx, job));
      }),
    touch: async (jobs) => {
      const ours: JobRef[] = [];
      for (const from of jobs)
        await run(async (tx) => {
          await tx.lock("job", from.id);
          const job = tx.findJob(from.id);
          if (job === null || !rules.takesSignOfLife(job, from)) return;
          tx.putJob(job.id, { ...job, heartbeatMs: tx.nowMs, touchedBy: from.attempt });
          ours.push(from);
        });
      return ours;
    },
    release: (from, afterMs) =>
      run(async (tx) => {
        await tx.lock("job", from.id);
        const job = tx.findJob(from.id);
        if (job === null || !rules.takesBack(job, from)) return;
        const startAfterMs = tx.nowMs + Math.ceil(afterMs / 1_000) * 1_000;
        tx.putJob(job.id, { ...job, state: "retry", startAfterMs, givenBackBy: from.attempt });
        if (afterMs === 0) tx.notice({ kind: job.kind, dropped: null });
      }),
    supervise: async () => {
      const isOver = (job: JobRow, nowMs: number) => rules.isExpired(job, nowMs, workerNowMs());
      for (const { id } of [...database.jobs.values()].filter((job) => isOver(job, database.world.databaseNowMs)))
        await run(async (tx) => {
          await tx.lock("job", id);
          const job = tx.findJob(id);
          if (job !== null && isOver(job, tx.nowMs))
            tx.putJob(id, { ...job, state: "retry", startAfterMs: tx.nowMs, givenBackBy: null });
        });
    },
  };
}

function started(tx: MemoryTransaction, job: JobRow): QueuedJob {
  const attempt = job.wasStarted ? job.attempt + 1 : job.attempt;
  tx.putJob(job.id, { ...job, state: "active", attempt, wasStarted: true, heartbeatMs: tx.nowMs });
  return { kind: job.kind, id: job.id, attempt, data: job.data };
}

/** Signs of life for leases (src/store/run/lease-store.ts). */
export async function memoryKeepLeases(database: MemoryDatabase, by: string, leases: readonly Lease[]): Promise<void> {
  await database.run(`${by} leases`, null, async (tx) => {
    for (const { runId, fence } of leases) {
      const record = tx.find(runId);
      if (record === null || record.run.fence !== fence || record.leasedAtMs === null) continue;
      if (tx.isLockedByAnother("run", runId)) continue;
      await tx.lock("run", runId);
      tx.put({ ...record, leaseSeenAtMs: tx.nowMs });
    }
  });
}

export async function memoryLetGo(
  database: MemoryDatabase,
  rules: Rules,
  by: string,
  { runId, fence }: Lease,
): Promise<void> {
  await database.run(`${by} leases`, null, async (tx) => {
    await tx.lock("run", runId);
    const record = tx.find(runId);
    if (record === null || record.run.fence !== fence || record.leasedAtMs === null) return;
    const { spent } = record.run;
    const runningMs = spent.runningMs + rules.leasedMs(record, tx.nowMs);
    const { iteration } = record.run.state;
    tx.put({
      ...withEvents(record, [{ type: "iteration_released", iteration }], rules),
      run: { ...record.run, spent: { ...spent, runningMs } },
      leasedAtMs: null,
      leaseSeenAtMs: null,
    });
  });
}

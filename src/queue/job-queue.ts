// The durable queue: a few verbs for jobs of several kinds. What belongs to a change of ours (enqueue, drop, complete) happens in
// the caller's transaction. test/sim/queue-contract.test.ts says what every implementation has to do; pg-boss-queue.ts is the real
// one. It knows jobs, not what they are about.

import type { Tx } from "../db/database.ts";
import type { JobKind } from "./job-kinds.ts";

export type NewJob = {
  readonly kind: JobKind;
  readonly key: string;
  readonly data: object;
  readonly notBeforeMs: number | null;
  /** True: idle workers are woken. The next job of a chain is found by the worker that did the one before. */
  readonly isNews: boolean;
};

/** One delivery; `attempt` is what the queue fences with. */
export type QueuedJob = {
  readonly kind: JobKind;
  readonly id: string;
  readonly attempt: number;
  readonly data: unknown;
};
export type JobRef = Omit<QueuedJob, "data">;

export type JobQueue<Transaction = Tx> = {
  /** One open job per key: nothing happens if it is open already. */
  readonly enqueue: (tx: Transaction, job: NewJob) => Promise<void>;
  /** Ends the open job of this key and tells the worker that has it. */
  readonly drop: (tx: Transaction, kind: JobKind, key: string) => Promise<void>;
  /** False: it was given to another worker since, or dropped. */
  readonly complete: (tx: Transaction, job: JobRef) => Promise<boolean>;
  readonly fetch: (kind: JobKind, limit: number) => Promise<readonly QueuedJob[]>;
  /** Signs of life; answers which of them are still ours. */
  readonly touch: (jobs: readonly JobRef[]) => Promise<readonly JobRef[]>;
  /** Gives it back, to be taken again after a while. */
  readonly release: (job: JobRef, afterMs: number) => Promise<void>;
  /** Takes jobs away from dead workers and clears out old ones; any number of processes may ask, one does it. */
  readonly supervise: () => Promise<void>;
};

/** What a worker asks of a queue; the rest happens in transactions. */
export type WorkQueue = Pick<JobQueue, "fetch" | "touch" | "release" | "supervise">;

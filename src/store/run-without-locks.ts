// A change of a run without a lock on it: read, decide, and write everything in one statement that does nothing if the row is
// another version by then. That is two round trips where a transaction with locks takes six, and nobody waits. What it cannot do in one statement, and what came too late, is done again
// with locks (run-store.ts).

import type { Database } from "../db/database.ts";
import { sqlState } from "../db/errors.ts";
import type { JobAttempt, RunChange, RunTx } from "../runs/ports.ts";
import type { Binder } from "./binder.ts";
import { jobOf, type RunJob, type RunJobs } from "./run-jobs.ts";
import { readRow } from "./run-read.ts";
import { saveStatement } from "./run-save.ts";

export type Done<T> = { readonly result: T; readonly changed: readonly RunChange[] };

/** Thrown through `work` when it asks for something that takes a lock. */
class NeedsLocks extends Error {}

/** Raised by jobs_are_gone() in migration 0005. */
const jobsAreGone = "HW018";

/** What `work` wants to happen. */
type Wanted = {
  version: string | null;
  change: RunChange | null;
  acknowledged: JobAttempt | null;
  next: RunJob | null;
};

/** Null: nothing has happened, and it has to be done with locks. */
export async function withoutLocks<T>(
  db: Database,
  jobs: RunJobs,
  work: (tx: RunTx) => Promise<T>,
): Promise<Done<T> | null> {
  const wanted: Wanted = { version: null, change: null, acknowledged: null, next: null };
  return attempt(db, jobs, work, wanted);
}

async function attempt<T>(
  db: Database,
  jobs: RunJobs,
  work: (tx: RunTx) => Promise<T>,
  wanted: Wanted,
): Promise<Done<T> | null> {
  try {
    const result = await work(collect(db, wanted));
    const { change } = wanted;
    if (change === null) return wanted.acknowledged === null ? { result, changed: [] } : null;
    return (await write(db, jobs, wanted, change)) ? { result, changed: [change] } : null;
  } catch (thrown) {
    if (thrown instanceof NeedsLocks || sqlState(thrown) === jobsAreGone) return null;
    throw thrown;
  }
}

/** The order of locks is that of a transaction: the run, its jobs, its user's list. */
async function write(db: Database, jobs: RunJobs, wanted: Wanted, change: RunChange): Promise<boolean> {
  const parts = (binder: Binder): readonly string[] => {
    const bind = binder.value.bind(binder);
    return [
      ...(wanted.acknowledged === null ? [] : [jobs.completePart(bind, "run", wanted.acknowledged)]),
      ...(wanted.next === null ? [] : [jobs.enqueuePart(bind, "run", wanted.next)]),
    ];
  };
  const { text, values } = saveStatement({ change, unheard: 0, version: wanted.version, jobs: parts });
  return (await db.statement(text, values)).length === 1;
}

/** Reads one run, and keeps in mind what is to be done to it. */
function collect(db: Database, wanted: Wanted): RunTx {
  const refuse = async (): Promise<never> => {
    throw new NeedsLocks();
  };
  return {
    lockRun: async (runId) => {
      if (wanted.version !== null) return refuse();
      const found = await readRow(db.statement, runId);
      wanted.version = found?.version ?? null;
      return found?.locked ?? null;
    },
    acknowledge: async (job) => {
      wanted.acknowledged = job;
      return true; // If it is not so, the statement fails, and everything is asked again with locks.
    },
    save: async (change) => {
      if (wanted.version === null || wanted.change !== null || change.unheard !== null) return refuse();
      wanted.change = change;
    },
    enqueue: async (run, iteration, notBeforeMs) => {
      const job = jobOf(run, iteration, notBeforeMs);
      if (wanted.next !== null || job.notBeforeMs !== null || job.isNews) return refuse();
      wanted.next = job;
    },
    lockUser: refuse,
    insertRun: refuse,
    recordOf: refuse,
    countSlots: refuse,
    nextInLine: refuse,
    takeUpSignals: refuse,
    readJournal: refuse,
    workedMs: refuse,
    giveUpCalls: refuse,
    dropJob: refuse,
  };
}

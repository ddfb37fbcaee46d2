// A change of a run without a lock on it: read, decide, and write everything in one statement that does nothing if the row is
// another version by then. That is two round trips where a transaction with locks takes six, and nobody waits; one, where this
// process has left the run itself and knows how. What it cannot do in one statement, and what came too late, is done again
// with locks (run-store.ts).

import type { Database } from "../db/database.ts";
import { sqlState } from "../db/errors.ts";
import type { JobAttempt, RunChange, RunTx } from "../runs/ports/run-store.ts";
import type { Binder } from "./binder.ts";
import type { KnownRuns } from "./known-runs.ts";
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
  /** Decided on what this process remembers, without a look at the row. */
  isRemembered: boolean;
};

/** Null: nothing has happened, and it has to be done with locks. */
export async function withoutLocks<T>(
  db: Database,
  jobs: RunJobs,
  known: KnownRuns,
  work: (tx: RunTx) => Promise<T>,
): Promise<Done<T> | null> {
  const wanted: Wanted = { version: null, change: null, acknowledged: null, next: null, isRemembered: false };
  const done = await attempt(db, jobs, known, work, wanted);
  // It was not as remembered: whoever forgets it has to look.
  return done === null && wanted.isRemembered ? withoutLocks(db, jobs, known, work) : done;
}

async function attempt<T>(
  db: Database,
  jobs: RunJobs,
  known: KnownRuns,
  work: (tx: RunTx) => Promise<T>,
  wanted: Wanted,
): Promise<Done<T> | null> {
  try {
    const result = await work(collect(db, known, wanted));
    const { change } = wanted;
    // What leads to no change is for whoever has looked.
    if (change === null) return wanted.acknowledged === null && !wanted.isRemembered ? { result, changed: [] } : null;
    const written = await write(db, jobs, wanted, change);
    if (written === null) return null;
    known.keep(change.run, written.revision, isFree(change) ? written.version : null);
    return { result, changed: [change] };
  } catch (thrown) {
    if (thrown instanceof NeedsLocks || sqlState(thrown) === jobsAreGone) return null;
    throw thrown;
  }
}

/** Nobody has it now, and its iteration is one that nobody has tried. */
const isFree = ({ before, run, claim }: RunChange) =>
  claim === "release" && before.state.iteration !== run.state.iteration;

type Written = { readonly revision: number; readonly version: string };

/** The order of locks is that of a transaction: the run, its jobs, its user's list. */
async function write(db: Database, jobs: RunJobs, wanted: Wanted, change: RunChange): Promise<Written | null> {
  const parts = (binder: Binder): readonly string[] => {
    const bind = binder.value.bind(binder);
    return [
      ...(wanted.acknowledged === null ? [] : [jobs.completePart(bind, "run", wanted.acknowledged)]),
      ...(wanted.next === null ? [] : [jobs.enqueuePart(bind, "run", wanted.next)]),
    ];
  };
  const { text, values } = saveStatement({ change, unheard: 0, version: wanted.version, jobs: parts });
  const [written] = await db.statement<Written>(text, values);
  return written ?? null;
}

/** Reads one run, and keeps in mind what is to be done to it. */
function collect(db: Database, known: KnownRuns, wanted: Wanted): RunTx {
  const refuse = async (): Promise<never> => {
    throw new NeedsLocks();
  };
  return {
    lockRun: async (runId, due) => {
      if (wanted.version !== null) return refuse();
      const left = known.find(runId);
      if (left?.freeVersion && left.run.state.iteration === due) {
        known.forget(runId);
        wanted.isRemembered = true;
        wanted.version = left.freeVersion;
        return { run: left.run, attempts: 0, isClaimed: false, claimedMs: 0 };
      }
      const found = await readRow(db.statement, runId, left);
      wanted.version = found?.version ?? null;
      return found?.locked ?? null;
    },
    acknowledge: async (job) => {
      wanted.acknowledged = job;
      return true; // If it is not so, the statement fails, and everything is asked again with locks.
    },
    save: async (change) => {
      if (wanted.version === null || wanted.change !== null || change.unheard !== null || change.notification !== null)
        return refuse();
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
    readNotification: refuse,
    countSlots: refuse,
    nextInLine: refuse,
    takeUpSignals: refuse,
    readJournal: refuse,
    workedMs: refuse,
    giveUpCalls: refuse,
    dropJob: refuse,
  };
}

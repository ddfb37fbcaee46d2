// Runs in PostgreSQL: the transactions that `src/runs/` is written in. Each operation is a file of its own with its SQL.

import { sql } from "kysely";
import type { Database, Tx } from "../../db/database.ts";
import { aboutRun } from "../../domain/run/report/notification.ts";
import type { RunId } from "../../domain/run/run.ts";
import type { RunChange, RunStore, RunTransactions, RunTx } from "../../runs/ports/run-store.ts";
import { tellSilence } from "../../runs/tell-silence.ts";
import { readQuota } from "../identity/quota-store.ts";
import { readJournal } from "../journal/journal-store.ts";
import { giveUpCalls } from "../journal/lost-call-store.ts";
import { leaveUnread, readWorkedMs, runJournalStore, takeUpMessages } from "../journal/run-journal-store.ts";
import { markSilent } from "../journal/silence-store.ts";
import { markRead, tellUser } from "../notification/notification-store.ts";
import { runTopic, tellTopics, userTopic } from "../notification/topics.ts";
import { isTaskAtWork } from "../outcome/is-task-at-work.ts";
import { tellOutcome } from "../outcome/tell-outcome.ts";
import { recordOf } from "../run-view/run-record-store.ts";
import { insertMessages } from "./insert-messages.ts";
import { insertRun } from "./insert-run.ts";
import { interruptIteration } from "./interrupt-iteration.ts";
import { lockRun } from "./lock-run.ts";
import { jobKey, jobOf, type RunJobs } from "./run-jobs.ts";
import { countSlots, lockUser, nextInLine } from "./run-slots.ts";
import { saveChecks } from "./save-checks.ts";
import { saveRun } from "./save-run.ts";

/** `tell` is called with the topics of what was written, once it is committed. */
export function runStore(db: Database, jobs: RunJobs, tell: (topic: string) => void): RunStore<Tx> {
  const transactions: RunTransactions = {
    transaction: async (work) => {
      const changed: RunChange[] = [];
      const result = await db.asSystem((tx) => work(runTx(tx, jobs, (change) => changed.push(change))));
      for (const topic of changed.flatMap(topicsOf)) tell(topic);
      return result;
    },
  };
  return {
    ...runJournalStore(db, tell),
    ...transactions,
    noteSilence: (lease, call, silence) => tellSilence(transactions, lease, call, silence),
  };
}

/** After a restore: runs came back without their jobs. */
export async function enqueueDueRuns(db: Database, jobs: RunJobs): Promise<number> {
  return db.asSystem(async (tx) => {
    const { rows } = await sql<{ id: RunId }>`
      select id from homework_runs where status = 'running' or (status = 'queued' and has_slot) order by queued_at, id`.execute(
      tx,
    );
    for (const { id } of rows) {
      const locked = await lockRun(tx, id);
      if (locked === null) continue;
      const { run } = locked;
      const notBeforeMs = run.state.status === "running" ? (run.state.hold?.untilMs ?? null) : null;
      await runTx(tx, jobs, () => {}).enqueue(run, run.state.iteration, notBeforeMs);
    }
    return rows.length;
  });
}

/** In a transaction of someone else's that has the platform's role now; viewers are told when that is committed. */
export async function inRunTx<T>(tx: Tx, jobs: RunJobs, work: (tx: RunTx) => Promise<T>): Promise<T> {
  const changed: RunChange[] = [];
  const result = await work(runTx(tx, jobs, (change) => changed.push(change)));
  await tellTopics(tx, new Set(changed.flatMap(topicsOf)));
  return result;
}

/** What will be news when it is committed. */
export const topicsOf = ({ run, events, isListed }: RunChange): readonly string[] => [
  ...(events.length > 0 ? [runTopic(run.id)] : []),
  ...(isListed ? [userTopic(run.userId)] : []),
];

/** Inside a transaction that has the platform's role. `onChange` gets what will be news when it is committed. */
export function runTx(tx: Tx, jobs: RunJobs, onChange: (change: RunChange) => void): RunTx {
  return {
    lockUser: (userId) => lockUser(tx, userId),
    lockRun: (runId) => lockRun(tx, runId),
    insertRun: (run) => insertRun(tx, run),
    save: async (change) => {
      await save(tx, jobs, change);
      onChange(change);
    },
    readNotification: async (run) => {
      await markRead(tx, run.userId, { about: aboutRun(run) });
    },
    recordOf: (run) => recordOf(tx, run),
    countSlots: (userId) => countSlots(tx, userId),
    maxSlots: async (userId) => (await readQuota(tx, userId)).runsAtOnce,
    nextInLine: (userId) => nextInLine(tx, userId),
    takeUpMessages: (runId, iteration, isNew) => takeUpMessages(tx, runId, iteration, isNew),
    readJournal: (runId, iteration) => readJournal(tx, { run_id: runId, iteration }),
    markSilent: (_lease, call, silence) => markSilent(tx, call, silence),
    workedMs: (lease) => readWorkedMs(tx, lease),
    giveUpCalls: (runId) => giveUpCalls(tx, runId),
    enqueue: (run, iteration, notBeforeMs) => jobs.enqueue(tx, jobOf(run, iteration, notBeforeMs)),
    tellOutcome: (run) => tellOutcome(tx, jobs, run),
    isTaskAtWork: (run) => isTaskAtWork(tx, run),
    dropJob: (runId, iteration) => jobs.drop(tx, "iteration", jobKey(runId, iteration)),
    acknowledge: (job) => jobs.complete(tx, { ...job, kind: "iteration" }),
  };
}

/** The run is locked. */
async function save(tx: Tx, jobs: RunJobs, change: RunChange): Promise<void> {
  const { before, run, interrupted, proofs, messages, unheard, notification } = change;
  await saveRun(tx, change, unheard === null ? 0 : await leaveUnread(tx, run.id, unheard));
  if (interrupted !== null) await interruptIteration(tx, run.id, interrupted);
  if (run.checks !== before.checks || proofs.length > 0) await saveChecks(tx, run);
  if (messages.length > 0) await insertMessages(tx, run.id, before.state.iteration, messages);
  if (notification !== null) await tellUser(tx, jobs, notification);
}

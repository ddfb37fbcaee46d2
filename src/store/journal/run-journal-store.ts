// What is a run's own in its journal: what the user said, heard in the middle of an iteration, and how long a lease has worked.
// Entries and ledger are those of every journal (journal-store.ts).

import { sql } from "kysely";
import { z } from "zod";
import { type Database, statementIn, type Tx } from "../../db/database.ts";
import type { RunId } from "../../domain/run/run.ts";
import {
  type EntryHead,
  type JournalStore,
  type Lease,
  type RecordedEntry,
  type RunMessage,
  tellEntry,
} from "../../runs/ports/run-store.ts";
import { runTopic } from "../notification/topics.ts";
import { rowOf } from "../row.ts";
import { holdRun } from "./journal-owners.ts";
import { journalStore, recordEntry } from "./journal-store.ts";

/** `tell` is called with the topic of the run after each of them that wrote an event. */
export function runJournalStore(db: Database, tell: (topic: string) => void): JournalStore<Tx> {
  return {
    ...journalStore(db, holdRun, ({ runId }) => tell(runTopic(runId))),
    hear: (lease, head, shown) => hear(db, lease, head, shown, tell),
  };
}

/** Most of the time there is nothing new; then nothing is locked. */
async function hear(
  db: Database,
  lease: Lease,
  head: EntryHead,
  shown: readonly string[],
  tell: (topic: string) => void,
): Promise<readonly RunMessage[] | "lost"> {
  const { runId, iteration } = lease;
  const isNew = sql`s.run_id = ${runId} and (s.consumed_iteration is null
    or s.consumed_iteration = ${iteration} and s.id <> all (${[...shown]}::uuid[]))`;
  const { rows } = await sql`select from homework_run_messages s where ${isNew} limit 1`.execute(db.system);
  if (rows.length === 0) return [];
  const heard = await db.asSystem(async (tx) => {
    const { rows: ours } = await sql`update homework_runs set unread_messages = 0, updated_at = run_now()
      where id = ${runId} and fence = ${lease.fence} and status = 'running' returning id`.execute(tx);
    if (ours.length === 0) return "lost";
    const all = await takeUpMessages(tx, runId, iteration, true);
    const messages = all.filter(({ id }) => !shown.includes(id));
    const did = messages.length === 1 ? "Read your message" : `Read ${messages.length} messages of yours`;
    const event = { ...tellEntry(iteration, head, did, null), unread: 0 } as const;
    const entry = { ...head, kind: "platform", result: { result: messages, artifacts: [] } } as const;
    const record: RecordedEntry = { ...entry, did, error: null, tookMs: 0, event };
    return (await recordEntry(statementIn(tx), holdRun(lease), record)) === "kept" ? messages : "lost";
  });
  if (heard !== "lost") tell(runTopic(runId));
  return heard;
}

const workedRow = z.object({ worked_ms: z.number() });

/** From the beginning of the lease to its last entry that is done. */
export async function readWorkedMs(tx: Tx, { runId, iteration, fence }: Lease): Promise<number> {
  const { rows } = await sql`
    select coalesce(greatest(0, floor(1000 * extract(epoch from max(coalesce(s.ended_at, s.began_at)) - r.leased_at))), 0)::float8
             as worked_ms
      from homework_runs r left join journal_entries s
        on s.run_id = r.id and s.iteration = ${iteration} and s.fence = ${fence} and s.state = 'done'
     where r.id = ${runId} group by r.leased_at`.execute(tx);
  return workedRow.parse(rows[0]).worked_ms;
}

const signalRow = rowOf({
  id: z.string(),
  kind: z.enum(["steer", "answer"]),
  questionId: z.string().nullable(),
  question: z.string().nullable(),
  text: z.string(),
});

/** Marks what is new as this iteration's, and answers with all that is: another attempt gets the same. */
export async function takeUpMessages(
  tx: Tx,
  runId: RunId,
  iteration: number,
  isNew: boolean,
): Promise<readonly RunMessage[]> {
  if (isNew)
    await sql`update homework_run_messages set consumed_iteration = ${iteration}
      where run_id = ${runId} and consumed_iteration is null`.execute(tx);
  const { rows } = await sql`select id, kind, question_id, question, text from homework_run_messages
    where run_id = ${runId} and consumed_iteration = ${iteration} order by created_at, id`.execute(tx);
  return z.array(signalRow).parse(rows);
}

/** What this iteration took up is new again; answers how much that was. */
export async function leaveUnread(tx: Tx, runId: RunId, iteration: number): Promise<number> {
  const { rows } = await sql`update homework_run_messages set consumed_iteration = null
    where run_id = ${runId} and consumed_iteration = ${iteration} returning id`.execute(tx);
  return rows.length;
}

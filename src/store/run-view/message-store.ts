// What the user has said to a run, in order: guidance, answers with their questions, change requests; and in which prompts each of
// them stood. A run that was forked knows what was said to the one it came from.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { SaidMessage } from "../../domain/planner/said-message.ts";
import { whole } from "../row.ts";

const rows = z.array(z.object({ id: z.string(), question: z.string().nullable(), text: z.string() }));

/** More than a run hears in its life; a prompt shortens the oldest of them. */
const messagesMax = 500;

/** The run and those it was forked from, as `line`; of each, what it had taken up until an iteration. */
export const lineage = (runId: string, until: number | null) => sql`
  recursive line (id, parent, until) as (
    select r.id, r.forked_from_run, ${until}::int from homework_runs r where r.id = ${runId}
    union all
    select p.id, p.forked_from_run, c.forked_from_iteration
      from line join homework_runs c on c.id = line.id join homework_runs p on p.id = line.parent)`;

/** What iterations up to this one have taken up, oldest first. */
export async function readMessages(tx: Tx, runId: string, iteration: number): Promise<readonly SaidMessage[]> {
  const found = await sql`
    with ${lineage(runId, iteration)}
    select id, question, text from (
      select s.id, s.question, s.text, s.created_at from homework_run_messages s join line on line.id = s.run_id
       where s.consumed_iteration <= line.until order by s.created_at desc, s.id desc limit ${messagesMax}) as newest
     order by created_at, id`.execute(tx);
  return rows.parse(found.rows);
}

const reasonRows = z.array(z.object({ questionId: z.string().nullable(), text: z.string() }));

/** What these iterations of a run have taken up, oldest first, and which question each of it answers. */
export async function readReasons(
  tx: Tx,
  runId: string,
  from: number,
  to: number,
): Promise<z.output<typeof reasonRows>> {
  const { rows: said } = await sql`
    select question_id as "questionId", text from homework_run_messages
     where run_id = ${runId} and consumed_iteration between ${from} and ${to} order by created_at, id`.execute(tx);
  return reasonRows.parse(said);
}

/** Runs that were forked from each other or follow each other up; a longer line is not expected. */
const lineMax = 10;

/** What was said to a run and to those that it was forked from or follows up, also what no iteration took up; the newest, oldest first. */
export async function readAllSaid(tx: Tx, runId: string, limit: number): Promise<readonly SaidMessage[]> {
  const found = await sql`
    with recursive line (id, until, nth) as (
      select ${runId}::uuid, null::int, 1
      union all
      select p.id, case when p.id = c.forked_from_run then c.forked_from_iteration end, line.nth + 1
        from line join homework_runs c on c.id = line.id join homework_runs p on p.id in (c.forked_from_run, c.follows_run_id)
       where line.nth < ${lineMax})
    select id, question, text from (
      select s.id, s.question, s.text, s.created_at from homework_run_messages s
       where exists (select from line where line.id = s.run_id and (line.until is null or s.consumed_iteration <= line.until))
       order by s.created_at desc, s.id desc limit ${limit}) as newest
     order by created_at, id`.execute(tx);
  return rows.parse(found.rows);
}

const place = z.object({ iteration: z.number().int(), lane: z.string(), at: z.string() }).readonly();

/** The model calls whose prompts contained a message, without those that failed or were cut off; the first of them and the last. */
const receipt = z.object({ calls: whole, first: place, last: place }).readonly();
export type Receipt = z.infer<typeof receipt>;

const receiptRows = z.array(z.object({ id: z.string(), receipt }));

/** By message of this run. A prompt contains all messages up to the one that it was counted to. */
export async function readReceipts(tx: Tx, runId: string): Promise<ReadonlyMap<string, Receipt>> {
  const told = sql`json_build_object('iteration', l.iteration, 'lane', coalesce(l.lane, 'planner'), 'at', l.created_at)`;
  // Calls are counted by the length of their prompts first: a run has many calls for each message.
  const { rows } = await sql`
    with ${lineage(runId, null)},
    message as (
      select id, ordinal from (
        select s.id, s.run_id, row_number() over (order by s.created_at, s.id) as ordinal
          from homework_run_messages s join line on line.id = s.run_id
         where s.run_id = ${runId} or s.consumed_iteration <= line.until) as said
       where run_id = ${runId} order by ordinal desc limit ${messagesMax}),
    prompt as (
      select l.messages, count(*) as calls, min(l.created_at) as first_at, max(l.created_at) as last_at,
             (array_agg(${told} order by l.created_at, l.call_id))[1] as first,
             (array_agg(${told} order by l.created_at desc, l.call_id desc))[1] as last
        from llm_usage_logs l where l.run_id = ${runId} and l.messages > 0 and l.error is null
         and (l.state <> 'unknown' or exists (select from journal_entries j
              where j.run_id = l.run_id and j.iteration = l.iteration and j.key = l.entry_key and j.state = 'done'))
       group by l.messages order by l.messages desc limit ${messagesMax})
    select m.id, json_build_object('calls', sum(p.calls), 'first', (array_agg(p.first order by p.first_at, p.messages))[1],
             'last', (array_agg(p.last order by p.last_at desc, p.messages desc))[1]) as receipt
      from message m join prompt p on p.messages >= m.ordinal group by m.id`.execute(tx);
  return new Map(receiptRows.parse(rows).map(({ id, receipt: found }) => [id, found]));
}

/** What no iteration has taken up yet. */
export async function countUnread(tx: Tx, runId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from homework_run_messages where run_id = ${runId} and consumed_iteration is null`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

// What one iteration did: the entries of its journal and its calls of models from the ledger, each as it tells of itself. Reads
// only, in the user's transaction; src/server/entry-lines.ts puts the two together.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { entryKinds, plannerLane } from "../../runs/ports/run-store.ts";
import { rowOf, whole } from "../row.ts";

/** More than an iteration can do: a planner's 12 answers and 40 calls, and executors with 10 and 30 each, tries included. */
const linesMax = 5_000;

/** Who did it, in two columns. */
const laneColumns = { lane: z.string(), laneTitle: z.string().nullable() };
type InColumns = { readonly lane: string; readonly laneTitle: string | null };

const withLane = <Line extends InColumns>({ lane: id, laneTitle: title, ...line }: Line) => ({
  ...line,
  lane: { id, title },
});

/** An entry of the journal, without its arguments and its result, which may be long. */
const journalRow = rowOf({
  ...laneColumns,
  key: z.string(),
  kind: z.enum(entryKinds),
  state: z.enum(["intended", "done", "uncertain"]),
  /** Of the attempt that wrote it. */
  fence: whole,
  tool: z.string().nullable(),
  did: z.string(),
  error: z.string().nullable(),
  beganAt: z.string(),
  endedAt: z.string().nullable(),
}).transform(withLane);
export type JournalLine = z.infer<typeof journalRow>;

const ledgerRow = rowOf({
  ...laneColumns,
  callId: z.string(),
  key: z.string(),
  /** Of the attempt that made the call; null in old rows. */
  fence: whole.nullable(),
  role: z.string(),
  model: z.string(),
  state: z.enum(["reserved", "settled", "unknown"]),
  /** Why it brought no answer. */
  error: z.string().nullable(),
  /** Null while it is under way, and without a known price. */
  costMicroUsd: whole.nullable(),
  /** Null until the provider has counted them; `cachedTokens` are part of `tokens`. */
  tokens: whole.nullable(),
  cachedTokens: whole.nullable(),
  /** Messages of the user that its prompt contained. */
  messages: z.number().int(),
  beganAt: z.string(),
  endedAt: z.string().nullable(),
}).transform(withLane);
export type LedgerLine = z.infer<typeof ledgerRow>;

export type EntryLines = { readonly journal: readonly JournalLine[]; readonly calls: readonly LedgerLine[] };

/** Null: there is no such iteration, or the run is not theirs. */
export async function readEntryLines(tx: Tx, runId: string, iteration: number): Promise<EntryLines | null> {
  const known = await sql`select from homework_run_iterations
    where run_id = ${runId} and iteration = ${iteration}`.execute(tx);
  if (known.rows.length === 0) return null;
  const journal = await sql`
    select key, kind, state, fence, lane, lane_title, tool, did, error, began_at, ended_at from journal_entries
     where run_id = ${runId} and iteration = ${iteration} order by began_at, key limit ${linesMax}`.execute(tx);
  const calls = await sql`
    select call_id, entry_key as key, fence, coalesce(lane, ${plannerLane.id}) as lane, lane_title, role, model, state, error,
           case when priced_by <> 'unpriced' then cost_micro_usd end as cost_micro_usd,
           case when state = 'settled' then input_tokens + output_tokens end as tokens,
           case when state = 'settled' then cached_tokens end as cached_tokens, messages, created_at as began_at, settled_at as ended_at
      from llm_usage_logs where run_id = ${runId} and iteration = ${iteration} and entry_key is not null
     order by created_at, call_id limit ${linesMax}`.execute(tx);
  return { journal: z.array(journalRow).parse(journal.rows), calls: z.array(ledgerRow).parse(calls.rows) };
}

const contentRows = z.array(z.object({ key: z.string(), args: z.unknown(), result: z.unknown() }));

/** What an entry was called with and what it came to, as its engine keeps them. */
export type EntryContent = { readonly args: unknown; readonly result: unknown };

/** Of the entries with these keys. */
export async function readEntryContents(
  tx: Tx,
  runId: string,
  iteration: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, EntryContent>> {
  const { rows } = await sql`select key, args, result from journal_entries
    where run_id = ${runId} and iteration = ${iteration} and key = any (${[...keys]}::text[])`.execute(tx);
  return new Map(contentRows.parse(rows).map(({ key, ...content }) => [key, content]));
}

// What one iteration did: the entries of its journal and its calls of models from the ledger, each as it tells of itself. Reads
// only, in the user's transaction; src/server/step-lines.ts puts the two together.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { priceSources } from "../domain/run/price.ts";
import { type Lane, plannerLane, type StepKind, stepKinds } from "../runs/ports/run-store.ts";

/** More than an iteration can do: a planner's 12 answers and 40 calls, and executors with 10 and 30 each, tries included. */
const linesMax = 5_000;

const lineRow = z.object({
  key: z.string(),
  kind: z.enum(stepKinds),
  state: z.enum(["intended", "done", "uncertain"]),
  fence: z.coerce.number().int(),
  lane: z.string(),
  lane_title: z.string().nullable(),
  tool: z.string().nullable(),
  did: z.string(),
  error: z.string().nullable(),
  began_at: z.string(),
  ended_at: z.string().nullable(),
});

/** An entry of the journal, without its arguments and its result, which may be long. */
export type JournalLine = {
  readonly key: string;
  readonly kind: StepKind;
  readonly state: "intended" | "done" | "uncertain";
  /** Of the attempt that wrote it. */
  readonly fence: number;
  readonly lane: Lane;
  readonly tool: string | null;
  readonly did: string;
  readonly error: string | null;
  readonly beganAt: string;
  readonly endedAt: string | null;
};

function toLine(found: unknown): JournalLine {
  const { lane: id, lane_title: title, began_at: beganAt, ended_at: endedAt, ...line } = lineRow.parse(found);
  return { ...line, lane: { id, title }, beganAt, endedAt };
}

const callRow = z.object({
  call_id: z.string(),
  step_key: z.string(),
  fence: z.coerce.number().int().nullable(),
  lane: z.string().nullable(),
  lane_title: z.string().nullable(),
  role: z.string(),
  model: z.string(),
  state: z.enum(["reserved", "settled", "unknown"]),
  error: z.string().nullable(),
  priced_by: z.enum(priceSources).nullable(),
  cost_micro_usd: z.coerce.number().int(),
  tokens: z.coerce.number().int(),
  cached_tokens: z.coerce.number().int(),
  messages: z.number().int(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
});

export type LedgerLine = {
  readonly callId: string;
  readonly key: string;
  /** Of the attempt that made the call; null in old rows. */
  readonly fence: number | null;
  readonly lane: Lane;
  readonly role: string;
  readonly model: string;
  readonly state: "reserved" | "settled" | "unknown";
  /** Why it brought no answer. */
  readonly error: string | null;
  /** Null while it is under way, and without a known price. */
  readonly costMicroUsd: number | null;
  /** Null until the provider has counted them; `cachedTokens` are part of `tokens`. */
  readonly tokens: number | null;
  readonly cachedTokens: number | null;
  /** Messages of the user that its prompt contained. */
  readonly messages: number;
  readonly beganAt: string;
  readonly endedAt: string | null;
};

function toCall(found: unknown): LedgerLine {
  const row = callRow.parse(found);
  const isPriced = row.priced_by !== null && row.priced_by !== "unpriced";
  const isCounted = row.state === "settled";
  return {
    callId: row.call_id,
    key: row.step_key,
    fence: row.fence,
    lane: row.lane === null ? plannerLane : { id: row.lane, title: row.lane_title },
    role: row.role,
    model: row.model,
    state: row.state,
    error: row.error,
    costMicroUsd: isPriced ? row.cost_micro_usd : null,
    tokens: isCounted ? row.tokens : null,
    cachedTokens: isCounted ? row.cached_tokens : null,
    messages: row.messages,
    beganAt: row.created_at,
    endedAt: row.settled_at,
  };
}

export type StepLines = { readonly journal: readonly JournalLine[]; readonly calls: readonly LedgerLine[] };

/** Null: there is no such iteration, or the run is not theirs. */
export async function readStepLines(tx: Tx, runId: string, iteration: number): Promise<StepLines | null> {
  const known = await sql`select from homework_run_iterations
    where run_id = ${runId} and iteration = ${iteration}`.execute(tx);
  if (known.rows.length === 0) return null;
  const journal = await sql`
    select key, kind, state, fence, lane, lane_title, tool, did, error, began_at, ended_at from journal_entries
     where run_id = ${runId} and iteration = ${iteration} order by began_at, key limit ${linesMax}`.execute(tx);
  const calls = await sql`
    select call_id, step_key, fence, lane, lane_title, role, model, state, error, priced_by, cost_micro_usd,
           input_tokens + output_tokens as tokens, cached_tokens, messages, created_at, settled_at
      from llm_usage_logs where run_id = ${runId} and iteration = ${iteration} and step_key is not null
     order by created_at, call_id limit ${linesMax}`.execute(tx);
  return { journal: journal.rows.map(toLine), calls: calls.rows.map(toCall) };
}

const contentRows = z.array(z.object({ key: z.string(), args: z.unknown(), result: z.unknown() }));

/** What an entry was called with and what it came to, as its engine keeps them. */
export type StepContent = { readonly args: unknown; readonly result: unknown };

/** Of the entries with these keys. */
export async function readStepContents(
  tx: Tx,
  runId: string,
  iteration: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StepContent>> {
  const { rows } = await sql`select key, args, result from journal_entries
    where run_id = ${runId} and iteration = ${iteration} and key = any (${[...keys]}::text[])`.execute(tx);
  return new Map(contentRows.parse(rows).map(({ key, ...content }) => [key, content]));
}

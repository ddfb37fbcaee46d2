// What one iteration did: the lines of its journal, its calls of models from the ledger, and what its history said of each step.
// Reads only, in the user's transaction; what the lines mean is told elsewhere (src/server/step-lines.ts).

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { priceSources } from "../domain/run/price.ts";
import { type StepKind, stepKinds } from "../runs/ports.ts";

/** More than an iteration can do: eight calls and six executors with eight answers of six calls each, tries included. */
const linesMax = 5_000;

const lineRow = z.object({
  key: z.string(),
  kind: z.enum(stepKinds),
  state: z.enum(["intended", "done", "uncertain"]),
  fence: z.coerce.number().int(),
  began_at: z.string(),
  ended_at: z.string().nullable(),
});

/** A line of the journal, without its result, which may be long. */
export type JournalLine = {
  readonly key: string;
  readonly kind: StepKind;
  readonly state: "intended" | "done" | "uncertain";
  /** Of the attempt that wrote it. */
  readonly fence: number;
  readonly beganAt: string;
  readonly endedAt: string | null;
};

const callRow = z.object({
  call_id: z.string(),
  step_key: z.string(),
  role: z.string(),
  model: z.string(),
  state: z.enum(["reserved", "settled", "unknown"]),
  priced_by: z.enum(priceSources).nullable(),
  cost_micro_usd: z.coerce.number().int(),
  tokens: z.coerce.number().int(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
});

export type LedgerLine = {
  readonly callId: string;
  readonly key: string;
  readonly role: string;
  readonly model: string;
  readonly state: "reserved" | "settled" | "unknown";
  /** Null while it is under way, and where nobody knows. */
  readonly costMicroUsd: number | null;
  readonly tokens: number | null;
  readonly beganAt: string;
  readonly endedAt: string | null;
};

function toCall(found: unknown): LedgerLine {
  const row = callRow.parse(found);
  const isKnown = row.priced_by !== null && row.priced_by !== "unpriced";
  return {
    callId: row.call_id,
    key: row.step_key,
    role: row.role,
    model: row.model,
    state: row.state,
    costMicroUsd: isKnown ? row.cost_micro_usd : null,
    tokens: row.state === "settled" ? row.tokens : null,
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
  const journal = await sql`select key, kind, state, fence, began_at, ended_at from homework_run_steps
    where run_id = ${runId} and iteration = ${iteration} order by began_at, key limit ${linesMax}`.execute(tx);
  const calls = await sql`
    select call_id, step_key, role, model, state, priced_by, cost_micro_usd, input_tokens + output_tokens as tokens, created_at, settled_at
      from llm_usage_logs where run_id = ${runId} and iteration = ${iteration} and step_key is not null
     order by created_at, call_id limit ${linesMax}`.execute(tx);
  return {
    journal: z
      .array(lineRow)
      .parse(journal.rows)
      .map(({ began_at: beganAt, ended_at: endedAt, ...line }) => ({ ...line, beganAt, endedAt })),
    calls: calls.rows.map(toCall),
  };
}

const resultRows = z.array(z.object({ key: z.string(), result: z.unknown() }));

/** What steps with these keys came to, as their engine keeps it. */
export async function readStepResults(
  tx: Tx,
  runId: string,
  iteration: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const { rows } = await sql`select key, result from homework_run_steps
    where run_id = ${runId} and iteration = ${iteration} and key = any (${[...keys]}::text[])`.execute(tx);
  return new Map(resultRows.parse(rows).map(({ key, result }) => [key, result]));
}

const saidRows = z.array(z.object({ step: z.string(), summary: z.string() }));

/** What the history said of each step of an iteration, by key. */
export async function readStepSummaries(
  tx: Tx,
  runId: string,
  iteration: number,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql`
    select event->>'step' as step, event->>'summary' as summary from homework_run_events
     where run_id = ${runId} and iteration = ${iteration} and type = 'step_recorded'
       and seq >= coalesce((select first_seq from homework_run_iterations where run_id = ${runId} and iteration = ${iteration}), 0)
     order by seq limit ${linesMax}`.execute(tx);
  return new Map(saidRows.parse(rows).map(({ step, summary }) => [step, summary]));
}

// Reads a run for whoever is going to change it: with a lock, or as a version that a change can be tied to.

import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import type { LockedRun } from "../runs/ports/run-store.ts";
import { graceSeconds } from "./run-claim-store.ts";
import { toRun } from "./run-row.ts";

/** `version`: changes with every write of the row, whoever makes it. */
export type FoundRun = { readonly locked: LockedRun; readonly version: string };

/**
 * A run as it was with this revision; steps and signs of life do not make a new one, everything else does. `freeVersion`: the
 * row's version, if nobody had the run then and nobody had tried its iteration yet.
 */
export type KnownRun = { readonly revision: number; readonly run: Run; readonly freeVersion: string | null };

// As one JSON value: fifty columns take longer to read as columns than to work with. What changes without a new revision is
// read in any case; the rest only if it is not known ($3).
const isNews = "r.revision is distinct from $3::int";
const columns = `r.xmin::text as version, r.attempts, r.claimed_at is not null as is_claimed, r.running_ms::float8,
  r.cost_micro_usd::float8, r.tokens::float8, r.tool_calls, r.unpriced_calls, case when r.claimed_at is null then 0 else
  greatest(0, floor(1000 * extract(epoch from
    least(run_now(), r.claim_seen_at + make_interval(secs => $2::int)) - r.claimed_at)))::float8 end as claimed_ms,
  case when ${isNews} then row_to_json(r) end as run`;

const lockRunText = `
  select ${columns}, run_checks(r.id) as checks from homework_runs r where r.id = $1::uuid for no key update of r`;

// Nobody is waited for, so all of it is of one moment.
const readRunText = `
  select ${columns}, case when ${isNews} then (
      select json_agg(json_build_object('id', k.check_id, 'deliverableId', k.deliverable_id, 'target', k.target,
        'givenBy', k.given_by, 'proof', k.proof) order by k.position) from homework_run_checks k where k.run_id = r.id) end as checks
    from homework_runs r where r.id = $1::uuid`;

const row = z.object({
  version: z.string(),
  attempts: z.number(),
  is_claimed: z.boolean(),
  running_ms: z.number(),
  cost_micro_usd: z.number(),
  tokens: z.number(),
  tool_calls: z.number(),
  unpriced_calls: z.number(),
  claimed_ms: z.number(),
  run: z.looseObject({}).nullable(),
  checks: z.unknown(),
});

export async function lockRow(query: Database["statement"], runId: RunId): Promise<LockedRun | null> {
  return (await find(query, lockRunText, runId, null))?.locked ?? null;
}

export const readRow = (
  query: Database["statement"],
  runId: RunId,
  known: KnownRun | undefined,
): Promise<FoundRun | null> => find(query, readRunText, runId, known ?? null);

async function find(
  query: Database["statement"],
  text: string,
  runId: RunId,
  known: KnownRun | null,
): Promise<FoundRun | null> {
  const [found] = await query(text, [runId, graceSeconds, known?.revision ?? null]);
  if (found === undefined) return null;
  const { version, attempts, is_claimed: isClaimed, claimed_ms: claimedMs, ...rest } = row.parse(found);
  const run = rest.run === null && known !== null ? known.run : toRun({ ...rest.run, checks: rest.checks ?? [] });
  const spent = {
    runningMs: rest.running_ms,
    costMicroUsd: rest.cost_micro_usd,
    tokens: rest.tokens,
    toolCalls: rest.tool_calls,
    unpricedCalls: rest.unpriced_calls,
  };
  return { locked: { run: { ...run, spent }, attempts, claimedMs, isClaimed }, version };
}

// Reads a run for whoever is going to change it: with a lock, or as a version that a change can be tied to.

import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { RunId } from "../domain/run/run.ts";
import type { LockedRun } from "../runs/ports.ts";
import { graceSeconds } from "./run-claim-store.ts";
import { toRun } from "./run-row.ts";

/** `version`: changes with every write of the row, whoever makes it. */
export type FoundRun = { readonly locked: LockedRun; readonly version: string };

// As one JSON value: fifty columns take longer to read as columns than to work with.
const columns = `r.xmin::text as version, r.attempts, r.claimed_at is not null as is_claimed, case when r.claimed_at is null then 0 else
  greatest(0, floor(1000 * extract(epoch from
    least(run_now(), r.claim_seen_at + make_interval(secs => $2::int)) - r.claimed_at)))::float8 end as claimed_ms,
  row_to_json(r) as run`;

const lockRunText = `
  select ${columns}, run_checks(r.id) as checks from homework_runs r where r.id = $1::uuid for no key update of r`;

// Nobody is waited for, so all of it is of one moment.
const readRunText = `
  select ${columns}, (
      select json_agg(json_build_object('id', k.check_id, 'deliverableId', k.deliverable_id, 'target', k.target,
        'givenBy', k.given_by, 'proof', k.proof) order by k.position) from homework_run_checks k where k.run_id = r.id) as checks
    from homework_runs r where r.id = $1::uuid`;

const row = z.object({
  version: z.string(),
  attempts: z.number(),
  is_claimed: z.boolean(),
  claimed_ms: z.number(),
  run: z.looseObject({}),
  checks: z.unknown(),
});

export async function lockRow(query: Database["statement"], runId: RunId): Promise<LockedRun | null> {
  return (await find(query, lockRunText, runId))?.locked ?? null;
}

export const readRow = (query: Database["statement"], runId: RunId): Promise<FoundRun | null> =>
  find(query, readRunText, runId);

async function find(query: Database["statement"], text: string, runId: RunId): Promise<FoundRun | null> {
  const [found] = await query(text, [runId, graceSeconds]);
  if (found === undefined) return null;
  const { version, attempts, is_claimed: isClaimed, claimed_ms: claimedMs, run, checks } = row.parse(found);
  return { locked: { run: toRun({ ...run, checks: checks ?? [] }), attempts, claimedMs, isClaimed }, version };
}

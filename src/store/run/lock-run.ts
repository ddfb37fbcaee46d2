// Locks a run for a change and reads it.

import { z } from "zod";
import { statementIn, type Tx } from "../../db/database.ts";
import type { RunId } from "../../domain/run/run.ts";
import type { LockedRun } from "../../runs/ports/run-store.ts";
import { rowOf } from "../row.ts";
import { leasedMs } from "./leased-time.ts";
import { toRun } from "./run-row.ts";

// As one JSON value: fifty columns take longer to read as columns than to work with. `run_checks` looks after the wait for the lock.
const lockRunText = `
  select r.attempts, r.leased_at is not null as is_leased,
         (${leasedMs})::float8 as leased_ms,
         exists (select from auth_users u where u.id = r.user_id and u.disabled_at is not null) as is_owner_shut,
         row_to_json(r) as run, run_checks(r.id) as checks
    from homework_runs r where r.id = $1::uuid for no key update of r`;

const lockedRow = rowOf({
  attempts: z.number(),
  isLeased: z.boolean(),
  leasedMs: z.number(),
  isOwnerShut: z.boolean(),
  run: z.custom<object>((run) => typeof run === "object" && run !== null),
  checks: z.unknown(),
});

export async function lockRun(tx: Tx, runId: RunId): Promise<LockedRun | null> {
  const [found] = await statementIn(tx)(lockRunText, [runId]);
  if (found === undefined) return null;
  const { run, checks, ...locked } = lockedRow.parse(found);
  return { ...locked, run: toRun({ ...run, checks }) };
}

// A person stopped a run in the middle of an iteration: that one is over without a decision.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { RunId } from "../../domain/run/run.ts";

export async function interruptIteration(tx: Tx, runId: RunId, iteration: number): Promise<void> {
  await sql`update homework_run_iterations set status = 'interrupted', ended_at = run_now()
    where run_id = ${runId} and iteration = ${iteration} and status = 'running'`.execute(tx);
}

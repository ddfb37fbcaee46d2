// An attempt at an iteration begins: the first one makes its row, with what the run had spent until then.

import { statementIn, type Tx } from "../../db/database.ts";
import type { RunId } from "../../domain/run/run.ts";

const beginIterationText = `
  insert into homework_run_iterations (run_id, iteration, attempts, status, started_at, first_seq, metrics)
  select r.id, $2::int, $3::int, 'running', run_now(), r.last_seq,
         jsonb_build_object('before', jsonb_build_object('running_ms', r.running_ms, 'cost_micro_usd', r.cost_micro_usd,
           'tokens', r.tokens, 'tool_calls', r.tool_calls))
    from homework_runs r where r.id = $1::uuid
  on conflict (run_id, iteration) do update set attempts = excluded.attempts, status = 'running', ended_at = null`;

/** After the run is saved: the row begins with its last event. */
export async function beginIteration(tx: Tx, runId: RunId, iteration: number, attempt: number): Promise<void> {
  await statementIn(tx)(beginIterationText, [runId, iteration, attempt]);
}

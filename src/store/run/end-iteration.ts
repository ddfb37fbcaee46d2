// An iteration is over: what it came to, and what it used, which is what its run has now less what it had at the beginning.

import { statementIn, type Tx } from "../../db/database.ts";
import type { EndedIteration } from "../../domain/run/effects.ts";
import type { RunId } from "../../domain/run/run.ts";
import { toJson } from "../json.ts";

// Each artifact says what the iteration did to it: the history knows whether it was made since the iteration began.
const endIterationText = `
  update homework_run_iterations i set
    status = e->>'status', ended_at = run_now(), summary = e->>'summary', decision = e->>'decision', why = e->>'why',
    error = e->'error'->>'text', error_fingerprint = e->'error'->>'fingerprint', plan = e->'plan',
    artifacts = coalesce((
      select jsonb_agg(a.ref || jsonb_build_object('op', case when exists (
          select from onto_changes c where c.run_id = r.id and c.op = 'created' and c.at >= i.started_at and c.entity_id =
            case when a.ref->>'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (a.ref->>'id')::uuid end
        ) then 'created' else 'updated' end) order by a.ord)
        from jsonb_array_elements(e->'artifacts') with ordinality as a (ref, ord)), '[]'),
    metrics = i.metrics || jsonb_build_object(
      'running_ms', r.running_ms - (i.metrics->'before'->>'running_ms')::bigint,
      'cost_micro_usd', r.cost_micro_usd - (i.metrics->'before'->>'cost_micro_usd')::bigint,
      'tokens', r.tokens - (i.metrics->'before'->>'tokens')::bigint,
      'tool_calls', r.tool_calls - (i.metrics->'before'->>'tool_calls')::int)
    from homework_runs r, (select $3::jsonb as e) as ended
   where r.id = $1::uuid and i.run_id = r.id and i.iteration = $2::int`;

/** After the run is saved: its sums are those of the end. */
export async function endIteration(tx: Tx, runId: RunId, ended: EndedIteration): Promise<void> {
  await statementIn(tx)(endIterationText, [runId, ended.iteration, toJson(ended)]);
}

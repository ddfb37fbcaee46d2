// The tasks of an outcome that differ from what was read, with what they depend on.

import { statementIn, type Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { OutcomeTask } from "../../domain/homr/tasks/task.ts";
import { toJson } from "../json.ts";
import { findChanged } from "./find-changed.ts";

const saveTasksText = `
  insert into outcome_tasks as t (id, outcome_id, number, title, description, priority, status, gates, checks, attempts, max_attempts,
    auto_retries_left, run_id, made_by, why, corrects, split_of, split_depth, is_tainted, failures, checkpoint, version, ended_at)
  select n.id, $1::uuid, n.number, n.title, n.description, n.priority, n.status, n.gates, n.checks, n.attempts, n."maxAttempts",
         n."autoRetriesLeft", n."runId", n."madeBy", n.why, n.corrects, n."splitOf", n."splitDepth", n."isTainted", n.failures,
         nullif(n.checkpoint, 'null'), n.version,
         case when n.status in ('completed', 'failed', 'obsolete') then run_now() end
    from jsonb_to_recordset($2::jsonb) as n (id uuid, number int, title text, description text, priority int, status text, gates jsonb,
      checks jsonb, attempts int, "maxAttempts" int, "autoRetriesLeft" int, "runId" uuid, "madeBy" text, why text, corrects uuid,
      "splitOf" uuid, "splitDepth" int, "isTainted" boolean, failures jsonb, checkpoint jsonb, version int)
   order by n.number
  on conflict (id) do update set title = excluded.title, description = excluded.description, priority = excluded.priority,
    status = excluded.status, gates = excluded.gates, checks = excluded.checks, attempts = excluded.attempts,
    max_attempts = excluded.max_attempts, auto_retries_left = excluded.auto_retries_left, run_id = excluded.run_id,
    why = excluded.why, corrects = excluded.corrects, split_of = excluded.split_of, split_depth = excluded.split_depth,
    is_tainted = excluded.is_tainted, failures = excluded.failures, checkpoint = excluded.checkpoint, version = excluded.version,
    updated_at = run_now(),
    ended_at = case when excluded.ended_at is null then null when t.status = excluded.status then t.ended_at else excluded.ended_at end
   where t.outcome_id = $1::uuid`;

// What a task depended on and does no longer is removed.
const saveDependenciesText = `
  with wanted as (
    select (n->>'id')::uuid as task_id, d.value::uuid as depends_on
      from jsonb_array_elements($2::jsonb) as n, jsonb_array_elements_text(n->'dependsOn') as d (value)
  ), dropped as (
    delete from outcome_task_dependencies k
     where k.task_id in (select (n->>'id')::uuid from jsonb_array_elements($2::jsonb) as n)
       and not exists (select from wanted w where w.task_id = k.task_id and w.depends_on = k.depends_on)
  )
  insert into outcome_task_dependencies (outcome_id, task_id, depends_on)
  select $1::uuid, task_id, depends_on from wanted on conflict do nothing`;

export async function saveTasks(
  tx: Tx,
  outcomeId: OutcomeId,
  before: readonly OutcomeTask[],
  after: readonly OutcomeTask[],
): Promise<void> {
  const changed = findChanged(before, after);
  if (changed.length === 0) return;
  const query = statementIn(tx);
  const tasks = toJson(changed);
  await query(saveTasksText, [outcomeId, tasks]);
  await query(saveDependenciesText, [outcomeId, tasks]);
}

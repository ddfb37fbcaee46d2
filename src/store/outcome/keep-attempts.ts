// Attempts at tasks: begun with a run, and ended with what came of it. The cost of the run is added to the outcome when it ends; the
// run is locked, so that no call is settled in between (`keep_late_cost` in the migration takes what comes later).

import { z } from "zod";
import { statementIn, type Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { RunId } from "../../domain/run/run.ts";
import { assert } from "../../lib/assert.ts";
import type { Attempt, EndedAttempt } from "../../outcomes/ports/outcome-store.ts";
import { cleanText, toJson } from "../json.ts";
import { idColumn, rowOf, whole } from "../row.ts";

const beginText = `
  insert into outcome_task_attempts (task_id, attempt, run_id, state)
  select n."taskId", n.attempt, n."runId", 'running' from jsonb_to_recordset($1::jsonb) as n ("taskId" uuid, attempt int, "runId" uuid)`;

export async function beginAttempts(tx: Tx, begun: readonly Omit<Attempt, "state">[]): Promise<void> {
  if (begun.length > 0) await statementIn(tx)(beginText, [toJson(begun)]);
}

const endText = `
  with run as (
    select r.id, r.cost_micro_usd, r.tokens, r.unpriced_calls from homework_runs r where r.id = $2::uuid for no key update
  ), ended as (
    update outcome_task_attempts a set state = $3, why = $4, is_observed = $5::boolean, ended_at = run_now(),
           cost_micro_usd = run.cost_micro_usd, tokens = run.tokens, unpriced_calls = run.unpriced_calls
      from run where a.run_id = run.id and a.state = 'running'
    returning a.cost_micro_usd, a.tokens, a.unpriced_calls
  )
  update outcomes o set cost_micro_usd = o.cost_micro_usd + ended.cost_micro_usd, tokens = o.tokens + ended.tokens,
         unpriced_calls = o.unpriced_calls + ended.unpriced_calls
    from ended where o.id = $1::uuid returning o.id`;

export async function endAttempt(tx: Tx, outcomeId: OutcomeId, ended: EndedAttempt): Promise<void> {
  const { runId, state, why, isObserved } = ended;
  const rows = await statementIn(tx)(endText, [outcomeId, runId, state, cleanText(why), isObserved]);
  assert(rows.length === 1, `the attempt of run ${runId} ends once`);
}

const attemptRow = rowOf({
  taskId: idColumn<TaskId>(),
  attempt: whole,
  runId: idColumn<RunId>(),
  state: z.enum(["running", "completed", "failed", "canceled"]),
});

export async function findAttempt(tx: Tx, runId: RunId): Promise<Attempt | null> {
  const row = await tx
    .selectFrom("outcome_task_attempts")
    .select(["task_id", "attempt", "run_id", "state"])
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return row === undefined ? null : attemptRow.parse(row);
}

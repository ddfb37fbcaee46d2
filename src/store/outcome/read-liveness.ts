// How the runs on the tasks of an outcome look from outside, for its supervisor: one row for each task that runs.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { Liveness } from "../../domain/homr/tasks/supervise.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { RunId } from "../../domain/run/run.ts";
import { idColumn, rowOf, whole } from "../row.ts";

const livenessRow = rowOf({
  taskId: idColumn<TaskId>(),
  runId: idColumn<RunId>(),
  startedAtMs: whole,
  progressAtMs: whole.nullable(),
  seenAtMs: whole,
  isWaiting: z.boolean(),
  askedAtMs: whole.nullable(),
});

const millis = (time: ReturnType<typeof sql>) => sql`floor(1000 * extract(epoch from ${time}))::float8`;

export async function readLiveness(tx: Tx, outcomeId: OutcomeId): Promise<readonly Liveness[]> {
  const changed = sql`(select max(i.ended_at) from homework_run_iterations i
    where i.run_id = r.id and i.status = 'success' and i.artifacts <> '[]')`;
  // Time in which it waited for a person is not time without progress.
  const answered = sql`(select max(v.created_at) from homework_run_events v
    where v.run_id = r.id and v.type in ('run_answered', 'run_resumed'))`;
  const progress = sql`greatest(${changed}, ${answered})`;
  const entry = sql`(select max(coalesce(e.ended_at, e.began_at)) from journal_entries e where e.run_id = r.id and e.iteration = r.iteration)`;
  const asked = sql`(select max(s.created_at) from homr_escalations s
    where s.outcome_id = t.outcome_id and s.trigger_task_id = t.id and s.trigger_type = 'stuck')`;
  const { rows } = await sql`
    select t.id as task_id, r.id as run_id, ${millis(sql`a.started_at`)} as started_at_ms, ${millis(progress)} as progress_at_ms,
           ${millis(sql`greatest(r.updated_at, r.lease_seen_at, ${entry})`)} as seen_at_ms,
           r.status <> 'running' or r.hold is not null as is_waiting, ${millis(asked)} as asked_at_ms
      from outcome_tasks t join homework_runs r on r.id = t.run_id join outcome_task_attempts a on a.run_id = r.id
     where t.outcome_id = ${outcomeId} and t.status = 'running' order by t.number`.execute(tx);
  return z.array(livenessRow).parse(rows);
}

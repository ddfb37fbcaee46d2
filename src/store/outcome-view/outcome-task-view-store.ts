// Tasks of an outcome as its owner looks at them. Reads only, in the owner's transaction.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { checkpoint, gate, type TaskStatus, taskMakers, taskStatuses } from "../../domain/homr/tasks/task.ts";
import { runStatuses } from "../../domain/run/run.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { rowOf, whole } from "../row.ts";
import { checkFields } from "../run/run-row.ts";

const taskRow = rowOf({
  id: z.string(),
  outcomeId: z.string(),
  number: z.number(),
  title: z.string(),
  description: z.string(),
  priority: z.number(),
  status: z.enum(taskStatuses),
  dependsOn: z.array(z.string()),
  gates: z.array(gate),
  /** Open escalations that pause it. */
  pausedBy: z.array(z.string()),
  checks: z.array(checkFields),
  attempts: z.number(),
  maxAttempts: z.number(),
  runId: z.string().nullable(),
  /** Of the attempt under way; one that waits for its user keeps its worker. */
  runStatus: z.enum(runStatuses).nullable(),
  madeBy: z.enum(taskMakers),
  why: z.string().nullable(),
  /** Why the last attempt failed. */
  failure: z.string().nullable(),
  corrects: z.string().nullable(),
  splitOf: z.string().nullable(),
  checkpoint: checkpoint.nullable(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type TaskView = z.infer<typeof taskRow>;

const selectTasks = sql`
  select t.*, (select r.status from homework_runs r where r.id = t.run_id) as run_status,
         (select a.why from outcome_task_attempts a where a.task_id = t.id and a.attempt = t.attempts and a.state = 'failed') as failure,
         array(select d.depends_on from outcome_task_dependencies d join outcome_tasks n on n.id = d.depends_on
                where d.task_id = t.id order by n.number) as depends_on,
         array(select e.id from homr_escalations e join homr_escalation_tasks m on m.escalation_id = e.id
                where m.task_id = t.id and e.pauses and e.status in ('pending', 'pending_confirmation') order by e.created_at, e.id) as paused_by
    from outcome_tasks t`;

/** In the order of their numbers. */
export async function listOutcomeTasks(
  tx: Tx,
  outcomeId: string,
  { limit, cursor, status }: PageQuery & { readonly status?: TaskStatus | undefined },
): Promise<Page<TaskView>> {
  const after = decodeCursor("outcome_tasks", "number", cursor);
  const { rows } = await sql`
    ${selectTasks} where t.outcome_id = ${outcomeId} and t.number > ${after?.[0] ?? 0}
       and ${status === undefined ? sql`true` : sql`t.status = ${status}`}
     order by t.number limit ${limit + 1}`.execute(tx);
  return toPage("outcome_tasks", z.array(taskRow).parse(rows), limit, ({ number }) => [number]);
}

const attemptRow = rowOf({
  attempt: z.number(),
  runId: z.string(),
  state: z.enum(["running", "completed", "failed", "canceled"]),
  why: z.string(),
  costMicroUsd: whole,
  unpricedCalls: whole,
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type AttemptView = z.infer<typeof attemptRow>;

/** More than a task can have: attempts are bounded, and what a person adds to them is shown as well. */
const attemptsShown = 200;

export type TaskDetail = { readonly task: TaskView; readonly attempts: readonly AttemptView[] };

export async function findOutcomeTask(tx: Tx, outcomeId: string, taskId: string): Promise<TaskDetail | null> {
  const { rows } = await sql`${selectTasks} where t.outcome_id = ${outcomeId} and t.id = ${taskId}`.execute(tx);
  if (rows[0] === undefined) return null;
  const attempts = await sql`
    select a.attempt, a.run_id, a.state, a.why, a.started_at, a.ended_at,
           case when a.state = 'running' then r.cost_micro_usd else a.cost_micro_usd end as cost_micro_usd,
           case when a.state = 'running' then r.unpriced_calls else a.unpriced_calls end as unpriced_calls
      from outcome_task_attempts a join homework_runs r on r.id = a.run_id
     where a.task_id = ${taskId} order by a.attempt limit ${attemptsShown}`.execute(tx);
  return { task: taskRow.parse(rows[0]), attempts: z.array(attemptRow).parse(attempts.rows) };
}

/** Those of a list that are there, in the order of their numbers. */
export async function findOutcomeTasks(
  tx: Tx,
  outcomeId: string,
  ids: readonly string[],
): Promise<readonly TaskView[]> {
  const { rows } = await sql`
    ${selectTasks} where t.outcome_id = ${outcomeId} and t.id = any (${[...ids]}::uuid[]) order by t.number`.execute(
    tx,
  );
  return z.array(taskRow).parse(rows);
}

const placeRow = rowOf({
  outcomeId: z.string(),
  outcomeName: z.string(),
  taskId: z.string(),
  number: z.number(),
  title: z.string(),
});
export type TaskPlace = z.infer<typeof placeRow>;

/** Where a task belongs, for the pages of its runs. */
export async function findTaskPlace(tx: Tx, taskId: string): Promise<TaskPlace | null> {
  const { rows } = await sql`
    select o.id as outcome_id, o.name as outcome_name, t.id as task_id, t.number, t.title
      from outcome_tasks t join outcomes o on o.id = t.outcome_id where t.id = ${taskId}`.execute(tx);
  return rows[0] === undefined ? null : placeRow.parse(rows[0]);
}

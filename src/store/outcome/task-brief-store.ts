// What a task's prompt said of its outcome, with the items that stood in it: the receipt. One for each iteration of its run.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { OutcomeState } from "../../domain/homr/outcome-state.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { RunId } from "../../domain/run/run.ts";
import { cleanText } from "../json.ts";
import { idColumn, rowOf, whole } from "../row.ts";
import { readOutcome } from "./read-outcome.ts";

/** The outcome of a task, that task among its tasks. */
export async function readOutcomeOf(tx: Tx, taskId: TaskId): Promise<OutcomeState | null> {
  const { rows } = await sql<{ outcome_id: OutcomeId }>`
    select outcome_id from outcome_tasks where id = ${taskId}`.execute(tx);
  const id = rows[0]?.outcome_id;
  return id === undefined ? null : readOutcome(tx, id, [taskId]);
}

const runBefore = rowOf({ number: whole, runId: idColumn<RunId>() });

/**
 * The runs whose work a task builds on: those of the completed tasks that it waits for, also by way of others; the nearest first. No
 * more steps back are taken than runs are wanted, however long the chain is.
 */
export async function readRunsBefore(
  tx: Tx,
  taskId: TaskId,
  max: number,
): Promise<readonly z.infer<typeof runBefore>[]> {
  const { rows } = await sql`
    with recursive before as (
      select d.depends_on as id, 1 as steps from outcome_task_dependencies d where d.task_id = ${taskId}
      union select d.depends_on, b.steps + 1 from outcome_task_dependencies d join before b on b.id = d.task_id
             where b.steps < ${max}
    )
    select t.number, t.run_id from outcome_tasks t
      join (select id, min(steps) as steps from before group by id) b on b.id = t.id
     where t.status = 'completed' and t.run_id is not null order by b.steps, t.number limit ${max}`.execute(tx);
  return z.array(runBefore).parse(rows);
}

export type KeptBrief = {
  readonly runId: RunId;
  readonly iteration: number;
  readonly text: string;
  /** Ids of the context items in it. */
  readonly items: readonly string[];
};

export async function keepBrief(tx: Tx, { runId, iteration, text, items }: KeptBrief): Promise<void> {
  await sql`insert into homr_briefs (run_id, iteration, text, items)
    values (${runId}, ${iteration}, ${cleanText(text)}, ${[...items]}::uuid[])
    on conflict (run_id, iteration) do update set text = excluded.text, items = excluded.items`.execute(tx);
}

// The end of an attempt is told to HOMЯ as a job, in the transaction that ends its run. The outcome is not locked for it.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { Run } from "../../domain/run/run.ts";
import { type HomrJobs, turnJob } from "./homr-jobs.ts";

export async function tellOutcome(
  tx: Tx,
  jobs: Pick<HomrJobs, "enqueue">,
  { id: runId, outcomeTaskId: taskId }: Pick<Run, "id" | "outcomeTaskId">,
): Promise<void> {
  const outcomeId = taskId === null ? null : await findOutcomeId(tx, taskId);
  if (taskId === null || outcomeId === null) return;
  await jobs.enqueue(tx, turnJob(outcomeId, { kind: "observe", taskId, runId }, null));
}

async function findOutcomeId(tx: Tx, taskId: TaskId): Promise<OutcomeId | null> {
  const { rows } = await sql<{ outcome_id: OutcomeId }>`
    select outcome_id from outcome_tasks where id = ${taskId}`.execute(tx);
  return rows[0]?.outcome_id ?? null;
}

// Whether the task of a run is being worked on. The user is locked, and whatever makes a task begin or rest locks them too, so the answer
// holds until the transaction ends. The outcome is not locked for it: it comes before the user.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Run } from "../../domain/run/run.ts";

export async function isTaskAtWork(tx: Tx, { id, outcomeTaskId }: Pick<Run, "id" | "outcomeTaskId">): Promise<boolean> {
  if (outcomeTaskId === null) return true;
  const { rows } = await sql<{ is_at_work: boolean }>`
    select t.status = 'running' and o.status = 'active' as is_at_work
      from outcome_tasks t join outcomes o on o.id = t.outcome_id where t.id = ${outcomeTaskId} and t.run_id = ${id}`.execute(
    tx,
  );
  return rows[0]?.is_at_work ?? true;
}

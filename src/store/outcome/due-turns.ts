// After a restore: outcomes came back without their jobs. Attempts whose run has ended are told again, and every outcome that is at
// work gets a look, which finds what else is due.

import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { RunId } from "../../domain/run/run.ts";
import { type HomrJobs, turnJob } from "./homr-jobs.ts";
import { tellOutcome } from "./tell-outcome.ts";

export async function enqueueDueTurns(db: Database, jobs: Pick<HomrJobs, "enqueue">): Promise<number> {
  return db.asSystem(async (tx) => {
    const ended = await sql<{ id: RunId; outcomeTaskId: TaskId }>`
      select r.id, r.outcome_task_id as "outcomeTaskId" from outcome_task_attempts a join homework_runs r on r.id = a.run_id
       where a.state = 'running' and (r.status in ('completed', 'failed', 'canceled') or (r.status = 'stopped' and r.stop_reason <> 'paused'))
       order by a.started_at, r.id`.execute(tx);
    for (const run of ended.rows) await tellOutcome(tx, jobs, run);
    const active = await sql<{ id: OutcomeId }>`
      select id from outcomes where status = 'active' and deleted_at is null order by id`.execute(tx);
    for (const { id } of active.rows) await jobs.enqueue(tx, turnJob(id, { kind: "look" }, null));
    return ended.rows.length + active.rows.length;
  });
}

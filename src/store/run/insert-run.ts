// A new run: its row, its checks, and a feed for a user who has none yet.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { listProjects } from "../../domain/run/describe-config.ts";
import type { Run } from "../../domain/run/run.ts";
import { toJson } from "../json.ts";
import { stateColumns } from "./run-row.ts";
import { saveChecks } from "./save-checks.ts";

export async function insertRun(tx: Tx, run: Run): Promise<void> {
  const { scope, context, permission, budget, state } = run;
  const { hold: _h, questions: _q, proofs: _p, ...columns } = stateColumns(state);
  await tx
    .insertInto("homework_runs")
    .values({
      id: run.id,
      user_id: run.userId,
      objective: run.objective,
      foreign_texts: toJson(run.foreignTexts),
      engine: run.engine,
      work_folder: run.workFolder,
      scope: scope.kind,
      project_ids: [...listProjects(scope)],
      context_type: context.type,
      entity_id: context.entityId,
      write_mode: permission.writeMode,
      allowed_tools: permission.allowedTools === null ? null : [...permission.allowedTools],
      models: run.models === null ? null : toJson(run.models),
      time_zone: run.timeZone,
      is_judged: run.isJudged,
      budgets: toJson(budget),
      ...columns,
      plan: toJson(run.plan),
      deliverables: toJson(run.deliverables),
      streaks: toJson(run.streaks),
      guidance: toJson(run.guidance),
      forked_from_run: run.forkedFrom?.runId ?? null,
      forked_from_iteration: run.forkedFrom?.iteration ?? null,
      follows_run_id: run.followsRunId,
      outcome_task_id: run.outcomeTaskId,
    })
    .execute();
  await sql`insert into user_feeds (user_id) values (${run.userId}) on conflict do nothing`.execute(tx);
  await saveChecks(tx, run);
}

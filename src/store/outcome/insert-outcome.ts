// A new outcome with its first tasks and its approach.

import { statementIn, type Tx } from "../../db/database.ts";
import type { Outcome } from "../../domain/homr/outcome.ts";
import type { OutcomeTask } from "../../domain/homr/tasks/task.ts";
import { toJson } from "../json.ts";
import { saveTasks } from "./save-tasks.ts";

const insertText = `
  insert into outcomes (id, user_id, name, brief, intent, status, project_id, engine, work_folder, models, write_mode, allowed_tools,
    time_zone, workers, run_budget, max_cost_micro_usd, config, auto_resolve, clean_reviews, next_number, version)
  select $1::uuid, $2::uuid, n.name, n.brief, n.intent, n.status, n.project_id, n.engine, n.work_folder, n.models, n.write_mode,
         n.allowed_tools, n.time_zone, n.workers, n.run_budget, n.max_cost_micro_usd, n.config, n.auto_resolve, n.clean_reviews,
         n.next_number, n.version
    from jsonb_to_record($3::jsonb) as n (name text, brief text, intent jsonb, status text, project_id uuid, engine text,
      work_folder text, models jsonb, write_mode text, allowed_tools text[], time_zone text, workers int, run_budget jsonb,
      max_cost_micro_usd bigint, config jsonb, auto_resolve jsonb, clean_reviews int, next_number int, version int)`;

const designText = `insert into outcome_designs (outcome_id, version, text, why, made_by) values ($1::uuid, $2, $3, '', 'user')`;

export async function insertOutcome(tx: Tx, outcome: Outcome, tasks: readonly OutcomeTask[]): Promise<void> {
  const query = statementIn(tx);
  await query(insertText, [outcome.id, outcome.userId, toJson(outcomeColumns(outcome))]);
  await query("insert into user_feeds (user_id) values ($1::uuid) on conflict do nothing", [outcome.userId]);
  if (outcome.approach !== null) await query(designText, [outcome.id, outcome.approach.version, outcome.approach.text]);
  await saveTasks(tx, outcome.id, [], tasks);
}

/** Money is not here: the ledger counts it. */
export const outcomeColumns = (outcome: Outcome) => ({
  name: outcome.name,
  brief: outcome.brief,
  intent: outcome.intent,
  status: outcome.status,
  project_id: outcome.projectId,
  engine: outcome.engine,
  work_folder: outcome.workFolder,
  models: outcome.models,
  write_mode: outcome.permission.writeMode,
  allowed_tools: outcome.permission.allowedTools,
  time_zone: outcome.timeZone,
  workers: outcome.workers,
  run_budget: outcome.runBudget,
  max_cost_micro_usd: outcome.maxCostMicroUsd,
  config: outcome.config,
  auto_resolve: outcome.autoResolve,
  clean_reviews: outcome.cleanReviews,
  next_number: outcome.nextNumber,
  version: outcome.version,
});

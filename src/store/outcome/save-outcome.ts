// The outcome's own row after a change. Money is not here: the ledger and the ends of attempts count it.

import { statementIn, type Tx } from "../../db/database.ts";
import type { OutcomeState } from "../../domain/homr/outcome-state.ts";
import type { OutcomeChange } from "../../outcomes/ports/outcome-store.ts";
import { cleanText, toJson } from "../json.ts";
import { outcomeColumns } from "./insert-outcome.ts";

const saveText = `
  update outcomes o set name = n.name, brief = n.brief, intent = n.intent, status = n.status, project_id = n.project_id,
    engine = n.engine, work_folder = n.work_folder, models = n.models, write_mode = n.write_mode, allowed_tools = n.allowed_tools,
    time_zone = n.time_zone, workers = n.workers, run_budget = n.run_budget, max_cost_micro_usd = n.max_cost_micro_usd,
    config = n.config, auto_resolve = n.auto_resolve, clean_reviews = n.clean_reviews, next_number = n.next_number, version = n.version,
    tasks_observed = n."tasksObserved", discoveries_extracted = n."discoveriesExtracted",
    escalations_created = n."escalationsCreated", steering_actions = n."steeringActions", updated_at = run_now()
    from jsonb_to_record($2::jsonb) as n (name text, brief text, intent jsonb, status text, project_id uuid, engine text,
      work_folder text, models jsonb, write_mode text, allowed_tools text[], time_zone text, workers int, run_budget jsonb,
      max_cost_micro_usd bigint, config jsonb, auto_resolve jsonb, clean_reviews int, next_number int, version int, "tasksObserved" int,
      "discoveriesExtracted" int, "escalationsCreated" int, "steeringActions" int)
   where o.id = $1::uuid`;

export async function saveOutcome(tx: Tx, { outcome, context }: OutcomeState): Promise<void> {
  const columns = { ...outcomeColumns(outcome), ...context.stats };
  await statementIn(tx)(saveText, [outcome.id, toJson(columns)]);
}

const approachText = `
  insert into outcome_designs (outcome_id, version, text, why, made_by)
  select $1::uuid, coalesce(max(d.version), 0) + 1, $2, $3, $4 from outcome_designs d where d.outcome_id = $1::uuid`;

export async function keepApproach(
  tx: Tx,
  { outcome }: OutcomeState,
  { text, why, madeBy }: NonNullable<OutcomeChange["newApproach"]>,
): Promise<void> {
  await statementIn(tx)(approachText, [outcome.id, cleanText(text), cleanText(why), madeBy]);
}

const interventionText = `
  insert into outcome_interventions (id, outcome_id, type, task_id, message, status)
  select n.id, $1::uuid, n.type, n."taskId", n.message, n.status
    from jsonb_to_recordset($2::jsonb) as n (id uuid, type text, "taskId" uuid, message text, status text)`;

export async function keepInterventions(tx: Tx, { outcome }: OutcomeState, said: OutcomeChange["interventions"]) {
  if (said.length > 0) await statementIn(tx)(interventionText, [outcome.id, toJson(said)]);
}

// Lines of the activity log, numbered without gaps by the outcome's row, which is locked.

import { statementIn, type Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { NewActivity } from "../../domain/homr/outcome-state.ts";
import { toJson } from "../json.ts";

const insertText = `
  with numbered as (update outcomes set last_seq = last_seq + jsonb_array_length($2::jsonb) where id = $1::uuid returning last_seq)
  insert into homr_activity_log (outcome_id, seq, type, task_id, cause, summary, details)
  select $1::uuid, numbered.last_seq - jsonb_array_length($2::jsonb) + given.ord, a->>'type', (a->>'taskId')::uuid, a->'cause',
         a->>'summary', a->'details'
    from numbered, jsonb_array_elements($2::jsonb) with ordinality as given (a, ord)`;

export async function keepActivities(tx: Tx, outcomeId: OutcomeId, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length > 0) await statementIn(tx)(insertText, [outcomeId, toJson(activities)]);
}

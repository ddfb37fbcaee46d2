// Questions to people that are new or were answered. Of those that were read, all have to be there: an answer is a state, not an absence.

import { statementIn, type Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { Escalation } from "../../domain/homr/questions/escalation.ts";
import { assert } from "../../lib/assert.ts";
import { toJson } from "../json.ts";
import { findChanged } from "./find-changed.ts";

// Those that have ended come first: what they leave may be asked again in the same move.
const saveText = `
  insert into homr_escalations as e (id, outcome_id, trigger_type, trigger_task_id, observation_id, evidence, question, context, options,
    is_whole, pauses, default_option, deadline, is_tainted, status, proposed, answer_option, answer_context, answered_by, answered_at,
    dismissed_why, created_at)
  select n.id, $1::uuid, n.trigger, n."triggerTaskId", n."observationId", n.evidence, n.question, n.context, n.options, n."isWholeOutcome",
         n.pauses, n."defaultOption", to_timestamp(n."deadlineMs" / 1000.0), n."isTainted", n.state->>'status',
         case when n.state ? 'proposed' then n.state->'proposed' end, n.state->'answer'->>'option',
         n.state->'answer'->>'additionalContext', n.state->'answer'->>'by',
         to_timestamp(coalesce(n.state->'answer'->>'atMs', n.state->>'atMs')::float8 / 1000.0), n.state->>'why',
         to_timestamp(n."atMs" / 1000.0)
    from jsonb_to_recordset($2::jsonb) as n (id uuid, trigger text, "triggerTaskId" uuid, "observationId" uuid, evidence jsonb,
      question text, context text, options jsonb, "isWholeOutcome" boolean, pauses boolean, "defaultOption" text, "deadlineMs" float8,
      "isTainted" boolean, "atMs" float8, state jsonb)
   order by n.state->>'status' in ('pending', 'pending_confirmation')
  on conflict (id) do update set status = excluded.status, proposed = excluded.proposed, answer_option = excluded.answer_option,
    answer_context = excluded.answer_context, answered_by = excluded.answered_by, answered_at = excluded.answered_at,
    dismissed_why = excluded.dismissed_why, options = excluded.options, question = excluded.question, deadline = excluded.deadline,
    default_option = excluded.default_option
   where e.outcome_id = $1::uuid`;

const saveTasksText = `
  with named as (
    select (n->>'id')::uuid as escalation_id, t.value::uuid as task_id
      from jsonb_array_elements($1::jsonb) as n, jsonb_array_elements_text(n->'affectedTasks') as t (value)
  ), dropped as (
    delete from homr_escalation_tasks k
     where k.escalation_id in (select (n->>'id')::uuid from jsonb_array_elements($1::jsonb) as n)
       and not exists (select from named w where w.escalation_id = k.escalation_id and w.task_id = k.task_id)
  )
  insert into homr_escalation_tasks (escalation_id, task_id) select escalation_id, task_id from named on conflict do nothing`;

export async function saveEscalations(
  tx: Tx,
  outcomeId: OutcomeId,
  before: readonly Escalation[],
  after: readonly Escalation[],
): Promise<void> {
  const missing = before.find(({ id }) => !after.some((each) => each.id === id));
  assert(missing === undefined, `escalation ${missing?.id} is answered or open, and not forgotten`);
  const changed = findChanged(before, after);
  if (changed.length === 0) return;
  const query = statementIn(tx);
  await query(saveText, [outcomeId, toJson(changed)]);
  await query(saveTasksText, [toJson(changed)]);
}

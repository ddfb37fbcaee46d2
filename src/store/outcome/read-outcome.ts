// Reads an outcome with all that its rules look at. Every part is bounded and found by an index, whatever the outcome's age.

import { z } from "zod";
import { statementIn, type Tx } from "../../db/database.ts";
import type { OutcomeContext } from "../../domain/homr/context/context.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import { type OutcomeState, overMax } from "../../domain/homr/outcome-state.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import {
  type ContextItem,
  toContextItem,
  toEscalation,
  toObservationSummary,
  toOutcome,
  toTask,
} from "./outcome-row.ts";

/** The most that any setting looks back at (`lookbackCount`). */
const historyMax = 50;

const millis = (column: string) => `floor(1000 * extract(epoch from ${column}))::float8`;

// What runs on open attempts have cost so far is part of what was spent; it is added to the row when they end. What was settled late
// waits in a table of its own.
const outcomeText = `
  select to_jsonb(o) || jsonb_build_object(
           'cost_micro_usd', o.cost_micro_usd + coalesce(live.cost, 0) + coalesce(late.cost, 0),
           'tokens', o.tokens + coalesce(live.tokens, 0) + coalesce(late.tokens, 0),
           'unpriced_calls', o.unpriced_calls + coalesce(live.unpriced, 0) + coalesce(late.unpriced, 0)) as outcome,
         (select to_jsonb(d) from outcome_designs d where d.outcome_id = o.id order by d.version desc limit 1) as design
    from outcomes o
    left join lateral (
      select sum(r.cost_micro_usd) as cost, sum(r.tokens) as tokens, sum(r.unpriced_calls) as unpriced
        from outcome_tasks t join outcome_task_attempts a on a.task_id = t.id and a.attempt = t.attempts and a.state = 'running'
        join homework_runs r on r.id = a.run_id
       where t.outcome_id = o.id and t.status in ('pending', 'running', 'paused', 'failed')) as live on true
    left join lateral (
      select sum(l.cost_micro_usd) as cost, sum(l.tokens) as tokens, sum(l.unpriced_calls) as unpriced
        from outcome_late_costs l where l.outcome_id = o.id) as late on true
   where o.id = $1::uuid and o.deleted_at is null`;

const tasksText = `
  with open as (
    select t.id from outcome_tasks t
     where t.outcome_id = $1::uuid and (t.status in ('pending', 'running', 'paused', 'failed') or t.id = any ($2::uuid[]))
  ), over as (
    select t.id from outcome_tasks t
     where t.outcome_id = $1::uuid and t.status in ('completed', 'obsolete') order by t.number desc limit ${overMax}
  ), wanted as (
    select id from open
    union select id from over
    union select d.depends_on from outcome_task_dependencies d join open on open.id = d.task_id
  )
  select to_jsonb(t) || jsonb_build_object('depends_on', coalesce((
           select jsonb_agg(d.depends_on order by on_it.number)
             from outcome_task_dependencies d join outcome_tasks on_it on on_it.id = d.depends_on where d.task_id = t.id), '[]')) as row
    from outcome_tasks t join wanted on wanted.id = t.id order by t.number`;

const itemsText = `
  select to_jsonb(i) || jsonb_build_object('at_ms', ${millis("i.created_at")}) as row
    from homr_context_items i where i.outcome_id = $1::uuid order by i.seq`;

const escalationsText = `
  select to_jsonb(e) - 'search' || jsonb_build_object('at_ms', ${millis("e.created_at")}, 'deadline_ms', ${millis("e.deadline")},
           'answered_at_ms', ${millis("e.answered_at")}, 'affected_tasks', coalesce((
             select jsonb_agg(n.task_id order by t.number) from homr_escalation_tasks n join outcome_tasks t on t.id = n.task_id
              where n.escalation_id = e.id), '[]')) as row
    from homr_escalations e where e.outcome_id = $1::uuid and e.status in ('pending', 'pending_confirmation')
   order by e.created_at, e.id`;

const historyText = `
  select jsonb_build_object('id', v.id, 'task_id', v.task_id, 'attempt', v.attempt, 'has_succeeded', v.has_succeeded,
           'on_track', v.on_track, 'alignment_score', v.alignment_score, 'quality', v.quality, 'summary', v.summary,
           'drift', v.drift, 'at_ms', ${millis("v.created_at")}) as row
    from homr_observations v where v.outcome_id = $1::uuid order by v.seq desc limit ${historyMax}`;

const outcomeRows = z.array(z.object({ outcome: z.unknown(), design: z.unknown() }));
const rows = z.array(z.object({ row: z.unknown() }));

/** Null: it is not there, or was deleted. Not locked: what is read may be older in one part than in another. */
export async function readOutcome(
  tx: Tx,
  id: OutcomeId,
  spokenOf: readonly TaskId[] = [],
): Promise<OutcomeState | null> {
  const query = statementIn(tx);
  const [found] = outcomeRows.parse(await query(outcomeText, [id]));
  if (found === undefined) return null;
  const list = async (text: string, ...values: readonly unknown[]) =>
    rows.parse(await query(text, [id, ...values])).map(({ row }) => row);
  const { outcome, stats } = toOutcome(found.outcome, found.design);
  return {
    outcome,
    tasks: (await list(tasksText, [...spokenOf])).map(toTask),
    context: toContext((await list(itemsText)).map(toContextItem), stats),
    escalations: (await list(escalationsText)).map(toEscalation),
    history: (await list(historyText)).map(toObservationSummary).toReversed(),
  };
}

function toContext(items: readonly ContextItem[], stats: OutcomeContext["stats"]): OutcomeContext {
  return {
    discoveries: items.flatMap((each) => (each.kind === "discovery" ? [each.item] : [])),
    decisions: items.flatMap((each) => (each.kind === "decision" ? [each.item] : [])),
    constraints: items.flatMap((each) => (each.kind === "constraint" ? [each.item] : [])),
    injections: items.flatMap((each) => (each.kind === "injection" ? [each.item] : [])),
    stats,
  };
}

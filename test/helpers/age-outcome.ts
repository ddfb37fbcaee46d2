// An outcome as if it had gone on for a long time: so many more tasks were completed, each in a run of its own, and observed.

import type { ClientBase } from "pg";
import type { OutcomeId } from "../../src/domain/homr/outcome.ts";

/** Straight in the database, by a superuser: rules that look at each row by itself would take minutes. */
export async function ageOutcome(admin: ClientBase, id: OutcomeId, tasks: number): Promise<void> {
  await admin.query("begin; set local search_path = homework; set local session_replication_role = replica");
  await admin.query(
    `with made as (
       insert into outcome_tasks (id, outcome_id, number, title, priority, status, attempts, max_attempts, run_id, made_by, ended_at)
       select gen_random_uuid(), $1, 1000 + n, 'Old', 100, 'completed', 1, 3, gen_random_uuid(), 'user', now() from generate_series(1, $2::int) n
       returning id, run_id, number, outcome_id
     ), tried as (
       insert into outcome_task_attempts (task_id, attempt, run_id, state, is_observed, ended_at)
       select id, 1, run_id, 'completed', true, now() from made
     ), ran as (
       insert into homework_runs (id, user_id, outcome_task_id, iteration, has_slot, status, ended_at, streaks, objective, engine, scope,
         context_type, write_mode, budgets)
       select made.run_id, o.user_id, made.id, 1, false, 'canceled', now(), '{}', 'Old', 'planner', 'global', 'global', 'autopilot', '{}'
         from made join outcomes o on o.id = made.outcome_id
     ), turned as (
       insert into homr_turns (outcome_id, turn, kind, about, state, fence, ended_at)
       select outcome_id, number, 'observe', id || ':1', 'done', 1, now() from made
     ), paid as (
       insert into llm_usage_logs (call_id, user_id, outcome_id, turn, entry_key, fence, role, model, state, reserved_micro_usd, priced_by, settled_at)
       select gen_random_uuid(), o.user_id, o.id, made.number, 'observe', 1, 'observer', 'scripted/observer', 'settled', 20, 'table', now()
         from made join outcomes o on o.id = made.outcome_id
     )
     insert into homr_observations (id, outcome_id, task_id, attempt, has_succeeded, observed_by, on_track, alignment_score, quality, summary, is_tainted, steering_max)
     select gen_random_uuid(), $1, id, 1, true, 'model', true, 90, 'good', 'fine', false, 5 from made`,
    [id, tasks],
  );
  await admin.query("commit");
  await admin.query("vacuum (analyze)");
}

-- Everything that must be true of runs at any moment, as one statement: each row of the answer is something that is not.
-- One snapshot, so it may be asked while workers work. $1: how many runs one user may have at once; null: not looked at.
-- `homework doctor --runs` asks it, and so do the simulations, the chaos tests and the load tests.
with iteration_jobs as (
  select (data->>'run_id')::uuid as run_id, count(*) as jobs, max((data->>'iteration')::int) as iteration
    from open_jobs where queue = 'buildos_homework' group by 1
), event_counts as (
  select run_id, count(*) as events, min(seq) as first_seq, max(seq) as last_seq,
         -- Those that the user has to be told of: not what the user did.
         count(*) filter (where type in ('run_completed', 'run_failed', 'run_waiting_on_user')
           or (type = 'run_stopped' and (event->>'reason' <> 'paused' or event ? 'is_told')) or (type in ('run_holding', 'model_silent') and event ? 'is_told')) as moves,
         -- Of a run on a task only these: how it ended is its outcome's to tell.
         count(*) filter (where type = 'run_waiting_on_user' or (type in ('run_holding', 'model_silent') and event ? 'is_told')) as needs
    from homework_run_events group by 1
), last_moves as (
  select distinct on (run_id) run_id, case type
           when 'run_created' then 'queued' when 'run_resumed' then 'queued' when 'run_answered' then 'queued'
           when 'run_admitted' then 'queued' when 'iteration_started' then 'running' when 'run_waiting_on_user' then 'waiting_on_user'
           else substr(type, 5) end as status
    from homework_run_events
   where type in ('run_created', 'run_resumed', 'run_answered', 'run_admitted', 'iteration_started', 'run_waiting_on_user',
                  'run_completed', 'run_stopped', 'run_failed', 'run_canceled')
   order by run_id, seq desc
), iteration_counts as (
  select run_id, count(*) as rows, max(iteration) as newest,
         count(*) filter (where status in ('running', 'interrupted')) as unfinished,
         max(iteration) filter (where status in ('running', 'interrupted')) as newest_unfinished,
         sum((metrics->>'running_ms')::bigint) as running_ms, sum((metrics->>'cost_micro_usd')::bigint) as cost_micro_usd
    from homework_run_iterations group by 1
), ledger as (
  select run_id, sum(cost_micro_usd) as cost_micro_usd, sum(input_tokens + output_tokens) as tokens,
         count(*) filter (where state = 'reserved' and created_at < run_now() - interval '30 minutes') as forgotten
    from llm_usage_logs where run_id is not null group by 1
), entries as (
  select run_id, count(*) filter (where kind in ('tool', 'effect')) as tools, max(fence) as newest_fence, max(began_at) as newest_at
    from journal_entries where run_id is not null group by 1
), told as (
  select run_id, count(*) as notifications, sum(told) as times from user_notifications where run_id is not null group by 1
), messages as (
  select run_id, count(*) filter (where consumed_iteration is null) as unread, max(consumed_iteration) as newest
    from homework_run_messages group by 1
), runs as (
  select r.*, r.status = 'running' or (r.status = 'queued' and r.has_slot) as is_due,
         r.status in ('completed', 'failed', 'canceled') as is_over from homework_runs r
), violations (invariant, run_id, detail) as (
  select 'one_open_job', r.id, format('%s with slot %s at iteration %s has %s open jobs, for iteration %s', r.status, r.has_slot,
         r.iteration, coalesce(j.jobs, 0), j.iteration)
    from runs r left join iteration_jobs j on j.run_id = r.id
   where coalesce(j.jobs, 0) <> case when r.is_due then 1 else 0 end or (r.is_due and j.iteration <> r.iteration)
  union all
  select 'no_job_without_a_run', j.run_id, format('%s open jobs', j.jobs) from iteration_jobs j
   where not exists (select from runs r where r.id = j.run_id)
  union all
  select 'events_without_gaps', r.id, format('%s events from %s to %s, the run counts %s', e.events, e.first_seq, e.last_seq, r.last_seq)
    from runs r left join event_counts e on e.run_id = r.id
   where (coalesce(e.events, 0), coalesce(e.last_seq, 0)) is distinct from (r.last_seq, r.last_seq) or e.first_seq <> 1
  union all
  select 'status_is_what_events_say', r.id, format('the run is %s, its events say %s', r.status, m.status)
    from runs r left join last_moves m on m.run_id = r.id where m.status is distinct from r.status
  union all
  select 'iterations_without_gaps', r.id, format('at iteration %s there are %s rows up to %s', r.iteration, i.rows, i.newest)
    from runs r join iteration_counts i on i.run_id = r.id
   where i.rows <> i.newest or i.newest not between r.iteration - 1 and r.iteration
  union all
  select 'iterations_without_gaps', r.id, format('at iteration %s there are none', r.iteration)
    from runs r where r.iteration > 1 and not exists (select from iteration_counts i where i.run_id = r.id)
  union all
  select 'one_iteration_at_a_time', r.id, format('%s iterations are unfinished, the newest is %s of %s', i.unfinished, i.newest_unfinished, r.iteration)
    from runs r join iteration_counts i on i.run_id = r.id
   where i.unfinished > 1 or i.newest_unfinished <> r.iteration
      or (i.unfinished > 0 and r.status in ('completed', 'waiting_on_user', 'failed'))
  union all
  select 'iterations_within_budget', r.id, format('iteration %s of %s', r.iteration, r.budgets->>'maxIterations')
    from runs r where r.iteration > (r.budgets->>'maxIterations')::int
  union all
  select 'money_is_the_ledger', r.id, format('the run says %s micro-dollars and %s tokens, the ledger %s and %s', r.cost_micro_usd, r.tokens,
         coalesce(l.cost_micro_usd, 0), coalesce(l.tokens, 0))
    from runs r left join ledger l on l.run_id = r.id
   where (r.cost_micro_usd, r.tokens) <> (coalesce(l.cost_micro_usd, 0), coalesce(l.tokens, 0))
  union all
  select 'every_call_is_settled', r.id, format('%s calls are neither settled nor given up', l.forgotten)
    from runs r join ledger l on l.run_id = r.id where l.forgotten > 0 and r.leased_at is null
  union all
  select 'hard_limit_holds', r.id, format('%s of %s micro-dollars', r.cost_micro_usd, r.budgets->>'maxCostMicroUsd')
    from runs r where (r.budgets->>'isCostHard')::boolean and r.cost_micro_usd > (r.budgets->>'maxCostMicroUsd')::bigint
  union all
  select 'iterations_add_up', r.id, format('iterations: %s ms, %s micro-dollars; the run: %s and %s', i.running_ms, i.cost_micro_usd, r.running_ms, r.cost_micro_usd)
    from runs r join iteration_counts i on i.run_id = r.id
   where i.running_ms > r.running_ms or i.cost_micro_usd > r.cost_micro_usd
  union all
  select 'tool_calls_are_the_journal', r.id, format('the run counts %s, the journal has %s', r.tool_calls, coalesce(s.tools, 0))
    from runs r left join entries s on s.run_id = r.id where r.tool_calls <> coalesce(s.tools, 0)
  union all
  select 'fence_is_newest', r.id, format('the journal has fence %s, the run %s', s.newest_fence, r.fence)
    from runs r join entries s on s.run_id = r.id where s.newest_fence > r.fence
  union all
  select 'nothing_after_the_end', r.id, format('an entry at %s, ended at %s', s.newest_at, r.ended_at)
    from runs r join entries s on s.run_id = r.id where r.is_over and s.newest_at > r.ended_at
  union all
  select 'nothing_after_the_end', r.id, format('a change of %s %s at %s, ended at %s', h.kind, h.entity_id, h.at, r.ended_at)
    from runs r join onto_changes h on h.run_id = r.id where r.is_over and h.at > r.ended_at
  union all
  select 'nothing_after_the_end', r.id, format('iteration %s began at %s, ended at %s', i.iteration, i.started_at, r.ended_at)
    from runs r join homework_run_iterations i on i.run_id = r.id where r.is_over and i.started_at > r.ended_at
  union all
  select 'one_notification_per_move', r.id, format('%s moves counted, %s in events, told %s times in %s notifications',
         r.moves, coalesce(e.moves, 0), coalesce(t.times, 0), coalesce(t.notifications, 0))
    from runs r left join event_counts e on e.run_id = r.id left join told t on t.run_id = r.id
   where r.moves <> coalesce(case when r.outcome_task_id is null then e.moves else e.needs end, 0) or r.moves <> coalesce(t.times, 0)
      or coalesce(t.notifications, 0) <> least(r.moves, 1)
  union all
  -- Feeds are kept for some days.
  select 'told_is_in_the_feed', n.run_id, format('told at %s, and the feed does not have it', n.created_at)
    from user_notifications n
   where n.run_id is not null and n.created_at > run_now() - interval '1 day'
     and not exists (select from user_feed_events f where f.user_id = n.user_id and f.type = 'notification_created'
                        and f.data->>'id' = n.id::text and (f.data->>'created_at')::timestamptz = n.created_at)
  union all
  select 'completed_with_proofs', r.id, format('check %s (%s) is not green', k.check_id, k.target->>'kind')
    from runs r join homework_run_checks k on k.run_id = r.id
   where r.status = 'completed' and ((k.proof->>'isGreen')::boolean is distinct from true
      or not jsonb_path_exists(r.proofs, '$[*] ? (@.checkId == $id && @.isGreen == true)', jsonb_build_object('id', k.check_id)))
  union all
  select 'completed_with_proofs', r.id, 'no check besides the plan itself'
    from runs r where r.status = 'completed' and not exists
      (select from homework_run_checks k where k.run_id = r.id and k.target->>'kind' <> 'plan_complete')
  union all
  select 'report_when_ended', r.id, format('%s without a report of that', r.status)
    from runs r where r.status in ('completed', 'stopped', 'failed', 'canceled') and r.report->>'status' is distinct from r.status
  union all
  select 'writes_within_scope', r.id, format('%s %s in project %s', h.kind, h.entity_id, h.project_id)
    from runs r join onto_changes h on h.run_id = r.id
   where r.scope <> 'global' and h.project_id <> all (array_remove(r.project_ids || r.workspace_project_id, null))
  union all
  select 'messages_are_read_once', r.id, format('%s unread, the run counts %s; read in %s of %s', coalesce(s.unread, 0), r.unread_messages, s.newest, r.iteration)
    from runs r left join messages s on s.run_id = r.id
   where r.unread_messages <> coalesce(s.unread, 0) or s.newest > r.iteration
  union all
  select 'nothing_without_a_run', o.run_id, format('%s of a run that is not there', o.what)
    from (select run_id, 'events' as what from event_counts union all select run_id, 'iterations' from iteration_counts
          union all select run_id, 'entries' from entries) as o where not exists (select from runs r where r.id = o.run_id)
  union all
  select 'nothing_without_a_run', s.run_id, format('entries of iteration %s, which is not there', s.iteration)
    from (select distinct run_id, iteration from journal_entries where run_id is not null) as s
   where not exists (select from homework_run_iterations i where i.run_id = s.run_id and i.iteration = s.iteration)
  union all
  select 'nothing_without_a_run', null, format('a feed of user %s, who has none', e.user_id)
    from (select distinct user_id from user_feed_events) as e where not exists (select from user_feeds f where f.user_id = e.user_id)
  union all
  select 'slots_within_limit', null, format('user %s has %s runs at once, the limit is %s', user_id, count(*), $1::int)
    from runs where has_slot group by user_id having count(*) > $1::int
  union all
  select 'no_slot_lies_idle', null, format('user %s: %s in line although only %s of %s slots are taken', user_id,
         count(*) filter (where status = 'queued' and not has_slot), count(*) filter (where has_slot), $1::int)
    from runs group by user_id
  having count(*) filter (where status = 'queued' and not has_slot) > 0 and count(*) filter (where has_slot) < $1::int
  union all
  select 'feed_without_gaps', null, format('user %s: %s rows up to %s, counted %s', f.user_id, count(e.seq), max(e.seq), f.last_seq)
    from user_feeds f left join user_feed_events e on e.user_id = f.user_id
   group by f.user_id, f.last_seq
  having coalesce(max(e.seq), f.last_seq) <> f.last_seq or count(e.seq) <> coalesce(max(e.seq) - min(e.seq) + 1, 0)
)
select invariant, run_id, detail from violations order by invariant, run_id limit 1000

-- Events have one form, kept and sent (src/domain/run/events.ts): names in snake_case and every field, also in the history of
-- older versions. And a user has one notification about a thing, whichever part wrote it, and none of what the user did.

set local role homework_system;

create function pg_temp.snake_keys(given jsonb) returns jsonb language plpgsql immutable as $$
begin
  return case jsonb_typeof(given)
    when 'object' then (select coalesce(jsonb_object_agg(lower(regexp_replace(key, '([A-Z])', '_\1', 'g')), pg_temp.snake_keys(value)), '{}')
      from jsonb_each(given))
    when 'array' then (select coalesce(jsonb_agg(pg_temp.snake_keys(value) order by place), '[]')
      from jsonb_array_elements(given) with ordinality as e (value, place))
    else given end;
end $$;

update homework_run_events set event = pg_temp.snake_keys(event);

-- Some older versions did not count along; a page that follows begins with what the run says of itself.
update homework_run_events set event = '{"running_ms": 0, "unread": 0}' || event
 where type not in ('step_recorded', 'iteration_cost_update', 'run_undone');

update homework_run_events set event = '{"answers": []}' || event where type = 'run_answered';
update homework_run_events set event = '{"priced_by": "table", "tokens": 0}' || event where type = 'iteration_cost_update';
update homework_run_events set event = (event - 'why') || jsonb_build_object('reason', coalesce(event->'reason', event->'why', '""'))
 where type = 'run_waiting_on_user';

update homework_run_events e set event = jsonb_build_object('checks', 0, 'why', null, 'max_iterations', r.budgets->'maxIterations') || e.event
  from homework_runs r where r.id = e.run_id and e.type = 'run_created';
update homework_run_events e set event = jsonb_build_object('max_iterations', r.budgets->'maxIterations') || e.event
  from homework_runs r where r.id = e.run_id and e.type = 'run_resumed';

update homework_run_events e set event = e.event || jsonb_build_object('objective', r.objective, 'config', jsonb_build_object(
    'engine', r.engine, 'scope', r.scope, 'project_ids', to_jsonb(r.project_ids), 'context_type', r.context_type,
    'entity_id', r.entity_id, 'models', r.models,
    'permissions', jsonb_build_object('write_mode', r.write_mode, 'allowed_tools', to_jsonb(r.allowed_tools)),
    'budgets', (select jsonb_build_object('max_iterations', b->'max_iterations', 'max_wall_clock_ms', b->'max_running_ms',
        'max_cost_usd', (b->>'max_cost_micro_usd')::numeric / 1000000, 'max_total_tokens', b->'max_tokens',
        'max_tool_calls', b->'max_tool_calls', 'hard', coalesce(b->'is_cost_hard', 'false'))
      from (select coalesce(e.event->'config'->'budget', pg_temp.snake_keys(r.budgets)) as b) as given)))
  from homework_runs r where r.id = e.run_id and e.type = 'run_started';

update homework_run_events e set event = jsonb_build_object('metrics', jsonb_build_object(
    'running_ms', coalesce(i.metrics->'running_ms', '0'), 'cost_micro_usd', coalesce(i.metrics->'cost_micro_usd', '0'),
    'tokens', coalesce(i.metrics->'tokens', '0'), 'tool_calls', coalesce(i.metrics->'tool_calls', '0'))) || e.event
  from homework_run_iterations i where i.run_id = e.run_id and i.iteration = e.iteration and e.type = 'iteration_completed';

-- Of several ends only the last one has a report.
update homework_run_events e set event = jsonb_build_object(
    'summary', case when exists (select from homework_run_events later where later.run_id = e.run_id and later.seq > e.seq
      and later.type in ('run_completed', 'run_stopped', 'run_failed', 'run_canceled')) then '' else coalesce(r.report->>'summary', '') end,
    'stop_reason', jsonb_build_object('type', coalesce(e.event->>'reason', 'completed'), 'detail', e.event->'why'),
    'report_ref', '/homework/runs/' || r.id || '/report') || e.event
  from homework_runs r where r.id = e.run_id and e.type in ('run_completed', 'run_stopped');

-- Reports of older versions get the value that says nothing where they have none.
update homework_runs set report = '{"language": "en", "primary_output": null, "open_questions": [], "unsure": [], "messages": []}' || report
  || jsonb_build_object(
    'what_changed', '{"counts": []}' || (report->'what_changed') || jsonb_build_object(
      'created', (select coalesce(jsonb_agg('{"project_id": null}' || thing), '[]') from jsonb_array_elements(report->'what_changed'->'created') thing),
      'updated', (select coalesce(jsonb_agg('{"project_id": null}' || thing), '[]') from jsonb_array_elements(report->'what_changed'->'updated') thing)),
    'artifacts', (report->'artifacts') || jsonb_build_object('documents', (select coalesce(jsonb_agg('{"change": "created"}' || document), '[]')
      from jsonb_array_elements(report->'artifacts'->'documents') document)),
    'checks', (select coalesce(jsonb_agg(jsonb_build_object('about', '', 'state', case when (k->>'is_green')::boolean then 'passed' else 'failed' end) || k), '[]')
      from jsonb_array_elements(report->'checks') k),
    'metrics', '{"cached_tokens": null, "unpriced_calls": 0}' || (report->'metrics'))
 where report is not null;

-- Migration 0016 wanted this of entries of older versions, but it ran as the owner, who sees no row of these tables.
update journal_entries set lane = case when kind = 'platform' then 'platform' else coalesce(substring(key from '^(exec:\d+)/'), 'planner') end
 where lane = 'planner' and did = '';
update journal_entries s set did = left(e.event->>'summary', 300) from homework_run_events e
 where s.did = '' and e.run_id = s.run_id and e.iteration = s.iteration and e.type = 'step_recorded' and e.event->>'step' = s.key;

-- Moves are counted where the user is told of them: ends and questions, and waits that last; not what the user did. So the number
-- shrinks this once, also for runs that have ended.
set local role homework_owner;
alter table homework_runs disable trigger check_run;
set local role homework_system;
update homework_runs r set moves = coalesce((select count(*) from homework_run_events e where e.run_id = r.id and (
    e.type in ('run_completed', 'run_failed', 'run_waiting_on_user') or (e.type = 'run_stopped' and e.event->>'reason' <> 'paused')
    or (e.type = 'run_holding' and e.event ? 'is_told'))), 0);

set local role homework_owner;
alter table homework_runs enable trigger check_run;
set local role homework_system;

delete from user_notifications where event = 'canceled' or (event = 'stopped' and message like '%You paused it');
delete from user_notifications n using user_notifications newer
 where newer.run_id = n.run_id and newer.user_id = n.user_id and (newer.created_at, newer.id) > (n.created_at, n.id);
delete from user_notification_preferences where event = 'canceled';

set local role homework_owner;

alter table user_notifications
  -- The thing that it tells of, as kind:id.
  add column about text,
  -- How often: each time the row says something else and is unread again.
  add column told integer not null default 1 check (told > 0);

set local role homework_system;
update user_notifications n set about = coalesce('run:' || n.run_id, 'notification:' || n.id),
  told = greatest(1, coalesce((select r.moves from homework_runs r where r.id = n.run_id), 1));
set local role homework_owner;

alter table user_notifications
  drop column move,
  alter column about set not null,
  add constraint user_notifications_about_one_thing unique (user_id, about),
  add constraint user_notifications_about_check check (about ~ '^[a-z_]+:.+$' and length(about) <= 200),
  add constraint user_notifications_run_check check ((about like 'run:%') = (run_id is not null) and about = coalesce('run:' || run_id, about)),
  -- It leads to a page of ours, never to another site.
  add constraint user_notifications_action_url_check check (action_url ~ '^/($|[^/\\])' and length(action_url) <= 2000);
create index user_notifications_run on user_notifications (run_id);

alter table user_notification_preferences drop constraint user_notification_preferences_event_check;
alter table user_notification_preferences add constraint user_notification_preferences_event_check
  check (event in ('waiting_on_user', 'holding', 'completed', 'stopped', 'failed'));

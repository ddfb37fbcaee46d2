-- References between our tables are foreign keys and states are constrained, also in the tables that a worker writes with every
-- step: a bug is refused where it happens. docs/decisions/0034 says what that costs.

-- Rows of older versions that point at nothing.
set local role homework_system;
delete from journal_entries s where s.run_id is not null and not exists (
  select from homework_run_iterations i where i.run_id = s.run_id and i.iteration = s.iteration);
delete from homework_run_events e where not exists (select from homework_runs r where r.id = e.run_id);
delete from homework_run_iterations i where not exists (select from homework_runs r where r.id = i.run_id);
delete from user_feed_events e where not exists (select from user_feeds f where f.user_id = e.user_id);
update homework_runs r set forked_from_run = null where not exists (select from homework_runs f where f.id = r.forked_from_run);
update homework_runs r set chat_session_id = null where not exists (select from chat_sessions s where s.id = r.chat_session_id);
update homework_runs r set workspace_document_id = null
  where not exists (select from onto_documents d where d.id = r.workspace_document_id);
update homework_runs r set workspace_project_id = null
  where not exists (select from onto_projects p where p.id = r.workspace_project_id);
update homework_run_changes c set decided_by = null where not exists (select from auth_users u where u.id = c.decided_by);
set local role homework_owner;

-- States are types: a domain is looked at where its column is written, a constraint of the table in every statement that touches
-- the row, and a run's row is written with every step.
create domain run_status as text
  check (value in ('queued', 'running', 'waiting_on_user', 'completed', 'stopped', 'failed', 'canceled'));
create domain run_stop_reason as text check (value in ('max_iterations', 'running_time', 'cost', 'tokens', 'tool_calls',
  'no_progress', 'same_action', 'same_error', 'tool_missing', 'claim_rejected', 'provider_auth', 'provider_quota', 'paused'));
create domain run_engine as text check (value in ('planner', 'agent'));
create domain run_scope as text check (value in ('global', 'project', 'multi_project'));
create domain run_write_mode as text check (value in ('autopilot', 'approve_plan', 'per_write'));
create domain step_kind as text check (value in ('model', 'tool', 'effect', 'platform'));
create domain step_state as text check (value in ('intended', 'done', 'uncertain'));

drop trigger check_run on homework_runs;
alter table homework_runs
  drop column revision,
  alter column status type run_status,
  alter column stop_reason type run_stop_reason,
  alter column engine type run_engine,
  alter column scope type run_scope,
  alter column write_mode type run_write_mode;

-- Which facts hold in which status, and what no statement may do to a run: lower a number, skip a state, come back from an end. A
-- trigger bound to the columns it speaks of, for the same reason. After an end only money that was already spent is still written
-- down: its columns are not among these.
create or replace function check_run() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when btrim(new.objective) = '' then 'an objective'
    when not (case new.scope when 'global' then new.project_ids = '{}' when 'project' then cardinality(new.project_ids) = 1
      else cardinality(new.project_ids) >= 1 end) then 'the projects of its scope'
    when new.iteration < 1 or new.attempts < 0 or new.remaining < 0 or new.unread_signals < 0 or new.running_ms < 0
      or new.cost_micro_usd < 0 or new.tokens < 0 or new.tool_calls < 0 or new.fence < 0 then 'numbers that are not negative'
    when new.status <> 'queued' and new.has_slot <> (new.status = 'running') then 'a slot exactly while it runs'
    when new.hold is not null and new.status <> 'running' then 'a hold only while it runs'
    when (new.questions is not null) <> (new.status = 'waiting_on_user') or new.questions = '[]' then 'questions exactly while it waits'
    when (new.proofs is not null) <> (new.status = 'completed') or new.proofs = '[]'
      or jsonb_path_exists(new.proofs, '$[*] ? (@.isGreen != true)') then 'green proofs exactly when it is completed'
    when (new.stop_reason is not null) <> (new.status = 'stopped') then 'a reason exactly when it is stopped'
    when (new.detail is not null) <> (new.status in ('stopped', 'failed')) then 'a detail exactly when it is stopped or failed'
    when (new.ended_at is not null) <> (new.status in ('completed', 'stopped', 'failed', 'canceled')) then 'an end exactly when it ended'
    when new.claimed_at is not null and new.status <> 'running' then 'a claim only while it runs'
    when (new.claimed_at is null) <> (new.claim_seen_at is null) then 'a sign of life with its claim'
  end;
  if wrong is not null then raise exception 'run %: it must have %', new.id, wrong using errcode = 'HW009'; end if;
  if tg_op = 'INSERT' then return new; end if;
  if new.fence < old.fence or new.last_seq < old.last_seq or new.moves < old.moves or new.running_ms < old.running_ms then
    raise exception 'run %: a number that only grows would shrink', old.id using errcode = 'HW010';
  end if;
  if old.status <> new.status and not (case old.status
       when 'queued' then new.status in ('running', 'stopped', 'failed', 'canceled')
       when 'running' then new.status in ('waiting_on_user', 'completed', 'stopped', 'failed', 'canceled')
       when 'waiting_on_user' then new.status in ('queued', 'stopped', 'canceled')
       when 'stopped' then new.status in ('queued', 'canceled')
       else false end) then
    raise exception 'run %: % does not become %', old.id, old.status, new.status using errcode = 'HW011';
  end if;
  if old.status in ('completed', 'failed', 'canceled') then
    raise exception 'run %: it is % and cannot change', old.id, old.status using errcode = 'HW012';
  end if;
  return new;
end $$;
create trigger check_run before insert or update of objective, engine, scope, project_ids, write_mode, status, iteration, has_slot,
  hold, questions, proofs, stop_reason, detail, ended_at, claimed_at, claim_seen_at, attempts, remaining, unread_signals, plan,
  fence, moves, running_ms on homework_runs for each row execute function check_run();

drop trigger check_iteration on homework_run_iterations;
drop function check_iteration();
alter table homework_run_iterations
  add constraint numbers_begin_at_one check (iteration >= 1 and attempts >= 1),
  add constraint status_is_known check (status in ('running', 'success', 'failed', 'waiting_on_user', 'interrupted')),
  add constraint end_when_over check ((ended_at is null) = (status = 'running')),
  add constraint decision_when_decided check ((decision is not null) = (status in ('success', 'failed', 'waiting_on_user')));

drop trigger check_step on journal_entries;
drop function check_step();
alter table journal_entries
  add constraint key_is_bounded check (length(key) between 1 and 200),
  alter column kind type step_kind,
  alter column state type step_state,
  add constraint end_unless_intended check ((ended_at is null) = (state = 'intended')),
  -- Only what the outside world does can be begun without being known to be done.
  add constraint only_effects_are_uncertain check (state = 'done' or kind = 'effect');

drop trigger check_check on homework_run_checks;
drop function check_check();
alter table homework_run_checks add constraint giver_is_known check (given_by in ('user', 'planner', 'platform'));

alter table onto_changes add constraint kind_is_known
  check (kind in ('project', 'task', 'goal', 'plan', 'milestone', 'document', 'edge'));
alter table onto_edges add constraint kinds_are_known
  check (src_kind in ('task', 'goal', 'plan', 'milestone', 'document') and dst_kind in ('task', 'goal', 'plan', 'milestone', 'document'));

-- Deleting a run or a user takes along what belongs to it.
drop trigger forget_run on homework_runs;
drop trigger forget_feed on user_feeds;
set local role homework_system;
drop function forget_run();
drop function forget_feed();
set local role homework_owner;
alter table homework_run_iterations add foreign key (run_id) references homework_runs (id) on delete cascade;
alter table homework_run_events add foreign key (run_id) references homework_runs (id) on delete cascade;
alter table journal_entries
  add foreign key (run_id, iteration) references homework_run_iterations (run_id, iteration) on delete cascade;
alter table homework_run_words add foreign key (user_id) references auth_users (id) on delete cascade;
alter table homework_run_changes add foreign key (decided_by) references auth_users (id) on delete set null;
alter table user_feed_events add foreign key (user_id) references user_feeds (user_id) on delete cascade;

-- Deferrable where tables refer to each other in a circle, so that a dump can be restored. A workspace is named before it is
-- written, since what a run writes has to be in its scope (keep_to_scope): that is looked at when the transaction ends.
alter table homework_runs
  add foreign key (forked_from_run) references homework_runs (id) on delete set null deferrable,
  add foreign key (chat_session_id) references chat_sessions (id) on delete set null deferrable,
  add foreign key (workspace_document_id) references onto_documents (id) on delete set null
    deferrable initially deferred,
  add foreign key (workspace_project_id) references onto_projects (id) on delete set null
    deferrable initially deferred;
-- For those who delete what is referred to.
create index homework_runs_fork on homework_runs (forked_from_run) where forked_from_run is not null;
create index homework_runs_chat on homework_runs (chat_session_id) where chat_session_id is not null;
create index homework_runs_workspace on homework_runs (workspace_document_id) where workspace_document_id is not null;
create index homework_runs_workspace_project on homework_runs (workspace_project_id) where workspace_project_id is not null;

-- Jobs have kinds, and each kind has a queue of its own. What is done from time to time is tried as often as it takes; a worker
-- that dies over it gives it back after ten seconds without a heartbeat, and one that hangs after ten minutes.
select homework_queue.create_queue('homework_schedule', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 600, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

-- Jobs that are not done yet, for those who look whether runs and jobs fit together. Only the queue library writes its tables.
create view open_jobs with (security_invoker = true) as
  select id, name as queue, data, state = 'active' as is_active, retry_count as attempt, start_after,
         heartbeat_on + make_interval(secs => heartbeat_seconds) as silent_at
    from homework_queue.job where state < 'completed';
grant select on open_jobs to homework_system;

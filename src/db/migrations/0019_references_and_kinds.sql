-- References between our tables are foreign keys and states are constrained, also in the tables that a worker writes with every
-- step: a bug is refused where it happens. docs/decisions/0032 says what that costs.

-- Rows of older versions that point at nothing.
set local role homework_system;
delete from homework_run_steps s where not exists (
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

-- Which facts hold in which status.
alter table homework_runs
  drop column revision,
  add constraint objective_is_not_blank check (btrim(objective) <> ''),
  add constraint engine_is_known check (engine in ('planner', 'agent')),
  add constraint write_mode_is_known check (write_mode in ('autopilot', 'approve_plan', 'per_write')),
  add constraint scope_is_known check (scope in ('global', 'project', 'multi_project')),
  add constraint scope_names_its_projects check (case scope when 'global' then project_ids = '{}'
    when 'project' then cardinality(project_ids) = 1 else cardinality(project_ids) >= 1 end),
  add constraint status_is_known
    check (status in ('queued', 'running', 'waiting_on_user', 'completed', 'stopped', 'failed', 'canceled')),
  add constraint numbers_are_not_negative check (iteration >= 1 and attempts >= 0 and remaining >= 0 and unread_signals >= 0
    and running_ms >= 0 and cost_micro_usd >= 0 and tokens >= 0 and tool_calls >= 0 and fence >= 0),
  add constraint slot_while_running check (status = 'queued' or has_slot = (status = 'running')),
  add constraint hold_while_running check (hold is null or status = 'running'),
  add constraint claim_while_running check (claimed_at is null or status = 'running'),
  add constraint claim_has_signs_of_life check ((claimed_at is null) = (claim_seen_at is null)),
  add constraint questions_while_waiting
    check ((questions is not null) = (status = 'waiting_on_user') and questions <> '[]'),
  add constraint green_proofs_when_completed check ((proofs is not null) = (status = 'completed') and proofs <> '[]'
    and not jsonb_path_exists(proofs, '$[*] ? (@.isGreen != true)')),
  add constraint reason_when_stopped check ((stop_reason is not null) = (status = 'stopped')),
  add constraint detail_when_ended_badly check ((detail is not null) = (status in ('stopped', 'failed'))),
  add constraint end_when_ended
    check ((ended_at is not null) = (status in ('completed', 'stopped', 'failed', 'canceled')));

-- What no statement may do to a run: lower a number, skip a state, come back from an end. After an end only money that was
-- already spent is still written down: its columns are not among these.
drop trigger check_run on homework_runs;
drop function check_run();
create function keep_run_moves() returns trigger language plpgsql as $$
begin
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
create trigger keep_run_moves before update of objective, engine, scope, project_ids, write_mode, status, iteration, has_slot,
  hold, questions, proofs, stop_reason, detail, ended_at, claimed_at, claim_seen_at, attempts, remaining, unread_signals, plan,
  fence, moves, running_ms on homework_runs for each row execute function keep_run_moves();

drop trigger check_iteration on homework_run_iterations;
drop function check_iteration();
alter table homework_run_iterations
  add constraint numbers_begin_at_one check (iteration >= 1 and attempts >= 1),
  add constraint status_is_known check (status in ('running', 'success', 'failed', 'waiting_on_user', 'interrupted')),
  add constraint end_when_over check ((ended_at is null) = (status = 'running')),
  add constraint decision_when_decided check ((decision is not null) = (status in ('success', 'failed', 'waiting_on_user')));

drop trigger check_step on homework_run_steps;
drop function check_step();
alter table homework_run_steps
  add constraint key_is_bounded check (length(key) between 1 and 200),
  add constraint kind_is_known check (kind in ('model', 'tool', 'effect', 'platform')),
  add constraint state_is_known check (state in ('intended', 'done', 'uncertain')),
  add constraint end_unless_intended check ((ended_at is null) = (state = 'intended')),
  -- Only what the outside world does can be begun without being known to be done.
  add constraint only_effects_are_uncertain check (state = 'done' or kind = 'effect');

drop trigger check_check on homework_run_checks;
drop function check_check();
alter table homework_run_checks add constraint giver_is_known check (given_by in ('user', 'planner', 'platform'));

-- Deleting a run or a user takes along what belongs to it.
drop trigger forget_run on homework_runs;
drop trigger forget_feed on user_feeds;
set local role homework_system;
drop function forget_run();
drop function forget_feed();
set local role homework_owner;
alter table homework_run_iterations add foreign key (run_id) references homework_runs (id) on delete cascade;
alter table homework_run_events add foreign key (run_id) references homework_runs (id) on delete cascade;
alter table homework_run_steps
  add foreign key (run_id, iteration) references homework_run_iterations (run_id, iteration) on delete cascade;
alter table homework_run_words add foreign key (user_id) references auth_users (id) on delete cascade;
alter table homework_run_changes add foreign key (decided_by) references auth_users (id) on delete set null;
alter table user_feed_events add foreign key (user_id) references user_feeds (user_id) on delete cascade;

-- Deferrable where tables refer to each other in a circle, so that a dump can be restored.
alter table homework_runs
  add foreign key (forked_from_run) references homework_runs (id) on delete set null deferrable,
  add foreign key (chat_session_id) references chat_sessions (id) on delete set null deferrable,
  add foreign key (workspace_document_id) references onto_documents (id) on delete set null,
  add foreign key (workspace_project_id) references onto_projects (id) on delete set null;
-- For those who delete what is referred to.
create index homework_runs_fork on homework_runs (forked_from_run) where forked_from_run is not null;
create index homework_runs_chat on homework_runs (chat_session_id) where chat_session_id is not null;
create index homework_runs_workspace on homework_runs (workspace_document_id) where workspace_document_id is not null;
create index homework_runs_workspace_project on homework_runs (workspace_project_id) where workspace_project_id is not null;

-- One word per idea (ARCHITECTURE.md): a worker has a lease, as a claim is the model's; the user's messages are called messages; a
-- line of the journal is an entry, as a step is the plan's. Events of older versions get the new names, too.

alter table homework_runs rename column claimed_at to leased_at;
alter table homework_runs rename column claim_seen_at to lease_seen_at;
alter table homework_runs rename column claimed_by to leased_by;
alter table homework_runs rename column unread_signals to unread_messages;

alter table homework_run_signals rename to homework_run_messages;
alter index homework_run_signals_run rename to homework_run_messages_run;
alter index homework_run_signals_once rename to homework_run_messages_once;
alter table homework_run_messages rename constraint homework_run_signals_pkey to homework_run_messages_pkey;
alter table homework_run_messages rename constraint homework_run_signals_run_id_fkey to homework_run_messages_run_id_fkey;
alter table homework_run_messages rename constraint homework_run_signals_kind_check to homework_run_messages_kind_check;

alter domain step_kind rename to entry_kind;
alter domain step_state rename to entry_state;
alter table llm_usage_logs rename column step_key to entry_key;
alter table homework_run_changes rename column step_key to entry_key;
alter table homework_run_changes rename constraint homework_run_changes_step_key_check to homework_run_changes_entry_key_check;
alter table homework_run_changes rename constraint homework_run_changes_run_id_iteration_step_key_key
  to homework_run_changes_run_id_iteration_entry_key_key;

-- The same rules as before (migrations 0021 and 0009), with the new names.
create or replace function check_run() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when btrim(new.objective) = '' then 'an objective'
    when not (case new.scope when 'global' then new.project_ids = '{}' when 'project' then cardinality(new.project_ids) = 1
      else cardinality(new.project_ids) >= 1 end) then 'the projects of its scope'
    when new.iteration < 1 or new.attempts < 0 or new.remaining < 0 or new.unread_messages < 0 or new.running_ms < 0
      or new.cost_micro_usd < 0 or new.tokens < 0 or new.tool_calls < 0 or new.fence < 0 then 'numbers that are not negative'
    when new.status <> 'queued' and new.has_slot <> (new.status = 'running') then 'a slot exactly while it runs'
    when new.hold is not null and new.status <> 'running' then 'a hold only while it runs'
    when (new.questions is not null) <> (new.status = 'waiting_on_user') or new.questions = '[]' then 'questions exactly while it waits'
    when (new.proofs is not null) <> (new.status = 'completed') or new.proofs = '[]'
      or jsonb_path_exists(new.proofs, '$[*] ? (@.isGreen != true)') then 'green proofs exactly when it is completed'
    when (new.stop_reason is not null) <> (new.status = 'stopped') then 'a reason exactly when it is stopped'
    when (new.detail is not null) <> (new.status in ('stopped', 'failed')) then 'a detail exactly when it is stopped or failed'
    when (new.ended_at is not null) <> (new.status in ('completed', 'stopped', 'failed', 'canceled')) then 'an end exactly when it ended'
    when new.leased_at is not null and new.status <> 'running' then 'a lease only while it runs'
    when (new.leased_at is null) <> (new.lease_seen_at is null) then 'a sign of life with its lease'
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

create or replace function keep_staged_write() returns trigger language plpgsql as $$
begin
  if (new.run_id, new.id, new.position, new.iteration, new.entry_key, new.seed_iteration, new.seed_key, new.tool, new.args::text, new.changes)
     is distinct from
     (old.run_id, old.id, old.position, old.iteration, old.entry_key, old.seed_iteration, old.seed_key, old.tool, old.args::text, old.changes)
  then
    raise exception 'change %: what was staged does not change', old.id using errcode = 'HW020';
  end if;
  if new.state <> old.state and not (case old.state
       when 'pending' then new.state in ('approved', 'rejected')
       when 'approved' then new.state in ('applied', 'drifted')
       else false end) then
    raise exception 'change %: % does not become %', old.id, old.state, new.state using errcode = 'HW021';
  end if;
  return new;
end $$;

set local role homework_system;
update homework_run_events set type = 'entry_recorded',
    event = (event - 'step') || jsonb_build_object('type', 'entry_recorded', 'entry', event->'step')
 where type = 'step_recorded';
set local role homework_owner;

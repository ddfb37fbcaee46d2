-- One journal and one ledger for everything that asks models: an entry belongs to an iteration of a run or to an answer of a
-- conversation. A server that dies in the middle of an answer leaves its entries, and the next one goes on from them.

alter table homework_run_steps rename to journal_entries;
alter index homework_run_steps_memory rename to journal_entries_memory;
alter table journal_entries
  drop constraint homework_run_steps_pkey,
  alter column run_id drop not null,
  alter column iteration drop not null,
  add column chat_session_id uuid,
  add column message_seq integer,
  -- Of an effect that goes on without us: how another attempt finds it.
  add column handle jsonb check (handle is null or kind = 'effect'),
  add foreign key (chat_session_id, message_seq) references chat_messages (session_id, seq) on delete cascade,
  add constraint entry_has_one_owner check (num_nulls(run_id, iteration, chat_session_id, message_seq) = 2
    and (run_id is null) = (iteration is null) and (chat_session_id is null) = (message_seq is null));
create unique index journal_entries_run on journal_entries (run_id, iteration, key) where run_id is not null;
create unique index journal_entries_chat on journal_entries (chat_session_id, message_seq, key) where chat_session_id is not null;

drop policy app_select on journal_entries;
create policy app_select on journal_entries for select to homework_app
  using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id())
      or exists (select from chat_sessions s where s.id = chat_session_id and s.user_id = app_user_id()));

create or replace function check_step() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when new.key = '' or length(new.key) > 200 then 'a key'
    when new.kind not in ('model', 'tool', 'effect', 'platform') or new.state not in ('intended', 'done', 'uncertain') then 'kind or state'
    when (new.ended_at is null) <> (new.state = 'intended') then 'an end unless it is only intended'
    -- Only what the outside world does can be begun without being known to be done.
    when new.state <> 'done' and new.kind <> 'effect' then 'an effect to be uncertain of'
  end;
  if wrong is not null then
    raise exception 'entry % of %: it must have %', new.key, coalesce(new.run_id, new.chat_session_id), wrong using errcode = 'HW016';
  end if;
  return new;
end $$;

-- The ledger names the message that a call was made for in a column of its own; its key is that of the entry.
alter table llm_usage_logs add column message_seq integer;
alter table llm_usage_logs disable trigger settled_once;
set local role homework_system;
update llm_usage_logs set message_seq = substring(step_key from '^message:(\d+)$')::int where chat_session_id is not null;

create or replace function forget_run() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  delete from journal_entries where run_id = old.id;
  delete from homework_run_events where run_id = old.id;
  delete from homework_run_iterations where run_id = old.id;
  return null;
end $$;
set local role homework_owner;
alter table llm_usage_logs enable trigger settled_once;
drop index llm_usage_logs_chat;
create index llm_usage_logs_chat on llm_usage_logs (chat_session_id, message_seq) where chat_session_id is not null;

alter table chat_messages
  -- Goes up with every process that takes the answer to write it; only the newest one writes.
  add column fence bigint not null default 0 check (fence >= 0);

create or replace function keep_chat_message() returns trigger language plpgsql as $$
begin
  if (new.session_id, new.seq, new.role) is distinct from (old.session_id, old.seq, old.role) or new.fence < old.fence then
    raise exception 'message % of chat %: it stays what it is', old.seq, old.session_id using errcode = 'HW030';
  end if;
  if old.state in ('complete', 'failed', 'stopped')
     and (new.state, new.text, new.model, new.error) is distinct from (old.state, old.text, old.model, old.error) then
    raise exception 'message % of chat %: it has ended', old.seq, old.session_id using errcode = 'HW031';
  end if;
  if old.state = 'awaiting_confirmation' and new.state in ('complete', 'failed') then
    raise exception 'message % of chat %: nobody has confirmed it', old.seq, old.session_id using errcode = 'HW032';
  end if;
  return new;
end $$;

-- Conversations with a model about the user's things: messages, the tool calls they want, and what whoever watches has to know.
-- What was shown for confirmation is what is carried out, and what has ended stays as it is: the triggers keep to that.

create table chat_sessions (
  id           uuid primary key,
  user_id      uuid not null references auth_users (id) on delete cascade,
  title        text not null,
  -- What the person was looking at when it began.
  context_type text not null,
  entity_id    uuid,
  -- The run it is a follow-up of.
  run_id       uuid references homework_runs (id) on delete set null,
  -- Numbers of the messages and of the events, without gaps.
  last_message integer not null default 0,
  last_seq     bigint not null default 0,
  created_at   timestamptz(3) not null default run_now(),
  updated_at   timestamptz(3) not null default run_now(),
  deleted_at   timestamptz(3)
);
create index chat_sessions_user on chat_sessions (user_id, updated_at desc, id desc) where deleted_at is null;
create index chat_sessions_run on chat_sessions (run_id) where run_id is not null;

create table chat_messages (
  session_id     uuid not null references chat_sessions (id) on delete cascade,
  seq            integer not null check (seq >= 1),
  role           text not null check (role in ('user', 'assistant')),
  text           text not null,
  state          text not null check (state in ('complete', 'streaming', 'failed', 'stopped', 'awaiting_confirmation')),
  -- Who answered; null before that, and for what people wrote.
  model          text,
  is_demo        boolean not null default false,
  -- Why it failed, for people.
  error          text,
  -- Sums of the ledger (llm_usage_logs).
  cost_micro_usd bigint not null default 0 check (cost_micro_usd >= 0),
  unpriced_calls integer not null default 0 check (unpriced_calls >= 0),
  tokens         bigint not null default 0 check (tokens >= 0),
  -- The last sign of life of whoever answers.
  seen_at        timestamptz(3) not null default run_now(),
  created_at     timestamptz(3) not null default run_now(),
  primary key (session_id, seq),
  constraint people_are_complete check (role = 'assistant' or (state = 'complete' and model is null)),
  constraint error_when_failed check ((error is not null) = (state = 'failed'))
);
-- At most one answer is under way or waits for a word.
create unique index chat_messages_open on chat_messages (session_id) where state in ('streaming', 'awaiting_confirmation');
create index chat_messages_streaming on chat_messages (seen_at) where state = 'streaming';

create table chat_calls (
  session_id   uuid not null,
  seq          integer not null,
  position     integer not null check (position >= 1),
  -- As the model named it.
  call_id      text not null check (call_id <> '' and length(call_id) <= 200),
  tool         text not null,
  kind         text not null check (kind in ('read', 'write', 'outside')),
  -- Not jsonb: a tool gets its arguments again exactly as they were shown, in the same order.
  args         json not null,
  -- What it does, in our own words.
  effect       text not null,
  -- What a write would do, as it was tried and taken back.
  changes      jsonb not null default '[]',
  needs_word   boolean not null,
  -- What a yes also allows for the rest of the conversation.
  approval     text,
  state        text not null check (state in ('pending', 'approved', 'rejected', 'begun', 'done', 'failed')),
  -- What the model is told.
  result       text,
  summary      text,
  is_untrusted boolean not null default false,
  found_urls   text[] not null default '{}',
  decided_at   timestamptz(3),
  ended_at     timestamptz(3),
  primary key (session_id, seq, position),
  unique (session_id, seq, call_id),
  foreign key (session_id, seq) references chat_messages (session_id, seq) on delete cascade,
  constraint result_when_ended check ((result is not null) = (state in ('rejected', 'done', 'failed')))
);

-- What whoever watches has to know, numbered without gaps and in the order of commit. Old lines are forgotten.
create table chat_events (
  session_id uuid not null references chat_sessions (id) on delete cascade,
  seq        bigint not null check (seq >= 1),
  type       text not null check (type in ('message', 'text', 'tool', 'confirm', 'done', 'error')),
  data       jsonb not null,
  created_at timestamptz(3) not null default run_now(),
  primary key (session_id, seq)
);

create function keep_chat_message() returns trigger language plpgsql as $$
begin
  if (new.session_id, new.seq, new.role) is distinct from (old.session_id, old.seq, old.role) then
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
create trigger keep_chat_message before update on chat_messages for each row execute function keep_chat_message();

create function keep_chat_call() returns trigger language plpgsql as $$
begin
  if (new.session_id, new.seq, new.position, new.call_id, new.tool, new.kind, new.args::text, new.effect, new.changes, new.needs_word, new.approval)
     is distinct from
     (old.session_id, old.seq, old.position, old.call_id, old.tool, old.kind, old.args::text, old.effect, old.changes, old.needs_word, old.approval)
  then
    raise exception 'call % of chat %: what was shown does not change', old.call_id, old.session_id using errcode = 'HW033';
  end if;
  if new.state <> old.state and not (case old.state
       when 'pending' then new.state in ('approved', 'rejected')
       when 'approved' then new.state in ('begun', 'done', 'failed')
       when 'begun' then new.state in ('done', 'failed')
       else false end) then
    raise exception 'call % of chat %: % does not become %', old.call_id, old.session_id, old.state, new.state using errcode = 'HW034';
  end if;
  return new;
end $$;
create trigger keep_chat_call before update on chat_calls for each row execute function keep_chat_call();

-- Calls of a chat in the ledger: how its sums, and what nobody will settle any more, are found.
create index llm_usage_logs_chat on llm_usage_logs (chat_session_id, step_key) where chat_session_id is not null;
create index llm_usage_logs_open_chat on llm_usage_logs (created_at) where state = 'reserved' and run_id is null;

do $$
declare t text;
begin
  foreach t in array array['chat_sessions', 'chat_messages', 'chat_calls', 'chat_events'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy system_all on %I for all to homework_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to homework_system', t);
    execute format('grant select, insert on %I to homework_app', t);
  end loop;
  foreach t in array array['chat_messages', 'chat_calls', 'chat_events'] loop
    execute format('create policy app_own on %I for all to homework_app
                    using (exists (select from chat_sessions s where s.id = session_id and s.user_id = app_user_id()))
                    with check (exists (select from chat_sessions s where s.id = session_id and s.user_id = app_user_id()))', t);
  end loop;
end $$;
create policy app_own on chat_sessions for all to homework_app using (user_id = app_user_id()) with check (user_id = app_user_id());
grant update on chat_sessions, chat_messages, chat_calls to homework_app;

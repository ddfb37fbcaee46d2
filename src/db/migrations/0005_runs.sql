-- Runs: a durable loop on one objective, its iterations, events, step journal, checks, signals and money; and what its user
-- is told. What can be kept right by a constraint is: a worker, a command and a bug all go through the same gate.

-- The clock of claims and running time. One function, so that nothing else has to be believed.
create function run_now() returns timestamptz language sql volatile return clock_timestamp();

-- What every statement looks at or changes comes first, since a row is read from its beginning; what is long or often null
-- comes last. One index for all that is open: every index is opened with every update, also with those that touch no part of it.
create table homework_runs (
  id                    uuid primary key,
  user_id               uuid not null references auth_users (id) on delete cascade,

  -- The claim: whoever has the newest fence may write. Times are the database's.
  fence                 bigint not null default 0,
  last_seq              bigint not null default 0,
  -- Counts changes of the run; steps, money and signs of life are none.
  revision              integer not null default 0,

  -- What was spent. Money and tokens are the sums of the ledger (llm_usage_logs).
  running_ms            bigint not null default 0,
  cost_micro_usd        bigint not null default 0,
  tokens                bigint not null default 0,
  tool_calls            integer not null default 0,

  iteration             integer not null,
  -- Tries at the iteration that is due, and those whose worker ended in the middle.
  attempts              integer not null default 0,
  deaths                integer not null default 0,
  -- How often its user was told of a move; numbers the notifications.
  moves                 integer not null default 0,
  unread_signals        integer not null default 0,
  created_at            timestamptz(3) not null default run_now(),
  updated_at            timestamptz(3) not null default run_now(),
  queued_at             timestamptz(6) not null default run_now(),
  has_slot              boolean not null,

  -- The state; `check_run` below says which facts hold in which status.
  status                text not null,
  claimed_at            timestamptz(3),
  claim_seen_at         timestamptz(3),
  claimed_by            text,
  started_at            timestamptz(3),
  ended_at              timestamptz(3),
  hold                  jsonb,
  questions             jsonb,
  proofs                jsonb,
  stop_reason           text,
  detail                text,

  remaining             integer,
  plan                  jsonb not null default '{"steps": []}',
  deliverables          jsonb not null default '[]',
  streaks               jsonb not null,
  guidance              jsonb,
  report                jsonb,

  -- What it was handed over with.
  objective             text not null,
  engine                text not null,
  scope                 text not null,
  project_ids           uuid[] not null default '{}',
  context_type          text not null,
  entity_id             uuid,
  write_mode            text not null,
  allowed_tools         text[],
  budgets               jsonb not null,
  chat_session_id       uuid,
  forked_from_run       uuid,
  forked_from_iteration integer,
  workspace_document_id uuid,
  workspace_project_id  uuid
) with (fillfactor = 70);
create index homework_runs_user on homework_runs (user_id, created_at desc, id desc);
create index homework_runs_open on homework_runs (user_id, queued_at, id) where status in ('queued', 'running');

-- What must hold of a run's row, and what no code may do to it, whoever it is: forget a number, skip a state, come back from
-- an end. One trigger and no constraints: PostgreSQL reads every constraint and every condition of a trigger anew in every
-- statement, and most updates of a run (a step of the journal) touch none of these columns.
create function check_run() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when btrim(new.objective) = '' then 'an objective'
    when new.engine not in ('planner', 'agent') or new.write_mode not in ('autopilot', 'approve_plan', 'per_write') then 'engine or write mode'
    when new.scope not in ('global', 'project', 'multi_project') or not (case new.scope when 'global' then new.project_ids = '{}'
      when 'project' then cardinality(new.project_ids) = 1 else cardinality(new.project_ids) >= 1 end) then 'scope'
    when new.status not in ('queued', 'running', 'waiting_on_user', 'completed', 'stopped', 'failed', 'canceled') then 'status'
    when new.iteration < 1 or new.attempts < 0 or new.remaining < 0 or new.unread_signals < 0 or new.running_ms < 0
      or new.cost_micro_usd < 0 or new.tokens < 0 or new.tool_calls < 0 or new.fence < 0 then 'numbers'
    when new.status <> 'queued' and new.has_slot <> (new.status = 'running') then 'a slot while it is at work, and only then'
    when new.hold is not null and new.status <> 'running' then 'a hold only while it runs'
    when (new.questions is not null) <> (new.status = 'waiting_on_user')
      or jsonb_array_length(new.questions) = 0 then 'questions while it waits, and only then'
    when (new.proofs is not null) <> (new.status = 'completed') or jsonb_array_length(new.proofs) = 0
      or jsonb_path_exists(new.proofs, '$[*] ? (@.isGreen != true)') then 'green proofs when it is completed, and only then'
    when (new.stop_reason is not null) <> (new.status = 'stopped') then 'a reason when it is stopped, and only then'
    when (new.detail is not null) <> (new.status in ('stopped', 'failed')) then 'details when it ended badly, and only then'
    when (new.ended_at is not null) <> (new.status in ('completed', 'stopped', 'failed', 'canceled')) then 'an end when it ended, and only then'
    when new.claimed_at is not null and new.status <> 'running' then 'a claim only while it runs'
    when (new.claimed_at is null) <> (new.claim_seen_at is null) then 'a whole claim or none'
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
    raise exception 'run %: it is % and does nothing any more', old.id, old.status using errcode = 'HW012';
  end if;
  return new;
end $$;
-- After an end only money that was already spent is still written down: its columns are not among these.
create trigger check_run before insert or update of objective, engine, scope, project_ids, write_mode, status, iteration, has_slot,
  hold, questions, proofs, stop_reason, detail, ended_at, claimed_at, claim_seen_at, attempts, remaining, unread_signals, plan,
  fence, moves, running_ms on homework_runs for each row execute function check_run();

-- What a worker writes with every step has triggers instead of constraints as well, and no foreign keys: each would look the
-- run up and lock it once more, in a statement that has just locked it. `forget_run` below removes what a deleted run leaves,
-- and run-invariants.sql looks for anything that belongs to none.
create table homework_run_iterations (
  run_id            uuid not null,
  iteration         integer not null,
  branch_id         text,
  -- Tries at it; every crash of a worker makes another.
  attempts          integer not null,
  status            text not null,
  started_at        timestamptz(3) not null,
  ended_at          timestamptz(3),
  summary           text not null default '',
  decision          text,
  why               text,
  error             text,
  error_fingerprint text,
  -- What this iteration used, as a difference.
  metrics           jsonb not null default '{}',
  artifacts         jsonb not null default '[]',
  plan              jsonb,
  primary key (run_id, iteration)
) with (fillfactor = 70);

create function check_iteration() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when new.iteration < 1 or new.attempts < 1 then 'numbers'
    when new.status not in ('running', 'success', 'failed', 'waiting_on_user', 'interrupted') then 'status'
    when (new.ended_at is null) <> (new.status = 'running') then 'an end when it is over, and only then'
    when (new.decision is not null) <> (new.status in ('success', 'failed', 'waiting_on_user')) then 'a decision when it is over, and only then'
  end;
  if wrong is not null then
    raise exception 'iteration % of run %: it must have %', new.iteration, new.run_id, wrong using errcode = 'HW015';
  end if;
  return new;
end $$;
create trigger check_iteration before insert or update on homework_run_iterations for each row execute function check_iteration();

create table homework_run_events (
  run_id     uuid not null,
  seq        bigint not null,
  iteration  integer,
  type       text not null,
  event      jsonb not null,
  created_at timestamptz(3) not null default run_now(),
  primary key (run_id, seq)
);

-- Undoes a statement that changes a run and its jobs together, where one of the jobs is someone else's by now.
create function jobs_are_gone() returns integer language plpgsql as $$
begin
  raise exception 'a job of this change is not there any more' using errcode = 'HW018';
end $$;

-- The step journal: what an iteration has already done. A row that is done is never done again.
create table homework_run_steps (
  run_id    uuid not null,
  iteration integer not null,
  key       text not null,
  kind      text not null,
  state     text not null,
  -- Whose claim wrote it.
  fence     bigint not null,
  result    jsonb,
  began_at  timestamptz(3) not null default run_now(),
  ended_at  timestamptz(3),
  primary key (run_id, iteration, key)
);

create function check_step() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when new.key = '' or length(new.key) > 200 then 'a key'
    when new.kind not in ('model', 'tool', 'effect', 'platform') or new.state not in ('intended', 'done', 'uncertain') then 'kind or state'
    when (new.ended_at is null) <> (new.state = 'intended') then 'an end unless it is only intended'
    -- Only what the outside world does can be begun without being known to be done.
    when new.state <> 'done' and new.kind <> 'effect' then 'an effect to be uncertain of'
  end;
  if wrong is not null then raise exception 'step % of run %: it must have %', new.key, new.run_id, wrong using errcode = 'HW016'; end if;
  return new;
end $$;
create trigger check_step before insert or update on homework_run_steps for each row execute function check_step();

-- As the platform: whoever deletes a user may not look here, and the owner of the tables may not either.
create function forget_run() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  delete from homework_run_steps where run_id = old.id;
  delete from homework_run_events where run_id = old.id;
  delete from homework_run_iterations where run_id = old.id;
  return null;
end $$;
create trigger forget_run after delete on homework_runs for each row execute function forget_run();

create table homework_run_checks (
  run_id         uuid not null references homework_runs (id) on delete cascade,
  check_id       text not null,
  position       integer not null,
  deliverable_id text,
  target         jsonb not null,
  given_by       text not null,
  -- The last look at it; null before the first.
  proof          jsonb,
  primary key (run_id, check_id)
) with (fillfactor = 70);

create function check_check() returns trigger language plpgsql as $$
begin
  if new.given_by not in ('user', 'planner', 'platform') then
    raise exception 'check % of run %: nobody called % gives checks', new.check_id, new.run_id, new.given_by using errcode = 'HW017';
  end if;
  return new;
end $$;
create trigger check_check before insert or update of given_by on homework_run_checks for each row execute function check_check();

-- The checks of a run with their proofs, in order. Volatile on purpose: asked while a run is being locked, it looks again
-- after the wait, where a part of the query itself would still show what was there before it.
create function run_checks(of_run uuid) returns json language plpgsql volatile as $$
begin
  return coalesce((select json_agg(json_build_object('id', check_id, 'deliverableId', deliverable_id, 'target', target,
    'givenBy', given_by, 'proof', proof) order by position) from homework_run_checks where run_id = of_run), '[]');
end $$;

-- What the user said to a run. Each is taken up by exactly one iteration.
create table homework_run_signals (
  id                 uuid primary key,
  run_id             uuid not null references homework_runs (id) on delete cascade,
  kind               text not null check (kind in ('steer', 'answer')),
  -- For an answer: the question, and the iteration that asked it.
  question_id        text,
  asked_in           integer,
  text               text not null,
  created_at         timestamptz(6) not null default run_now(),
  consumed_iteration integer,
  constraint answers_name_a_question check ((kind = 'answer') = (question_id is not null and asked_in is not null))
);
create index homework_run_signals_run on homework_run_signals (run_id, consumed_iteration);
create unique index homework_run_signals_once on homework_run_signals (run_id, asked_in, question_id) where kind = 'answer';

-- The ledger: one row per call of a model, written before the call with the most it can cost.
create table llm_usage_logs (
  call_id            uuid primary key,
  run_id             uuid references homework_runs (id) on delete cascade,
  user_id            uuid not null references auth_users (id) on delete cascade,
  chat_session_id    uuid,
  iteration          integer,
  step_key           text,
  fence              bigint,
  role               text not null,
  model              text not null,
  state              text not null check (state in ('reserved', 'settled', 'unknown')),
  reserved_micro_usd bigint not null check (reserved_micro_usd >= 0),
  -- What counts: the real figure, or, where the answer was lost, the whole reservation.
  cost_micro_usd     bigint not null default 0 check (cost_micro_usd >= 0),
  input_tokens       bigint not null default 0 check (input_tokens >= 0),
  output_tokens      bigint not null default 0 check (output_tokens >= 0),
  created_at         timestamptz(3) not null default run_now(),
  settled_at         timestamptz(3),
  constraint settled_unless_reserved check ((settled_at is null) = (state = 'reserved')),
  constraint reserved_costs_nothing_yet check (state <> 'reserved' or (cost_micro_usd, input_tokens, output_tokens) = (0, 0, 0)),
  constraint unknown_costs_all check (state <> 'unknown' or cost_micro_usd = reserved_micro_usd)
);
create index llm_usage_logs_run on llm_usage_logs (run_id, iteration);
create index llm_usage_logs_user on llm_usage_logs (user_id, created_at desc);
create index llm_usage_logs_open on llm_usage_logs (run_id) where state = 'reserved';

-- A row of the ledger is written once and settled once.
create function refuse_usage() returns trigger language plpgsql as $$
begin
  raise exception 'call %: the ledger is settled once', old.call_id using errcode = 'HW013';
end $$;
create trigger settled_once before update on llm_usage_logs for each row
  when (old.state <> 'reserved' or new.call_id <> old.call_id or new.run_id is distinct from old.run_id
     or new.user_id <> old.user_id or new.reserved_micro_usd <> old.reserved_micro_usd)
  execute function refuse_usage();

create table user_notifications (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  run_id     uuid references homework_runs (id) on delete cascade,
  -- Which move of the run it tells of: one notification for each.
  move       integer,
  event      text not null,
  title      text not null,
  message    text not null,
  action_url text not null,
  data       jsonb not null default '{}',
  created_at timestamptz(3) not null default run_now(),
  read_at    timestamptz(3),
  unique (run_id, move)
);
create index user_notifications_user on user_notifications (user_id, created_at desc, id desc);
create index user_notifications_unread on user_notifications (user_id) where read_at is null;

-- Deliveries to the outside (mail, web hooks), written with the notification and made afterwards.
create table notification_outbox (
  notification_id uuid not null references user_notifications (id) on delete cascade,
  channel         text not null,
  state           text not null default 'pending' check (state in ('pending', 'delivered', 'given_up')),
  attempts        integer not null default 0,
  next_at         timestamptz(3) not null default run_now(),
  last_error      text,
  primary key (notification_id, channel)
);
create index notification_outbox_due on notification_outbox (next_at) where state = 'pending';

-- Everything one user's lists and bell have to know, numbered without gaps and in the order of commit.
create table user_feeds (
  user_id  uuid primary key references auth_users (id) on delete cascade,
  last_seq bigint not null default 0
) with (fillfactor = 50);
create table user_feed_events (
  user_id    uuid not null,
  seq        bigint not null,
  type       text not null,
  data       jsonb not null,
  created_at timestamptz(3) not null default run_now(),
  primary key (user_id, seq)
);

-- Without a foreign key, as above: it goes with its user's feed.
create function forget_feed() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  delete from user_feed_events where user_id = old.user_id;
  return null;
end $$;
create trigger forget_feed after delete on user_feeds for each row execute function forget_feed();

-- Every write of a run is inside its scope, whatever code or tool made it: the history is written with each of them.
create function keep_to_scope() returns trigger language plpgsql as $$
begin
  if exists (select from homework_runs r where r.id = new.run_id and r.scope <> 'global'
              and new.project_id <> all (array_remove(r.project_ids || r.workspace_project_id, null))) then
    raise exception 'run %: project % is outside of its scope', new.run_id, new.project_id using errcode = 'HW014';
  end if;
  return new;
end $$;
create trigger keep_to_scope before insert on onto_changes for each row when (new.run_id is not null) execute function keep_to_scope();

-- Row level security: people see what is theirs; the platform alone writes.
do $$
declare t text;
begin
  foreach t in array array['homework_runs', 'homework_run_iterations', 'homework_run_events', 'homework_run_steps',
    'homework_run_checks', 'homework_run_signals', 'llm_usage_logs', 'user_notifications', 'notification_outbox',
    'user_feeds', 'user_feed_events'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy system_all on %I for all to homework_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to homework_system', t);
  end loop;
  foreach t in array array['homework_runs', 'llm_usage_logs', 'user_notifications', 'user_feeds', 'user_feed_events'] loop
    execute format('create policy app_select on %I for select to homework_app using (user_id = app_user_id())', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
  foreach t in array array['homework_run_iterations', 'homework_run_events', 'homework_run_steps', 'homework_run_checks',
    'homework_run_signals'] loop
    execute format('create policy app_select on %I for select to homework_app
                    using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id()))', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
end $$;

revoke all on function forget_run(), forget_feed() from public;
alter function forget_run() owner to homework_system;
alter function forget_feed() owner to homework_system;

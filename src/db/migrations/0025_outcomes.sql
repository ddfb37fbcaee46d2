-- Outcomes: what someone wants, the tasks that lead there, and what HOMЯ saw, did and asked. Whoever changes an outcome or anything
-- below it has its row locked; whoever locks an outcome does it before its user and before any run.

create table outcomes (
  id                 uuid primary key,
  user_id            uuid not null references auth_users (id) on delete cascade,
  name               text not null check (btrim(name) <> ''),
  brief              text not null default '',
  intent             jsonb not null,
  status             text not null check (status in ('active', 'paused', 'dormant', 'achieved', 'archived')),
  project_id         uuid references onto_projects (id) on delete set null,
  engine             run_engine not null,
  work_folder        text,
  models             jsonb,
  write_mode         run_write_mode not null,
  allowed_tools      text[],
  time_zone          text not null,
  workers            integer not null check (workers between 1 and 3),
  run_budget         jsonb not null,
  max_cost_micro_usd bigint check (max_cost_micro_usd >= 0),
  config             jsonb not null,
  auto_resolve       jsonb not null,
  -- -1: a person has said something while a review was under way, which therefore does not count.
  clean_reviews      integer not null default 0 check (clean_reviews >= -1),
  next_number        integer not null default 1 check (next_number >= 1),
  -- Of HOMЯ itself and of the runs on its tasks: sums of the ledger.
  cost_micro_usd     bigint not null default 0 check (cost_micro_usd >= 0),
  tokens             bigint not null default 0 check (tokens >= 0),
  unpriced_calls     integer not null default 0 check (unpriced_calls >= 0),
  -- Counters of HOMЯ, which outlive what was compacted.
  tasks_observed        integer not null default 0,
  discoveries_extracted integer not null default 0,
  escalations_created   integer not null default 0,
  steering_actions      integer not null default 0,
  -- Numbers of its events, without gaps.
  last_seq           bigint not null default 0,
  -- Raised by every edit of a person: an edit names the one it was made against.
  version            integer not null default 1,
  created_at         timestamptz(3) not null default run_now(),
  updated_at         timestamptz(3) not null default run_now(),
  deleted_at         timestamptz(3)
);
create index outcomes_user on outcomes (user_id, updated_at desc, id desc) where deleted_at is null;
create index outcomes_project on outcomes (project_id) where project_id is not null;

-- The approach in all its versions; the newest holds.
create table outcome_designs (
  outcome_id uuid not null references outcomes (id) on delete cascade,
  version    integer not null check (version >= 1),
  text       text not null,
  why        text not null default '',
  made_by    text not null check (made_by in ('user', 'planner', 'homr')),
  created_at timestamptz(3) not null default run_now(),
  primary key (outcome_id, version)
);

create table outcome_tasks (
  id           uuid primary key,
  outcome_id   uuid not null references outcomes (id) on delete cascade,
  number       integer not null check (number >= 1),
  title        text not null check (btrim(title) <> ''),
  description  text not null default '',
  priority     integer not null,
  status       text not null check (status in ('pending', 'running', 'paused', 'completed', 'failed', 'obsolete')),
  gates        jsonb not null default '[]',
  checks       jsonb not null default '[]',
  attempts     integer not null default 0 check (attempts >= 0),
  max_attempts integer not null check (max_attempts >= 1),
  auto_retries_left integer not null default 2 check (auto_retries_left >= 0),
  -- Named before it is there: a run knows its task, and the task its run.
  run_id       uuid references homework_runs (id) on delete set null deferrable initially deferred,
  made_by      text not null check (made_by in ('user', 'planner', 'homr', 'reviewer')),
  why          text,
  corrects     uuid,
  split_of     uuid,
  split_depth  integer not null default 0 check (split_depth >= 0),
  is_tainted   boolean not null default false,
  failures     jsonb not null default '[]',
  checkpoint   jsonb,
  version      integer not null default 1,
  created_at   timestamptz(3) not null default run_now(),
  updated_at   timestamptz(3) not null default run_now(),
  ended_at     timestamptz(3),
  unique (outcome_id, number),
  unique (outcome_id, id),
  -- Nothing reaches beyond its outcome.
  foreign key (outcome_id, corrects) references outcome_tasks (outcome_id, id) on delete set null (corrects) deferrable,
  foreign key (outcome_id, split_of) references outcome_tasks (outcome_id, id) on delete set null (split_of) deferrable,
  constraint attempts_within check (attempts <= max_attempts),
  constraint end_when_over check ((ended_at is not null) = (status in ('completed', 'failed', 'obsolete')))
);
create index outcome_tasks_open on outcome_tasks (outcome_id, priority, number) where status in ('pending', 'running', 'paused', 'failed');
create index outcome_tasks_run on outcome_tasks (run_id) where run_id is not null;

create table outcome_task_dependencies (
  outcome_id uuid not null,
  task_id    uuid not null,
  depends_on uuid not null,
  primary key (task_id, depends_on),
  foreign key (outcome_id, task_id) references outcome_tasks (outcome_id, id) on delete cascade,
  foreign key (outcome_id, depends_on) references outcome_tasks (outcome_id, id) on delete cascade,
  constraint not_on_itself check (task_id <> depends_on)
);
create index outcome_task_dependencies_on on outcome_task_dependencies (depends_on);

-- Every attempt at a task: its run, and what came of it.
create table outcome_task_attempts (
  task_id    uuid not null references outcome_tasks (id) on delete cascade,
  attempt    integer not null check (attempt >= 1),
  run_id     uuid not null references homework_runs (id) on delete cascade deferrable initially deferred,
  state      text not null check (state in ('running', 'completed', 'failed', 'canceled')),
  why        text not null default '',
  -- Whether HOMЯ looked at it; null until it has ended.
  is_observed boolean,
  -- What its run has cost, added to the outcome when it ended.
  cost_micro_usd bigint not null default 0 check (cost_micro_usd >= 0),
  tokens         bigint not null default 0 check (tokens >= 0),
  unpriced_calls integer not null default 0 check (unpriced_calls >= 0),
  started_at timestamptz(3) not null default run_now(),
  ended_at   timestamptz(3),
  primary key (task_id, attempt),
  unique (run_id),
  constraint end_unless_running check ((ended_at is null) = (state = 'running')),
  constraint looked_at_when_ended check ((is_observed is null) = (state = 'running'))
);

-- A run on a task knows it, so that the end of the one is the news of the other.
alter table homework_runs add column outcome_task_id uuid references outcome_tasks (id) on delete set null deferrable;
create index homework_runs_outcome_task on homework_runs (outcome_task_id) where outcome_task_id is not null;

-- A call may be settled after its run has ended and was counted. Whoever settles it has the run locked and may not wait for the
-- outcome, so what it cost lies here until the outcome is locked next.
create table outcome_late_costs (
  id             bigint generated always as identity primary key,
  outcome_id     uuid not null references outcomes (id) on delete cascade,
  cost_micro_usd bigint not null,
  tokens         bigint not null,
  unpriced_calls integer not null
);
create index outcome_late_costs_outcome on outcome_late_costs (outcome_id);

create function keep_late_cost() returns trigger language plpgsql as $$
begin
  with late as (
    update outcome_task_attempts a set cost_micro_usd = new.cost_micro_usd, tokens = new.tokens, unpriced_calls = new.unpriced_calls
     where a.run_id = new.id and a.state <> 'running' returning a.task_id)
  insert into outcome_late_costs (outcome_id, cost_micro_usd, tokens, unpriced_calls)
  select t.outcome_id, new.cost_micro_usd - old.cost_micro_usd, new.tokens - old.tokens, new.unpriced_calls - old.unpriced_calls
    from late join outcome_tasks t on t.id = late.task_id;
  return null;
end $$;
create trigger keep_late_cost after update on homework_runs for each row
  when (new.outcome_task_id is not null and (new.cost_micro_usd, new.tokens, new.unpriced_calls)
    is distinct from (old.cost_micro_usd, old.tokens, old.unpriced_calls))
  execute function keep_late_cost();

-- One piece of HOMЯ's own work with models: an observation, a review, an answer, a draft. It owns entries of the journal and of the
-- ledger, and whoever has the newest fence may write.
create table homr_turns (
  outcome_id     uuid not null references outcomes (id) on delete cascade,
  turn           integer not null check (turn >= 1),
  kind           text not null check (kind in ('observe', 'review', 'resolve', 'draft')),
  -- What it is about: `task:attempt`, an escalation's id, a review's number.
  about          text not null,
  state          text not null check (state in ('running', 'done', 'failed')),
  fence          bigint not null default 0,
  cost_micro_usd bigint not null default 0,
  tokens         bigint not null default 0,
  unpriced_calls integer not null default 0,
  created_at     timestamptz(3) not null default run_now(),
  ended_at       timestamptz(3),
  primary key (outcome_id, turn),
  unique (outcome_id, kind, about),
  constraint end_unless_running check ((ended_at is null) = (state = 'running'))
);

alter table journal_entries
  add column outcome_id uuid,
  add column turn integer,
  add foreign key (outcome_id, turn) references homr_turns (outcome_id, turn) on delete cascade,
  drop constraint entry_has_one_owner,
  add constraint entry_has_one_owner check (num_nonnulls(run_id, chat_session_id, outcome_id) = 1
    and (run_id is null) = (iteration is null) and (chat_session_id is null) = (message_seq is null)
    and (outcome_id is null) = (turn is null));
create unique index journal_entries_turn on journal_entries (outcome_id, turn, key) where outcome_id is not null;
drop policy app_select on journal_entries;
create policy app_select on journal_entries for select to homework_app
  using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id())
      or exists (select from chat_sessions s where s.id = chat_session_id and s.user_id = app_user_id())
      or exists (select from outcomes o where o.id = outcome_id and o.user_id = app_user_id()));

-- Without a reference: the ledger keeps what a deleted outcome has cost.
alter table llm_usage_logs
  add column outcome_id uuid,
  add column turn integer;
create index llm_usage_logs_turn on llm_usage_logs (outcome_id, turn) where outcome_id is not null;

-- One for every attempt that ended, never two.
create table homr_observations (
  id              uuid primary key,
  outcome_id      uuid not null references outcomes (id) on delete cascade,
  task_id         uuid not null,
  attempt         integer not null,
  has_succeeded   boolean not null,
  observed_by     text not null check (observed_by in ('model', 'rules')),
  on_track        boolean not null,
  alignment_score integer not null check (alignment_score between 0 and 100),
  quality         text not null check (quality in ('good', 'needs_work', 'off_rails')),
  drift           jsonb not null default '[]',
  issues          jsonb not null default '[]',
  discoveries     jsonb not null default '[]',
  decisions       jsonb not null default '[]',
  wishes          jsonb not null default '[]',
  ambiguity       jsonb,
  summary         text not null,
  is_tainted      boolean not null,
  -- How many steering actions it was allowed to lead to.
  steering_max    integer not null check (steering_max >= 0),
  -- In the order in which they were made.
  seq             bigint generated always as identity,
  created_at      timestamptz(3) not null default run_now(),
  unique (task_id, attempt),
  foreign key (outcome_id, task_id) references outcome_tasks (outcome_id, id) on delete cascade,
  foreign key (task_id, attempt) references outcome_task_attempts (task_id, attempt) on delete cascade
);
create index homr_observations_newest on homr_observations (outcome_id, seq desc);
create index homr_observations_outcome on homr_observations (outcome_id, created_at desc, id desc);

-- What the tasks know of each other. What was compacted is gone from here and stands in its observation.
create table homr_context_items (
  id             uuid primary key,
  outcome_id     uuid not null references outcomes (id) on delete cascade,
  kind           text not null check (kind in ('discovery', 'decision', 'constraint', 'injection')),
  type           text not null,
  content        text not null,
  source_task_id uuid,
  -- Null: every task.
  audience       uuid[],
  -- What only one kind has: priority, reason, who decided, whether it holds.
  details        jsonb not null default '{}',
  is_tainted     boolean not null,
  -- In the order in which they were made.
  seq            bigint generated always as identity,
  created_at     timestamptz(3) not null default run_now(),
  foreign key (outcome_id, source_task_id) references outcome_tasks (outcome_id, id) on delete set null (source_task_id)
);
create index homr_context_items_outcome on homr_context_items (outcome_id, seq);

-- What a task's prompt said of its outcome, and which items stood in it: one per iteration of its run.
create table homr_briefs (
  run_id     uuid not null,
  iteration  integer not null,
  text       text not null,
  items      uuid[] not null default '{}',
  created_at timestamptz(3) not null default run_now(),
  primary key (run_id, iteration),
  foreign key (run_id, iteration) references homework_run_iterations (run_id, iteration) on delete cascade
);
create index homr_briefs_items on homr_briefs using gin (items);

create table homr_escalations (
  id              uuid primary key,
  outcome_id      uuid not null references outcomes (id) on delete cascade,
  trigger_type    text not null check (trigger_type in ('unclear_requirement', 'multiple_approaches', 'blocking_decision',
    'contradicting_info', 'consecutive_failures', 'declining_quality', 'repeated_drift', 'gate', 'security', 'stuck', 'blocked', 'budget')),
  trigger_task_id uuid,
  observation_id  uuid references homr_observations (id) on delete set null,
  evidence        jsonb not null default '[]',
  question        text not null,
  context         text not null default '',
  options         jsonb not null check (jsonb_array_length(options) between 2 and 4),
  is_whole        boolean not null,
  pauses          boolean not null,
  default_option  text,
  deadline        timestamptz(3),
  is_tainted      boolean not null,
  status          text not null default 'pending' check (status in ('pending', 'pending_confirmation', 'answered', 'dismissed')),
  proposed        jsonb,
  answer_option   text,
  answer_context  text,
  answered_by     text check (answered_by in ('human', 'homr', 'deadline')),
  answered_at     timestamptz(3),
  dismissed_why   text,
  created_at      timestamptz(3) not null default run_now(),
  foreign key (outcome_id, trigger_task_id) references outcome_tasks (outcome_id, id) on delete set null (trigger_task_id),
  constraint deadline_has_a_default check (deadline is null or default_option is not null),
  constraint proposed_while_unconfirmed check (status <> 'pending_confirmation' or proposed is not null),
  constraint answer_when_answered check ((answer_option is not null) = (status = 'answered')),
  constraint end_when_ended check ((answered_at is not null) = (status in ('answered', 'dismissed')))
);
create index homr_escalations_outcome on homr_escalations (outcome_id, created_at desc, id desc);
-- Never the same question twice at a time.
create unique index homr_escalations_open on homr_escalations (outcome_id, trigger_type, trigger_task_id) nulls not distinct
  where status in ('pending', 'pending_confirmation');

create table homr_escalation_tasks (
  escalation_id uuid not null references homr_escalations (id) on delete cascade,
  task_id       uuid not null references outcome_tasks (id) on delete cascade,
  primary key (escalation_id, task_id)
);
create index homr_escalation_tasks_task on homr_escalation_tasks (task_id);

create table homr_activity_log (
  outcome_id uuid not null references outcomes (id) on delete cascade,
  seq        bigint not null check (seq >= 1),
  type       text not null check (type in ('observation', 'steering', 'escalation', 'resolution', 'review', 'supervision')),
  task_id    uuid,
  cause      jsonb not null,
  summary    text not null,
  details    jsonb not null default '{}',
  created_at timestamptz(3) not null default run_now(),
  primary key (outcome_id, seq),
  foreign key (outcome_id, task_id) references outcome_tasks (outcome_id, id) on delete set null (task_id)
);

create table homr_reviews (
  outcome_id uuid not null references outcomes (id) on delete cascade,
  cycle      integer not null check (cycle >= 1),
  findings   jsonb not null default '[]',
  is_clean   boolean not null,
  summary    text not null,
  task_id    uuid references outcome_tasks (id) on delete set null,
  created_at timestamptz(3) not null default run_now(),
  primary key (outcome_id, cycle)
);

-- What a person said to the workers of an outcome.
create table outcome_interventions (
  id         uuid primary key,
  outcome_id uuid not null references outcomes (id) on delete cascade,
  type       text not null check (type in ('add_task', 'redirect', 'pause', 'priority_change')),
  task_id    uuid references outcome_tasks (id) on delete set null,
  message    text not null,
  status     text not null default 'pending' check (status in ('pending', 'acknowledged', 'completed', 'dismissed')),
  created_at timestamptz(3) not null default run_now(),
  updated_at timestamptz(3) not null default run_now()
);
create index outcome_interventions_outcome on outcome_interventions (outcome_id, created_at desc, id desc);

-- The owner's memory across outcomes.
create table homr_memories (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  type       text not null check (type in ('fact', 'pattern', 'preference', 'decision', 'lesson', 'context')),
  importance text not null check (importance in ('low', 'medium', 'high', 'critical')),
  content    text not null check (length(content) between 20 and 2000),
  confidence real not null check (confidence between 0 and 1),
  -- Where it was learnt.
  outcome_id uuid references outcomes (id) on delete set null,
  task_id    uuid references outcome_tasks (id) on delete set null,
  times_used integer not null default 0,
  times_helped integer not null default 0,
  is_tainted boolean not null,
  created_at timestamptz(3) not null default run_now(),
  updated_at timestamptz(3) not null default run_now(),
  search     tsvector generated always as (to_tsvector('simple', content)) stored
);
create unique index homr_memories_once on homr_memories (user_id, md5(lower(content)));
create index homr_memories_search on homr_memories using gin (search);

do $$
declare t text;
begin
  foreach t in array array['outcomes', 'outcome_designs', 'outcome_tasks', 'outcome_task_dependencies', 'outcome_task_attempts',
      'outcome_late_costs', 'homr_turns',
      'homr_observations', 'homr_context_items', 'homr_briefs', 'homr_escalations', 'homr_escalation_tasks', 'homr_activity_log', 'homr_reviews',
      'outcome_interventions', 'homr_memories'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy system_all on %I for all to homework_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to homework_system', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
  foreach t in array array['outcome_designs', 'outcome_tasks', 'outcome_task_dependencies', 'homr_turns', 'homr_observations',
      'homr_context_items', 'homr_escalations', 'homr_activity_log', 'homr_reviews', 'outcome_interventions', 'outcome_late_costs'] loop
    execute format('create policy app_own on %I for select to homework_app
                    using (exists (select from outcomes o where o.id = outcome_id and o.user_id = app_user_id()))', t);
  end loop;
end $$;
create policy app_own on outcomes for select to homework_app using (user_id = app_user_id());
create policy app_own on outcome_task_attempts for select to homework_app
  using (exists (select from outcome_tasks t where t.id = task_id));
create policy app_own on homr_briefs for select to homework_app
  using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id()));
create policy app_own on homr_escalation_tasks for select to homework_app
  using (exists (select from homr_escalations e where e.id = escalation_id));
create policy app_own on homr_memories for all to homework_app using (user_id = app_user_id()) with check (user_id = app_user_id());
grant update, delete on homr_memories to homework_app;

-- Work of HOMЯ: what an ended attempt leads to, questions to models, reviews, deadlines. A worker that dies over it gives it back
-- after ten seconds without a heartbeat, and one that hangs after half an hour.
select homework_queue.create_queue('homework_homr', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 1800, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

-- What the live views of an outcome are told of, numbered without gaps. A log of what HOMЯ did is `homr_activity_log`; this also tells
-- of what people and workers did to its tasks.
alter table outcomes add column event_seq bigint not null default 0;
create table outcome_events (
  outcome_id uuid not null references outcomes (id) on delete cascade,
  seq        bigint not null check (seq >= 1),
  type       text not null,
  data       jsonb not null,
  created_at timestamptz(3) not null default run_now(),
  primary key (outcome_id, seq)
);
alter table outcome_events enable row level security;
alter table outcome_events force row level security;
create policy system_all on outcome_events for all to homework_system using (true) with check (true);
create policy app_own on outcome_events for select to homework_app
  using (exists (select from outcomes o where o.id = outcome_id and o.user_id = app_user_id()));
grant select, insert, update, delete on outcome_events to homework_system;
grant select on outcome_events to homework_app;

-- Questions and ends of outcomes are told, too.
alter table user_notification_preferences drop constraint user_notification_preferences_event_check;
alter table user_notification_preferences add constraint user_notification_preferences_event_check
  check (event in ('waiting_on_user', 'holding', 'completed', 'stopped', 'failed', 'escalation', 'outcome_achieved', 'outcome_stopped'));

-- Search finds outcomes, what HOMЯ asked and what it saw. Of an observation: its summary, drift and discoveries.
alter table outcomes add column search tsvector generated always as (
  setweight(to_tsvector('english', left(name, 1000)), 'A')
  || setweight(to_tsvector('english', left(coalesce(intent->>'summary', '') || ' ' || brief, 20000)), 'C')) stored;
create index outcomes_search on outcomes using gin (search);
alter table homr_escalations add column search tsvector generated always as (
  setweight(to_tsvector('english', left(question, 4000)), 'A') || setweight(to_tsvector('english', left(context, 20000)), 'C')) stored;
create index homr_escalations_search on homr_escalations using gin (search);
alter table homr_observations add column search tsvector generated always as (
  setweight(to_tsvector('english', left(summary, 4000)), 'A')
  || setweight(jsonb_to_tsvector('english', drift, '["string"]') || jsonb_to_tsvector('english', discoveries, '["string"]'), 'C')) stored;
create index homr_observations_search on homr_observations using gin (search);

-- In the caller's own outcomes. A definer function that looks at nobody else's itself, like app_search and for the same reason.
create function app_search_outcomes(typed text, only_project uuid, only_kind text, max_hits integer)
  returns table (kind text, id uuid, outcome_id uuid, outcome_name text, project_id uuid, title text, state_key text,
                 updated_at timestamptz, rank real, headline text)
  language plpgsql stable security definer set search_path = homework, pg_temp as $$
#variable_conflict use_column
declare
  wanted tsquery := search_query(typed);
  own uuid[] := array(select o.id from outcomes o where o.user_id = app_user_id() and o.deleted_at is null
                        and (only_project is null or o.project_id = only_project));
begin
  return query
  with found as (
    (select 'outcome' as kind, o.id, o.id as outcome_id, o.name as title, o.status as state_key, o.updated_at, ts_rank(o.search, wanted) as rank,
            coalesce(o.intent->>'summary', '') || chr(10) || left(o.brief, 20000) as body
       from (select * from outcomes where outcomes.search @@ wanted and outcomes.id = any (own) limit 2000) as o
      where only_kind is null or only_kind = 'outcome' order by rank desc, o.updated_at desc limit max_hits)
    union all
    (select 'escalation', e.id, e.outcome_id, left(e.question, 300), e.status, coalesce(e.answered_at, e.created_at), ts_rank(e.search, wanted) as rank, e.context
       from (select * from homr_escalations h where h.search @@ wanted and h.outcome_id = any (own) limit 2000) as e
      where only_kind is null or only_kind = 'escalation' order by rank desc, e.created_at desc limit max_hits)
    union all
    (select 'observation', v.id, v.outcome_id, left(v.summary, 300), v.quality, v.created_at, ts_rank(v.search, wanted) as rank,
            v.summary || chr(10) || (select coalesce(string_agg(d->>'content', chr(10)), '') from jsonb_array_elements(v.discoveries) as d)
       from (select * from homr_observations h where h.search @@ wanted and h.outcome_id = any (own) limit 2000) as v
      where only_kind is null or only_kind = 'observation' order by rank desc, v.created_at desc limit max_hits)
  ), best as (select * from found order by found.rank desc, found.updated_at desc limit max_hits)
  select b.kind, b.id, b.outcome_id, o.name, o.project_id, b.title, b.state_key, b.updated_at::timestamptz, b.rank,
         ts_headline('english', b.body, wanted,
           'StartSel=' || chr(1) || ',StopSel=' || chr(2) || ',MaxFragments=2,MaxWords=18,MinWords=6,FragmentDelimiter=' || chr(3))
    from best b join outcomes o on o.id = b.outcome_id order by b.rank desc, b.updated_at desc;
end $$;
revoke all on function app_search_outcomes(text, uuid, text, integer) from public;
grant execute on function app_search_outcomes(text, uuid, text, integer) to homework_app;
alter function app_search_outcomes(text, uuid, text, integer) owner to homework_system;

-- The schema of version 34 in one piece: what migrations 1 to 34 made, each function once and in its last form. A database that has
-- them all is taken over as it is. Who may do what stands at the end, for all tables together.

-- People: accounts (better-auth's tables under our names), the audit log, and whose transaction this is. Roles: homework_owner owns,
-- homework_app is a user's transaction, homework_auth signs people in, homework_system is the platform itself. See src/db/roles.ts.

-- The user whose identity the transaction carries; null where none was set (an empty string after a reset).
create function app_user_id() returns uuid language sql stable
  return nullif(current_setting('app.user_id', true), '')::uuid;

-- The run that writes, where one does.
create function app_run_id() returns uuid language sql stable
  return nullif(current_setting('app.run_id', true), '')::uuid;

create table auth_users (
  id             uuid primary key,
  name           text not null,
  email          text not null unique,
  email_verified boolean not null default false,
  image          text,
  role           text not null default 'user' check (role in ('user', 'admin')),
  disabled_at    timestamptz(3),
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  -- Stays the same person after accounts were turned on, whatever address they sign in with then.
  is_local_owner boolean not null default false
);
create unique index auth_users_local_owner on auth_users (is_local_owner) where is_local_owner;

create table auth_sessions (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  token      text not null unique,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index auth_sessions_user on auth_sessions (user_id);

create table auth_accounts (
  id                       uuid primary key,
  user_id                  uuid not null references auth_users (id) on delete cascade,
  account_id               text not null,
  provider_id              text not null,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope                    text,
  -- A salted hash (scrypt), never the password.
  password                 text,
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  unique (provider_id, account_id)
);
create index auth_accounts_user on auth_accounts (user_id);

-- One-time login links; the token is stored hashed.
create table auth_verifications (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index auth_verifications_identifier on auth_verifications (identifier);

create table auth_api_keys (
  id                     uuid primary key,
  config_id              text not null default 'default',
  name                   text,
  start                  text,
  reference_id           uuid not null references auth_users (id) on delete cascade,
  prefix                 text,
  -- A hash of the key; the key itself is shown once and kept nowhere.
  key                    text not null unique,
  refill_interval        integer,
  refill_amount          integer,
  last_refill_at         timestamptz(3),
  enabled                boolean,
  rate_limit_enabled     boolean,
  rate_limit_time_window integer,
  rate_limit_max         integer,
  request_count          integer,
  remaining              integer,
  last_request           timestamptz(3),
  expires_at             timestamptz(3),
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  permissions            text,
  metadata               text
);
create index auth_api_keys_reference on auth_api_keys (reference_id);

-- Privileged actions, append-only: each row's hash covers the row before it, so a changed row is found.
create table audit_log (
  seq      bigint primary key,
  at       timestamptz(3) not null default now(),
  actor_id uuid,
  action   text not null,
  target   text not null,
  details  jsonb not null default '{}',
  previous bytea not null,
  hash     bytea not null
);

create function audit_hash(previous bytea, seq bigint, at timestamptz, actor_id uuid, action text, target text, details jsonb)
  returns bytea language sql immutable
  return sha256(previous || convert_to(jsonb_build_array(
    seq, extract(epoch from at), actor_id, action, target, details)::text, 'UTF8'));

-- Numbers and chains the new row. One writer at a time, so that numbers have no gaps and the chain no forks.
create function audit_chain() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
declare last record;
begin
  perform pg_advisory_xact_lock(hashtextextended('homework.audit_log', 0));
  select seq, hash into last from audit_log order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.at := clock_timestamp();
  new.previous := coalesce(last.hash, '\x00'::bytea);
  new.hash := audit_hash(new.previous, new.seq, new.at, new.actor_id, new.action, new.target, new.details);
  return new;
end $$;

create trigger audit_chain before insert on audit_log for each row execute function audit_chain();

-- The first row that does not fit its neighbours, or null where the whole log holds.
create function audit_first_broken() returns bigint language sql stable security definer set search_path = homework, pg_temp
  begin atomic
    select seq from (
      select seq, hash, previous, audit_hash(previous, seq, at, actor_id, action, target, details) as expected,
             coalesce(lag(hash) over (order by seq), '\x00'::bytea) as expected_previous, row_number() over (order by seq) as n
        from audit_log
    ) rows
    where hash <> expected or previous <> expected_previous or seq <> n
    order by seq limit 1;
  end;

-- Answers to POSTs that create, so that the same Idempotency-Key creates once.
create table idempotency_keys (
  user_id      uuid not null references auth_users (id) on delete cascade,
  key          text not null,
  request_hash text not null,
  status       integer,
  response     jsonb,
  created_at   timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- The user's own things: projects with members, tasks, goals, plans, milestones, documents, the edges between them, and one history of
-- every write, made by triggers so that no code path can forget it.

create table onto_projects (
  id             uuid primary key,
  name           text not null,
  description    text not null default '',
  type_key       text not null default 'project.default',
  state_key      text not null default 'active',
  props          jsonb not null default '{}' check (jsonb_typeof(props) = 'object'),
  version        integer not null default 1,
  created_by     uuid,
  created_by_run uuid,
  updated_by_run uuid,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  deleted_at     timestamptz(3),
  search         tsvector generated always as (
    setweight(to_tsvector('english', left(name, 4000)), 'A') ||
    setweight(to_tsvector('english', left(description, 20000)), 'B')) stored
);
create index onto_projects_search on onto_projects using gin (search);

create table onto_project_members (
  project_id uuid not null references onto_projects (id) on delete cascade,
  user_id    uuid not null references auth_users (id) on delete cascade,
  role       text not null check (role in ('viewer', 'editor', 'owner')),
  added_at   timestamptz(3) not null default now(),
  primary key (project_id, user_id)
);
create index onto_project_members_user on onto_project_members (user_id, project_id);

-- What the current user may look at, change, and govern. Definer functions: the policies of the members' own table use
-- them too, and must not run in circles.
create function app_readable_projects() returns setof uuid language sql stable security definer set search_path = homework, pg_temp
  begin atomic select project_id from onto_project_members where user_id = app_user_id(); end;

create function app_writable_projects() returns setof uuid language sql stable security definer set search_path = homework, pg_temp
  begin atomic select project_id from onto_project_members where user_id = app_user_id() and role in ('editor', 'owner'); end;

create function app_owned_projects() returns setof uuid language sql stable security definer set search_path = homework, pg_temp
  begin atomic select project_id from onto_project_members where user_id = app_user_id() and role = 'owner'; end;

-- While a project is being made, its maker is not a member yet.
create function app_has_members(project uuid) returns boolean language sql stable security definer set search_path = homework, pg_temp
  begin atomic select exists (select 1 from onto_project_members where project_id = project); end;

create function app_made_project(project uuid) returns boolean language sql stable security definer set search_path = homework, pg_temp
  begin atomic select exists (select 1 from onto_projects where id = project and created_by = app_user_id()); end;

-- People one shares a project with.
create function app_known_users() returns setof uuid language sql stable security definer set search_path = homework, pg_temp
  begin atomic
    select them.user_id from onto_project_members me join onto_project_members them using (project_id)
     where me.user_id = app_user_id();
  end;

-- For adding a member by e-mail; only an owner of the project is answered.
create function app_find_user(project uuid, wanted_email text) returns uuid
  language sql stable security definer set search_path = homework, pg_temp
  begin atomic
    select id from auth_users
     where email = lower(wanted_email) and disabled_at is null and project in (select app_owned_projects());
  end;

-- A project never loses its last owner, whoever removes or demotes.
create function keep_an_owner() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  if old.role <> 'owner' or (tg_op = 'UPDATE' and new.role = 'owner') then return null; end if;
  -- Serialised on the project: two owners who remove each other at once must not both succeed.
  perform 1 from onto_projects where id = old.project_id for update;
  if not found then return null; end if;
  if not exists (select 1 from onto_project_members where project_id = old.project_id and role = 'owner') then
    raise exception 'a project keeps at least one owner' using errcode = 'HW002';
  end if;
  return null;
end $$;
create trigger keep_an_owner after update or delete on onto_project_members for each row execute function keep_an_owner();

-- All runs of three characters in a text. Whatever contains a text contains all of its runs too.
create function title_grams(title text) returns text[] language sql immutable strict parallel safe
  return array(select distinct substr(lower(title), at, 3) from generate_series(1, length(lower(title)) - 2) as at);
revoke all on function title_grams(text) from public;
grant execute on function title_grams(text) to homework_app, homework_system;

-- Five tables of one shape. `search` covers the first 150,000 characters: a tsvector holds 1 MB at most.
do $$
declare entity record;
begin
  for entity in select * from (values
    ('onto_tasks', 'task.default', 'todo'), ('onto_goals', 'goal.outcome', 'draft'), ('onto_plans', 'plan.default', 'draft'),
    ('onto_milestones', 'milestone.default', 'pending'), ('onto_documents', 'document.note', 'draft')) as kinds (name, type_key, state_key)
  loop
    execute format($sql$
      create table %1$I (
        id             uuid primary key,
        project_id     uuid not null references onto_projects (id),
        title          text not null check (title <> ''),
        description    text not null default '',
        content        text not null default '',
        type_key       text not null default %2$L,
        state_key      text not null default %3$L,
        props          jsonb not null default '{}' check (jsonb_typeof(props) = 'object'),
        priority       smallint check (priority between 1 and 5),
        due_at         timestamptz(3),
        version        integer not null default 1,
        created_by     uuid,
        created_by_run uuid,
        updated_by_run uuid,
        created_at     timestamptz(3) not null default now(),
        updated_at     timestamptz(3) not null default now(),
        deleted_at     timestamptz(3),
        search         tsvector generated always as (
          setweight(to_tsvector('english', left(title, 4000)), 'A') ||
          setweight(to_tsvector('english', left(description, 20000)), 'B') ||
          setweight(to_tsvector('english', left(content, 150000)), 'C')) stored
      )$sql$, entity.name, entity.type_key, entity.state_key);
    -- One index per order a list can have; the bin is small and needs none of its own.
    execute format('create index on %I (project_id, updated_at desc, id desc) where deleted_at is null', entity.name);
    execute format('create index on %I (project_id, created_at desc, id desc) where deleted_at is null', entity.name);
    execute format('create index on %I (project_id, title, id) where deleted_at is null', entity.name);
    execute format('create index on %I (project_id, state_key, updated_at desc, id desc) where deleted_at is null', entity.name);
    execute format('create index on %I using gin (search)', entity.name);
    execute format('create index %I on %I (created_by)', entity.name || '_created_by', entity.name);
    execute format('create index %I on %I (created_by_run, created_at) where created_by_run is not null', entity.name || '_made', entity.name);
    execute format('create index %I on %I (updated_by_run, created_at) where updated_by_run is not null', entity.name || '_changed', entity.name);
    -- What waits to be sorted in is looked through by every question, so that little may wait.
    execute format('create index %I on %I using gin (title_grams(title)) with (gin_pending_list_limit = 64)
                     where deleted_at is null', entity.name || '_grams', entity.name);
  end loop;
end $$;

-- Of the props only the beginning is indexed: they are the user's to fill, and an index takes no long values.
create index onto_documents_homework on onto_documents
  (left(props->'homework'->>'run_id', 64), left(props->'homework'->>'path', 200)) where props ? 'homework';
create index onto_documents_homework_props on onto_documents using gin ((props->'homework') jsonb_path_ops) where props ? 'homework';

create table onto_edges (
  id             uuid primary key,
  rel            text not null,
  src_kind       text not null,
  src_id         uuid not null,
  src_project_id uuid not null references onto_projects (id),
  dst_kind       text not null,
  dst_id         uuid not null,
  dst_project_id uuid not null references onto_projects (id),
  props          jsonb not null default '{}' check (jsonb_typeof(props) = 'object'),
  version        integer not null default 1,
  created_by     uuid,
  created_by_run uuid,
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now(),
  deleted_at     timestamptz(3),
  check (src_id <> dst_id),
  check (rel <> 'document_has_document'
         or (src_kind = 'document' and dst_kind = 'document' and src_project_id = dst_project_id)),
  constraint kinds_are_known
    check (src_kind in ('task', 'goal', 'plan', 'milestone', 'document') and dst_kind in ('task', 'goal', 'plan', 'milestone', 'document'))
);
create unique index onto_edges_once on onto_edges (src_id, rel, dst_id) where deleted_at is null;
-- A document has at most one place in the tree.
create unique index onto_edges_one_parent on onto_edges (dst_id) where rel = 'document_has_document' and deleted_at is null;
create index onto_edges_src on onto_edges (src_project_id, src_id) where deleted_at is null;
create index onto_edges_dst on onto_edges (dst_project_id, dst_id) where deleted_at is null;
create index onto_edges_run on onto_edges (created_by_run) where created_by_run is not null;

-- The tree of documents stays a tree: no loops, 32 levels at most. Step by step, since recursive queries that were planned for few
-- edges go on reading every edge of a project when there are thousands; a lookup by key stays one. Two moves at once could each be fine and
-- together make a loop: the lock is the one that recording the change takes anyway, taken before anything of the edge is written. Two locks,
-- or this one later, and two moves of one document could wait for each other.
create function keep_document_tree() returns trigger language plpgsql security definer
  set search_path = homework, pg_temp set enable_seqscan = off as $$
declare
  above integer := 1;
  at_id uuid := new.src_id;
  level uuid[] := array[new.dst_id];
  below integer := 1;
begin
  perform 1 from onto_change_counters where project_id = new.src_project_id for no key update;
  if new.rel <> 'document_has_document' or new.deleted_at is not null then return new; end if;
  loop
    if at_id = new.dst_id then raise exception 'a document cannot be below itself' using errcode = 'HW001'; end if;
    select e.src_id into at_id from onto_edges e
     where e.dst_id = at_id and e.rel = 'document_has_document' and e.deleted_at is null and e.id <> new.id;
    exit when not found or above > 32;
    above := above + 1;
  end loop;
  loop
    select array_agg(e.dst_id) into level from onto_edges e
     where e.src_id = any (level) and e.rel = 'document_has_document' and e.deleted_at is null;
    exit when level is null or below > 32;
    below := below + 1;
  end loop;
  if above + below > 32 then raise exception 'documents may be 32 levels deep' using errcode = 'HW003'; end if;
  return new;
end $$;
create trigger keep_document_tree before insert or update on onto_edges for each row execute function keep_document_tree();

-- Every write of the tables above, numbered per project without gaps and in the order of commit: the number is taken
-- from the project's counter, whose row stays locked until the writer commits. `before` is what undo puts back.
create table onto_change_counters (
  project_id uuid primary key references onto_projects (id) on delete cascade,
  last_seq   bigint not null default 0
);

create table onto_changes (
  project_id uuid not null references onto_projects (id) on delete cascade,
  seq        bigint not null,
  at         timestamptz(3) not null default now(),
  op         text not null check (op in ('created', 'updated', 'deleted', 'restored')),
  kind       text not null,
  entity_id  uuid not null,
  title      text not null,
  version    integer,
  before     jsonb,
  actor_id   uuid,
  run_id     uuid,
  -- What it wrote is not there any more: an undo has taken it back. The lines that an undo itself writes are marked as well, so
  -- that what is not marked is, entity by entity, how the row came to be what it is.
  is_undone  boolean not null default false,
  -- Which transaction wrote it: so that one which is still open can tell its own lines from those that others of the same run commit
  -- meanwhile. Unknown for lines from before; numbers of another cluster, after a restore, mean nothing.
  xact       xid8 default pg_current_xact_id(),
  -- Which undo took it back. The last line of each thing is the undo's own: what it found there.
  undo_id    uuid,
  primary key (project_id, seq),
  constraint kind_is_known check (kind in ('project', 'task', 'goal', 'plan', 'milestone', 'document', 'edge'))
);
create index onto_changes_entity on onto_changes (project_id, entity_id, seq desc);
create index onto_changes_run_entity on onto_changes (run_id, entity_id) where run_id is not null;
create index onto_changes_xact on onto_changes (xact) where run_id is not null;
-- Versions that an undo has taken back are not given out again (src/store/project-store.ts).
create index onto_changes_undone on onto_changes (entity_id, version) where is_undone;
-- Who has written a thing, whatever the length of its history.
create index onto_changes_actor on onto_changes (entity_id, actor_id) where op in ('created', 'updated');
create index onto_changes_undo on onto_changes (undo_id) where undo_id is not null;

-- Arguments of the triggers: the kind, the column with the project, the column with the title.
create function record_created() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  if tg_argv[0] = 'project' then
    insert into onto_change_counters (project_id) select id from new_rows;
  end if;
  with written as (
    select to_jsonb(n) as after, (to_jsonb(n) ->> tg_argv[1])::uuid as project_id from new_rows n
  ), counted as (
    update onto_change_counters c set last_seq = last_seq + w.n
      from (select project_id, count(*) as n from written group by 1) w where w.project_id = c.project_id
    returning c.project_id, c.last_seq - w.n as base
  )
  insert into onto_changes (project_id, seq, op, kind, entity_id, title, version, before, actor_id, run_id)
  select project_id, base + row_number() over (partition by project_id order by after ->> 'id'), 'created', tg_argv[0],
         (after ->> 'id')::uuid, left(after ->> tg_argv[2], 4000), (after ->> 'version')::int, null, app_user_id(), app_run_id()
    from written join counted using (project_id);
  perform pg_notify('homework_changes', project_id::text)
     from (select distinct (to_jsonb(n) ->> tg_argv[1]) as project_id from new_rows n) touched;
  return null;
end $$;

create function record_updated() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  with written as (
    select to_jsonb(n) - 'search' as after, to_jsonb(o) - 'search' as previous, (to_jsonb(n) ->> tg_argv[1])::uuid as project_id
      from new_rows n join old_rows o using (id)
  ), counted as (
    update onto_change_counters c set last_seq = last_seq + w.n
      from (select project_id, count(*) as n from written group by 1) w where w.project_id = c.project_id
    returning c.project_id, c.last_seq - w.n as base
  )
  insert into onto_changes (project_id, seq, op, kind, entity_id, title, version, before, actor_id, run_id)
  select project_id, base + row_number() over (partition by project_id order by after ->> 'id'),
         case when previous ->> 'deleted_at' is null and after ->> 'deleted_at' is not null then 'deleted'
              when previous ->> 'deleted_at' is not null and after ->> 'deleted_at' is null then 'restored'
              else 'updated' end,
         tg_argv[0], (after ->> 'id')::uuid, left(after ->> tg_argv[2], 4000), (after ->> 'version')::int, previous, app_user_id(), app_run_id()
    from written join counted using (project_id);
  perform pg_notify('homework_changes', project_id::text)
     from (select distinct (to_jsonb(n) ->> tg_argv[1]) as project_id from new_rows n) touched;
  return null;
end $$;

do $$
declare entity record;
begin
  for entity in select * from (values
    ('onto_projects', 'project', 'id', 'name'), ('onto_tasks', 'task', 'project_id', 'title'),
    ('onto_goals', 'goal', 'project_id', 'title'), ('onto_plans', 'plan', 'project_id', 'title'),
    ('onto_milestones', 'milestone', 'project_id', 'title'), ('onto_documents', 'document', 'project_id', 'title'),
    ('onto_edges', 'edge', 'src_project_id', 'rel')) as kinds (name, kind, project, title)
  loop
    execute format('create trigger record_created after insert on %I referencing new table as new_rows
                    for each statement execute function record_created(%L, %L, %L)', entity.name, entity.kind, entity.project, entity.title);
    execute format('create trigger record_updated after update on %I referencing old table as old_rows new table as new_rows
                    for each statement execute function record_updated(%L, %L, %L)', entity.name, entity.kind, entity.project, entity.title);
  end loop;
end $$;

-- Anything that can be the end of an edge, under one name. Runs with the caller's rights.
create view onto_nodes with (security_invoker = true) as
  select id, 'task' as kind, project_id, title, deleted_at from onto_tasks union all
  select id, 'goal', project_id, title, deleted_at from onto_goals union all
  select id, 'plan', project_id, title, deleted_at from onto_plans union all
  select id, 'milestone', project_id, title, deleted_at from onto_milestones union all
  select id, 'document', project_id, title, deleted_at from onto_documents;

-- Of a document: whether a run keeps it for itself (src/domain/workspace/pages.ts). One a person made is the person's.
create function is_working_note(made_by_run uuid, type_key text) returns boolean language sql immutable
  return made_by_run is not null and type_key in ('document.homework.workspace', 'document.homework.scratchpad',
    'document.homework.branch', 'document.homework.note', 'document.homework.summary', 'document.homework.plan');
grant execute on function is_working_note(uuid, text) to homework_app, homework_system;

-- Runs: a durable loop on one objective, its iterations, events, checks, messages and staged writes. What can be kept right by a
-- constraint is: a worker, a command and a bug all go through the same gate.

-- The clock of leases and running time. One function, so that nothing else has to be believed.
create function run_now() returns timestamptz language sql volatile return clock_timestamp();

-- States are types: a domain is looked at where its column is written, a constraint of the table in every statement that touches
-- the row, and a run's row is written with every step.
create domain run_status as text
  check (value in ('queued', 'running', 'waiting_on_user', 'completed', 'stopped', 'failed', 'canceled'));
create domain run_stop_reason as text check (value in ('max_iterations', 'running_time', 'cost', 'tokens',
  'tool_calls', 'no_progress', 'same_action', 'same_error', 'tool_missing', 'claim_rejected', 'provider_auth', 'provider_quota',
  'monthly_quota', 'provider_faults', 'paused'));
create domain run_engine as text check (value in ('planner', 'agent'));
create domain run_scope as text check (value in ('global', 'project', 'multi_project'));
create domain run_write_mode as text check (value in ('autopilot', 'approve_plan', 'per_write'));
create domain entry_kind as text constraint step_kind_check check (value in ('model', 'tool', 'effect', 'platform'));
create domain entry_state as text constraint step_state_check check (value in ('intended', 'done', 'uncertain'));

-- What every statement looks at or changes comes first, since a row is read from its beginning; what is long or often null
-- comes last. One index for all that is open: every index is opened with every update, also with those that touch no part of it.
create table homework_runs (
  id                    uuid primary key,
  user_id               uuid not null references auth_users (id) on delete cascade,

  -- The lease: whoever has the newest fence may write. Times are the database's.
  fence                 bigint not null default 0,
  last_seq              bigint not null default 0,

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
  unread_messages       integer not null default 0,
  created_at            timestamptz(3) not null default run_now(),
  updated_at            timestamptz(3) not null default run_now(),
  queued_at             timestamptz(6) not null default run_now(),
  has_slot              boolean not null,

  -- The state; `check_run` below says which facts hold in which status.
  status                run_status not null,
  leased_at             timestamptz(3),
  lease_seen_at         timestamptz(3),
  leased_by             text,
  started_at            timestamptz(3),
  ended_at              timestamptz(3),
  hold                  jsonb,
  questions             jsonb,
  proofs                jsonb,
  stop_reason           run_stop_reason,
  detail                text,

  remaining             integer,
  plan                  jsonb not null default '{"steps": []}',
  deliverables          jsonb not null default '[]',
  streaks               jsonb not null,
  guidance              jsonb,
  report                jsonb,

  -- What it was handed over with.
  objective             text not null,
  engine                run_engine not null,
  scope                 run_scope not null,
  project_ids           uuid[] not null default '{}',
  context_type          text not null,
  entity_id             uuid,
  write_mode            run_write_mode not null,
  allowed_tools         text[],
  budgets               jsonb not null,
  chat_session_id       uuid,
  forked_from_run       uuid,
  forked_from_iteration integer,
  workspace_document_id uuid,
  workspace_project_id  uuid,
  unpriced_calls        integer not null default 0,
  -- Models by role; null: what the installation has for each.
  models                jsonb,
  closing               jsonb,
  time_zone             text not null default 'UTC',
  is_judged             boolean not null default true,
  -- How long a provider has made it wait.
  holds                 jsonb,
  -- The furthest it has ever been.
  best                  jsonb,
  -- A change of checks that waits for the user's approval.
  awaited               jsonb,
  -- The last iteration that messages of the user reached.
  heard_in              integer,
  -- Its objective may hold words of strangers: it begins as a run that has read them.
  began_untrusted       boolean not null default false,
  -- A folder of the host that works on it; null: the run has a folder of its own.
  work_folder           text,
  -- A run on a task knows it, so that the end of the one is the news of the other.
  outcome_task_id       uuid,
  -- Null: the first line of the objective.
  title                 text,
  -- Hides a run that has ended; one that goes on is shown whatever this says.
  archived_at           timestamptz(3),
  -- Set once nothing of what the run wrote is left to take back.
  undone_at             timestamptz(3),
  -- By kind, from the report: a list reads no report.
  made                  jsonb generated always as (report->'what_changed'->'counts') stored,
  -- The run that has ended and that this one follows up.
  follows_run_id        uuid,
  -- What its user handed over and others wrote: it is material, and no words of the user's.
  foreign_texts         jsonb not null default '[]'
) with (fillfactor = 70);
create index homework_runs_user on homework_runs (user_id, created_at desc, id desc);
create index homework_runs_open on homework_runs (user_id, queued_at, id) where status in ('queued', 'running');
create index homework_runs_status on homework_runs (user_id, status, created_at desc, id desc);
create index homework_runs_archived on homework_runs (user_id, created_at desc, id desc) where archived_at is not null;
create index homework_runs_ended on homework_runs (user_id, ended_at) where ended_at is not null;
-- For those who delete what is referred to.
create index homework_runs_fork on homework_runs (forked_from_run) where forked_from_run is not null;
create index homework_runs_chat on homework_runs (chat_session_id) where chat_session_id is not null;
create index homework_runs_workspace on homework_runs (workspace_document_id) where workspace_document_id is not null;
create index homework_runs_workspace_project on homework_runs (workspace_project_id) where workspace_project_id is not null;
create index homework_runs_outcome_task on homework_runs (outcome_task_id) where outcome_task_id is not null;
create index homework_runs_follows on homework_runs (follows_run_id, created_at, id) where follows_run_id is not null;

-- Which facts hold in which status, and what no statement may do to a run: lower a number, skip a state, come back from an end. Triggers
-- bound to the columns they speak of, and no constraints: a constraint of the table is read anew in every statement that writes to
-- it, and a run's row is written with every step. After an end only money that was already spent is still written down: its columns
-- are not among these.
create function check_run() returns trigger language plpgsql as $$
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
create trigger check_run before insert or update of objective, engine, scope, project_ids, write_mode, status, iteration, has_slot,
  hold, questions, proofs, stop_reason, detail, ended_at, leased_at, lease_seen_at, attempts, remaining, unread_messages, plan,
  fence, moves, running_ms on homework_runs for each row execute function check_run();

create function check_run_parts() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when length(new.title) not between 1 and 200 then 'a title of 1 to 200 letters'
    when jsonb_typeof(new.foreign_texts) <> 'array' then 'a list of foreign texts'
    when jsonb_typeof(new.models) <> 'object' then 'models by their roles'
    when new.follows_run_id = new.id then 'another run that it follows'
  end;
  if wrong is not null then raise exception 'run %: it must have %', new.id, wrong using errcode = 'HW009'; end if;
  return new;
end $$;
create trigger check_run_parts before insert or update of title, foreign_texts, models, follows_run_id on homework_runs
  for each row execute function check_run_parts();

create table homework_run_iterations (
  run_id            uuid not null references homework_runs (id) on delete cascade,
  iteration         integer not null,
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
  -- The number of the event it began with; null in iterations that are older than this column.
  first_seq         bigint,
  primary key (run_id, iteration),
  constraint numbers_begin_at_one check (iteration >= 1 and attempts >= 1),
  constraint status_is_known check (status in ('running', 'success', 'failed', 'waiting_on_user', 'interrupted')),
  constraint end_when_over check ((ended_at is null) = (status = 'running')),
  constraint decision_when_decided check ((decision is not null) = (status in ('success', 'failed', 'waiting_on_user')))
) with (fillfactor = 70);

create table homework_run_events (
  run_id     uuid not null references homework_runs (id) on delete cascade,
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

create table homework_run_checks (
  run_id         uuid not null references homework_runs (id) on delete cascade,
  check_id       text not null,
  position       integer not null,
  deliverable_id text,
  target         jsonb not null,
  given_by       text not null,
  -- The last look at it; null before the first.
  proof          jsonb,
  primary key (run_id, check_id),
  constraint giver_is_known check (given_by in ('user', 'planner', 'platform'))
) with (fillfactor = 70);

-- The checks of a run with their proofs, in order. Volatile on purpose: asked while a run is being locked, it looks again
-- after the wait, where a part of the query itself would still show what was there before it.
create function run_checks(of_run uuid) returns json language plpgsql volatile as $$
begin
  return coalesce((select json_agg(json_build_object('id', check_id, 'deliverableId', deliverable_id, 'target', target,
    'givenBy', given_by, 'proof', proof) order by position) from homework_run_checks where run_id = of_run), '[]');
end $$;

-- What the user said to a run. Each is taken up by exactly one iteration.
create table homework_run_messages (
  id                 uuid primary key,
  run_id             uuid not null references homework_runs (id) on delete cascade,
  kind               text not null check (kind in ('steer', 'answer')),
  -- For an answer: the question, and the iteration that asked it.
  question_id        text,
  asked_in           integer,
  text               text not null,
  created_at         timestamptz(6) not null default run_now(),
  consumed_iteration integer,
  -- What the user was asked, beside the answer to it.
  question           text,
  constraint answers_name_a_question check ((kind = 'answer') = (question_id is not null and asked_in is not null))
);
create index homework_run_messages_run on homework_run_messages (run_id, consumed_iteration);
create unique index homework_run_messages_once on homework_run_messages (run_id, asked_in, question_id) where kind = 'answer';

-- Writes that wait for their user's word: what a tool would do, as it was tried and taken back, and what was decided about it.
create table homework_run_changes (
  run_id         uuid not null references homework_runs (id) on delete cascade,
  id             uuid not null,
  -- The order in which they are carried out.
  position       integer not null check (position >= 1),
  iteration      integer not null check (iteration >= 1),
  entry_key      text not null check (entry_key <> '' and length(entry_key) <= 200),
  branch_id      text,
  -- Where the ids of what it makes come from: its own entry, or the one it is asked about again for.
  seed_iteration integer not null,
  seed_key       text not null,
  tool           text not null,
  -- Not jsonb: a tool gets its arguments again exactly as it got them, in the same order.
  args           json not null,
  why            text not null,
  changes        jsonb not null check (jsonb_typeof(changes) = 'array' and changes <> '[]'),
  state          text not null check (state in ('pending', 'approved', 'rejected', 'applied', 'drifted')),
  note           text not null,
  staged_at      timestamptz(3) not null default run_now(),
  decided_at     timestamptz(3),
  decided_by     uuid references auth_users (id) on delete set null,
  applied_at     timestamptz(3),
  -- The iteration that was told of a rejection.
  told_in        integer,
  primary key (run_id, id),
  unique (run_id, position),
  unique (run_id, iteration, entry_key),
  constraint decided_unless_pending check ((decided_at is null) = (state = 'pending')),
  constraint applied_when_applied check ((applied_at is null) = (state <> 'applied'))
);
create index homework_run_changes_open on homework_run_changes (run_id, position) where state in ('pending', 'approved');

-- What was shown is what is decided on, and what was decided stays decided.
create function keep_staged_write() returns trigger language plpgsql as $$
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
create trigger keep_staged_write before update on homework_run_changes for each row execute function keep_staged_write();

-- What an undo took back can be restored: the history says which undo took each of its lines back, and what a removed project was,
-- with its members and its history, is kept beside it.
create table homework_run_undos (
  id          uuid primary key default gen_random_uuid(),
  run_id      uuid not null references homework_runs (id) on delete cascade,
  undone_at   timestamptz(3) not null default now(),
  restored_at timestamptz(3),
  -- Where the run kept its pages. No reference: they may be among what went.
  workspace   jsonb not null default '{}' check (jsonb_typeof(workspace) = 'object'),
  projects    jsonb not null default '[]' check (jsonb_typeof(projects) = 'array')
);
create index homework_run_undos_run on homework_run_undos (run_id, undone_at desc) where restored_at is null;
alter table onto_changes add foreign key (undo_id) references homework_run_undos (id) on delete set null;

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

-- The work of agents: the repository that a run was given, the host that has its files, and what became of its branch.
create table homework_run_works (
  run_id      uuid primary key references homework_runs (id) on delete cascade,
  -- The host that has the folder. Another one may take over once this one is gone.
  host        text not null,
  repository  text,
  branch      text not null,
  base_commit text not null,
  state       text not null default 'open' check (state in ('open', 'merged', 'discarded')),
  settled_at  timestamptz(3),
  -- What the guard of files waits for, and what its user has allowed.
  guard       jsonb not null default '{"pending": [], "allowed": []}',
  -- Commits, files and facts, for the report; null before the first iteration has ended.
  record      jsonb,
  diff        text not null default '',
  -- Documents that were made of its files, by path.
  documents   jsonb not null default '{}',
  check ((settled_at is not null) = (state <> 'open'))
);

-- Hosts whose workers can start agents, and when they were last seen.
create table agent_hosts (
  host    text primary key,
  seen_at timestamptz(3) not null default run_now()
);

-- All runs of one, two and three characters in a text, marked with whose it is: what others wrote is never looked through.
-- Whatever contains a text contains all of its runs too. In one pass, as an objective may be long.
create function run_grams(of_user uuid, words text) returns text[] language sql immutable strict parallel safe
  return array(
    select distinct right(of_user::text, 8) || g.gram
      from (select c.c as one, c.c || lead(c.c, 1) over (order by c.at) as two,
                   c.c || lead(c.c, 1) over (order by c.at) || lead(c.c, 2) over (order by c.at) as three
              from string_to_table(words, null) with ordinality as c (c, at)) as grams,
           lateral (values (grams.one), (grams.two), (grams.three)) as g (gram)
     where g.gram is not null);

-- What one asks for: the longest alone, as whoever has them has the shorter ones.
create function run_grams_asked(of_user uuid, words text) returns text[] language sql immutable strict parallel safe
  return array(select gram from unnest(run_grams(of_user, words)) as gram where length(gram) = 8 + least(3, length(words)));
revoke all on function run_grams(uuid, text), run_grams_asked(uuid, text) from public;
grant execute on function run_grams(uuid, text), run_grams_asked(uuid, text) to homework_system;

-- Titles and objectives in lower case, for finding. Beside the runs, as these are written with every step and an index on a text is dear.
create table homework_run_words (
  run_id     uuid primary key references homework_runs (id) on delete cascade,
  user_id    uuid not null references auth_users (id) on delete cascade,
  created_at timestamptz(3) not null,
  words      text not null
);
create index homework_run_words_user on homework_run_words (user_id, created_at desc, run_id desc);
-- What waits to be sorted in is looked through by every question, so that little may wait.
create index homework_run_words_grams on homework_run_words using gin (run_grams(user_id, words)) with (gin_pending_list_limit = 64);
-- Nothing is planned by how often a run of characters comes, and finding that out would take minutes.
alter index homework_run_words_grams alter column 1 set statistics 0;

-- As the platform, like everything that writes a run.
create function keep_run_words() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  insert into homework_run_words (run_id, user_id, created_at, words)
    values (new.id, new.user_id, new.created_at, lower(concat_ws(E'\n', new.title, new.objective)))
    on conflict (run_id) do update set words = excluded.words;
  return null;
end $$;
create trigger keep_run_words after insert or update of objective, title on homework_runs
  for each row execute function keep_run_words();

-- The current user's runs with this in their objective, newest first. A definer function that looks at nobody else's itself:
-- below row level security no index on a text is used. What many runs have in them is found among the newest; what is not is in
-- the index, which would be slow for what many have.
create function app_find_runs(part text, only_statuses text[], before_at timestamptz, before_id uuid, max_hits integer)
  returns setof uuid language plpgsql stable security definer set search_path = homework, pg_temp set enable_seqscan = off as $$
declare
  me uuid := app_user_id();
  wanted text := lower(part);
  asked text[] := run_grams_asked(me, wanted);
  newest uuid[];
begin
  newest := array(
    select n.run_id from (
        select w.run_id, w.created_at, w.words from homework_run_words w
         where w.user_id = me and (w.created_at, w.run_id) < (coalesce(before_at, 'infinity'), coalesce(before_id, me))
         order by w.created_at desc, w.run_id desc limit 2000) as n
     where position(wanted in n.words) > 0 and (only_statuses is null
        or exists (select from homework_runs r where r.id = n.run_id and r.status = any (only_statuses)))
     order by n.created_at desc, n.run_id desc limit max_hits);
  if cardinality(newest) = max_hits then
    return query select unnest(newest);
    return;
  end if;
  return query
    with found as materialized (select w.* from homework_run_words w where run_grams(w.user_id, w.words) @> asked)
    select f.run_id from found f
     where f.user_id = me and position(wanted in f.words) > 0
       and (f.created_at, f.run_id) < (coalesce(before_at, 'infinity'), coalesce(before_id, me)) and (only_statuses is null
        or exists (select from homework_runs r where r.id = f.run_id and r.status = any (only_statuses)))
     order by f.created_at desc, f.run_id desc limit max_hits;
end $$;

-- Conversations with a model about the user's things: messages, the tool calls they want, and what whoever watches has to know. What was
-- shown for confirmation is what is carried out, and what has ended stays as it is: the triggers keep to that.

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
  -- Of an answer: the provider's own message, and the ids it gave its calls.
  said           jsonb,
  -- Goes up with every process that takes the answer to write it; only the newest one writes.
  fence          bigint not null default 0 check (fence >= 0),
  -- What its user handed over and others wrote.
  foreign_texts  jsonb not null default '[]' check (jsonb_typeof(foreign_texts) = 'array'),
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
  deleted_at         timestamptz(3),
  -- Numbers of `outcome_events`, without gaps.
  event_seq          bigint not null default 0,
  search             tsvector generated always as (
    setweight(to_tsvector('english', left(name, 1000)), 'A')
    || setweight(to_tsvector('english', left(coalesce(intent->>'summary', '') || ' ' || brief, 20000)), 'C')) stored
);
create index outcomes_user on outcomes (user_id, updated_at desc, id desc) where deleted_at is null;
create index outcomes_project on outcomes (project_id) where project_id is not null;
create index outcomes_search on outcomes using gin (search);

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

-- Runs refer to runs, conversations, documents and tasks. Deferrable where tables refer to each other in a circle, so that a dump can be
-- restored. A workspace is named before it is written, since what a run writes has to be in its scope (keep_to_scope): that is looked
-- at when the transaction ends.
alter table homework_runs
  add foreign key (forked_from_run) references homework_runs (id) on delete set null deferrable,
  add foreign key (follows_run_id) references homework_runs (id) on delete set null deferrable,
  add foreign key (chat_session_id) references chat_sessions (id) on delete set null deferrable,
  add foreign key (workspace_document_id) references onto_documents (id) on delete set null deferrable initially deferred,
  add foreign key (workspace_project_id) references onto_projects (id) on delete set null deferrable initially deferred,
  add foreign key (outcome_task_id) references outcome_tasks (id) on delete set null deferrable;

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
create trigger keep_late_cost after update of cost_micro_usd, tokens, unpriced_calls on homework_runs for each row
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
  -- Its summary, drift and discoveries.
  search          tsvector generated always as (
    setweight(to_tsvector('english', left(summary, 4000)), 'A')
    || setweight(jsonb_to_tsvector('english', drift, '["string"]') || jsonb_to_tsvector('english', discoveries, '["string"]'), 'C')) stored,
  unique (task_id, attempt),
  foreign key (outcome_id, task_id) references outcome_tasks (outcome_id, id) on delete cascade,
  foreign key (task_id, attempt) references outcome_task_attempts (task_id, attempt) on delete cascade
);
create index homr_observations_newest on homr_observations (outcome_id, seq desc);
create index homr_observations_outcome on homr_observations (outcome_id, created_at desc, id desc);
create index homr_observations_search on homr_observations using gin (search);

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
  search          tsvector generated always as (
    setweight(to_tsvector('english', left(question, 4000)), 'A') || setweight(to_tsvector('english', left(context, 20000)), 'C')) stored,
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
create index homr_escalations_search on homr_escalations using gin (search);

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

-- What the live views of an outcome are told of, numbered without gaps. A log of what HOMЯ did is `homr_activity_log`; this also tells
-- of what people and workers did to its tasks.
create table outcome_events (
  outcome_id uuid not null references outcomes (id) on delete cascade,
  seq        bigint not null check (seq >= 1),
  type       text not null,
  data       jsonb not null,
  created_at timestamptz(3) not null default run_now(),
  primary key (outcome_id, seq)
);

-- One journal and one ledger for everything that asks models: an entry belongs to an iteration of a run, to an answer of a conversation or
-- to a turn of HOMЯ. A server that dies in the middle leaves its entries, and the next one goes on from them.

-- What was already done. An entry that is done is never done again.
create table journal_entries (
  run_id          uuid,
  iteration       integer,
  key             text not null,
  kind            entry_kind not null,
  state           entry_state not null,
  -- Whose lease wrote it.
  fence           bigint not null,
  result          jsonb,
  began_at        timestamptz(3) not null default run_now(),
  ended_at        timestamptz(3),
  -- Who did it: planner, exec:1, judge, platform. An executor's title is what it was sent to do.
  lane            text not null default 'planner' constraint homework_run_steps_lane_check check (length(lane) between 1 and 80),
  lane_title      text,
  tool            text,
  -- In words, for people.
  did             text not null default '',
  args            jsonb,
  error           text,
  chat_session_id uuid,
  message_seq     integer,
  -- Of an effect that goes on without us: how another attempt finds it.
  handle          jsonb check (handle is null or kind = 'effect'),
  outcome_id      uuid,
  turn            integer,
  foreign key (run_id, iteration) references homework_run_iterations (run_id, iteration) on delete cascade,
  foreign key (chat_session_id, message_seq) references chat_messages (session_id, seq) on delete cascade,
  foreign key (outcome_id, turn) references homr_turns (outcome_id, turn) on delete cascade,
  constraint key_is_bounded check (length(key) between 1 and 200),
  constraint entry_has_one_owner check (num_nonnulls(run_id, chat_session_id, outcome_id) = 1
    and (run_id is null) = (iteration is null) and (chat_session_id is null) = (message_seq is null)
    and (outcome_id is null) = (turn is null)),
  constraint end_unless_intended check ((ended_at is null) = (state = 'intended')),
  -- Only what the outside world does can be begun without being known to be done.
  constraint only_effects_are_uncertain check (state = 'done' or kind = 'effect')
);
create unique index journal_entries_run on journal_entries (run_id, iteration, key) where run_id is not null;
create unique index journal_entries_chat on journal_entries (chat_session_id, message_seq, key) where chat_session_id is not null;
create unique index journal_entries_turn on journal_entries (outcome_id, turn, key) where outcome_id is not null;
-- The memory that the last iteration left behind, as quick as it is however old the run is.
create index journal_entries_memory on journal_entries (run_id, iteration) where key = 'memory';

-- The ledger: one row per call of a model, written before the call with the most it can cost.
create table llm_usage_logs (
  call_id            uuid primary key,
  run_id             uuid references homework_runs (id) on delete cascade,
  user_id            uuid not null references auth_users (id) on delete cascade,
  chat_session_id    uuid,
  iteration          integer,
  entry_key          text,
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
  -- How we know what it cost: by the provider, by our table, free, or not at all (unpriced is not 0).
  priced_by          text check (priced_by in ('provider', 'table', 'free', 'unpriced', 'reservation')),
  -- When it began nobody knew its price: one that is lost is not taken for a free one.
  is_unpriced        boolean not null default false,
  lane               text,
  lane_title         text,
  -- Why a call brought no answer.
  error              text,
  -- Parts of input_tokens: read from the provider's cache, and written to it.
  cached_tokens      bigint not null default 0 check (cached_tokens >= 0),
  written_tokens     bigint not null default 0 check (written_tokens >= 0),
  -- How many messages of the user the prompt contained: all up to this one.
  messages           integer not null default 0 check (messages >= 0),
  -- Of a conversation: the answer that it was made for.
  message_seq        integer,
  -- Without a reference: the ledger keeps what a deleted outcome has cost.
  outcome_id         uuid,
  turn               integer,
  constraint settled_unless_reserved check ((settled_at is null) = (state = 'reserved')),
  constraint reserved_costs_nothing_yet check (state <> 'reserved' or (cost_micro_usd, input_tokens, output_tokens) = (0, 0, 0)),
  constraint unknown_costs_all check (state <> 'unknown' or cost_micro_usd = reserved_micro_usd),
  constraint priced_when_settled check ((priced_by is null) = (state = 'reserved'))
);
create index llm_usage_logs_run on llm_usage_logs (run_id, iteration);
create index llm_usage_logs_user on llm_usage_logs (user_id, created_at desc);
create index llm_usage_logs_open on llm_usage_logs (run_id) where state = 'reserved';
create index llm_usage_logs_model on llm_usage_logs (run_id, model, role);
create index llm_usage_logs_chat on llm_usage_logs (chat_session_id, message_seq) where chat_session_id is not null;
create index llm_usage_logs_turn on llm_usage_logs (outcome_id, turn) where outcome_id is not null;
create index llm_usage_logs_open_chat on llm_usage_logs (created_at) where state = 'reserved' and run_id is null;

-- A row of the ledger is written once and settled once.
create function refuse_usage() returns trigger language plpgsql as $$
begin
  raise exception 'call %: the ledger is settled once', old.call_id using errcode = 'HW013';
end $$;
create trigger settled_once before update on llm_usage_logs for each row
  when (old.state <> 'reserved' or new.call_id <> old.call_id or new.run_id is distinct from old.run_id
     or new.user_id <> old.user_id or new.reserved_micro_usd <> old.reserved_micro_usd)
  execute function refuse_usage();

-- What each person may use. The row without a person is for everyone; null there is no limit, null in a person's row is what holds for
-- everyone. Without rows, as in a local installation, there are no limits.

create table user_quotas (
  user_id           uuid unique nulls not distinct references auth_users (id) on delete cascade,
  -- All calls of models in a calendar month (UTC).
  monthly_micro_usd bigint check (monthly_micro_usd >= 0),
  -- The cost limit of a run that names none.
  run_micro_usd     bigint check (run_micro_usd > 0),
  -- Models that may be named for a run, besides those of the installation.
  models            text[],
  runs_at_once      integer check (runs_at_once > 0),
  updated_at        timestamptz(3) not null default now(),
  -- How much text they may keep.
  storage_bytes     bigint check (storage_bytes >= 0)
);

create function quota_of(who uuid)
  returns table (monthly_micro_usd bigint, run_micro_usd bigint, models text[], runs_at_once integer, storage_bytes bigint)
  language sql stable set search_path = homework, pg_temp
  begin atomic
    select coalesce(own.monthly_micro_usd, everyone.monthly_micro_usd), coalesce(own.run_micro_usd, everyone.run_micro_usd),
           coalesce(own.models, everyone.models), coalesce(own.runs_at_once, everyone.runs_at_once),
           coalesce(own.storage_bytes, everyone.storage_bytes)
      from (select 1) as one
      left join user_quotas own on own.user_id = who
      left join user_quotas everyone on everyone.user_id is null;
  end;

-- What has been spent and reserved in this calendar month.
create function spent_this_month(who uuid) returns bigint language sql stable set search_path = homework, pg_temp
  begin atomic
    select coalesce(sum(case when state = 'reserved' then reserved_micro_usd else cost_micro_usd end), 0)::bigint
      from llm_usage_logs
     where user_id = who and created_at >= date_trunc('month', run_now() at time zone 'UTC') at time zone 'UTC';
  end;

-- Why a call of a model must not be made in someone's name; null where it may. Volatile: what it counts, it counts after the wait for
-- the lock, so that of two calls at once the second one sees the first.
create function refuse_call(who uuid, amount bigint, is_unpriced boolean) returns text
  language plpgsql volatile set search_path = homework, pg_temp as $$
declare most bigint;
begin
  if exists (select from auth_users where id = who and disabled_at is not null) then return 'disabled'; end if;
  select q.monthly_micro_usd into most from quota_of(who) q;
  if most is null then return null; end if;
  if is_unpriced then return 'unpriced'; end if;
  perform pg_advisory_xact_lock(hashtextextended('homework.quota.' || who, 0));
  if spent_this_month(who) + amount > most then return 'monthly_quota'; end if;
  return null;
end $$;

-- How much text a person keeps: titles, descriptions and texts of what they made, also of what lies in the bin. Working notes of runs do
-- not count, so that a run can end in good order. It is looked at after a write and without a lock: what is written at the same moment
-- may cross the limit together, once.
create function text_size(title text, description text, content text) returns bigint language sql immutable
  return octet_length(title)::bigint + octet_length(description) + octet_length(content);

create function storage_of(who uuid) returns bigint language sql stable set search_path = homework, pg_temp
  begin atomic
    select coalesce(sum(size), 0)::bigint from (
      select text_size(title, description, content) as size from onto_tasks where created_by = who
      union all select text_size(title, description, content) from onto_goals where created_by = who
      union all select text_size(title, description, content) from onto_plans where created_by = who
      union all select text_size(title, description, content) from onto_milestones where created_by = who
      union all select text_size(title, description, content) from onto_documents
        where created_by = who and not is_working_note(created_by_run, type_key)) as kept;
  end;

-- One's own, also in projects that one has left.
create function app_storage() returns bigint language sql stable security definer set search_path = homework, pg_temp
  return storage_of(app_user_id());

create function keep_within_storage() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
declare most bigint;
begin
  if new.created_by is null or is_working_note(new.created_by_run, new.type_key) then return null; end if;
  if tg_op = 'UPDATE' then
    if text_size(new.title, new.description, new.content) <= text_size(old.title, old.description, old.content) then return null; end if;
  end if;
  select q.storage_bytes into most from quota_of(new.created_by) q;
  if most is null or storage_of(new.created_by) <= most then return null; end if;
  raise exception 'no room is left for what % makes', new.created_by using errcode = 'HW050';
end $$;
create trigger keep_within_storage after insert or update on onto_tasks for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_goals for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_plans for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_milestones for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_documents for each row execute function keep_within_storage();

-- What its user is told: notifications, the bell, and channels that carry them outside.

create table user_notifications (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  run_id     uuid references homework_runs (id) on delete cascade,
  event      text not null,
  title      text not null,
  message    text not null,
  action_url text not null,
  data       jsonb not null default '{}',
  created_at timestamptz(3) not null default run_now(),
  read_at    timestamptz(3),
  -- The thing that it tells of, as kind:id.
  about      text not null,
  -- How often: each time the row says something else and is unread again.
  told       integer not null default 1 check (told > 0),
  constraint user_notifications_about_one_thing unique (user_id, about),
  constraint user_notifications_about_check check (about ~ '^[a-z_]+:.+$' and length(about) <= 200),
  constraint user_notifications_run_check check ((about like 'run:%') = (run_id is not null) and about = coalesce('run:' || run_id, about)),
  -- It leads to a page of ours, never to another site.
  constraint user_notifications_action_url_check check (action_url ~ '^/($|[^/\\])' and length(action_url) <= 2000)
);
create index user_notifications_user on user_notifications (user_id, created_at desc, id desc);
create index user_notifications_unread on user_notifications (user_id) where read_at is null;
create index user_notifications_run on user_notifications (run_id);

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

-- What is not here is the default: told in every way.
create table user_notification_preferences (
  user_id uuid not null references auth_users (id) on delete cascade,
  event   text not null check (event in ('waiting_on_user', 'holding', 'completed', 'stopped', 'failed',
            'escalation', 'outcome_achieved', 'outcome_stopped')),
  -- False: it stands in the history as read.
  in_app  boolean not null,
  browser boolean not null,
  primary key (user_id, event)
);

-- Everything one user's lists and bell have to know, numbered without gaps and in the order of commit.
create table user_feeds (
  user_id  uuid primary key references auth_users (id) on delete cascade,
  last_seq bigint not null default 0
) with (fillfactor = 50);
create table user_feed_events (
  user_id    uuid not null references user_feeds (user_id) on delete cascade,
  seq        bigint not null,
  type       text not null,
  data       jsonb not null,
  created_at timestamptz(3) not null default run_now(),
  primary key (user_id, seq)
);

-- A visit goes on while its user is seen from time to time.
create table user_visits (
  user_id uuid primary key references auth_users (id) on delete cascade,
  seen_at timestamptz(3) not null,
  -- When the visit before this one ended; null in the first.
  since   timestamptz(3)
);

-- Channels: further ways in which notifications reach their user. A webhook gets each of them as a signed request, a linked Telegram chat
-- as a message that can be answered there. A delivery is written with its notification and made by a job.
create table user_channels (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  kind       text not null check (kind in ('webhook', 'telegram')),
  name       text not null check (length(name) between 1 and 100),
  events     text[] not null check (cardinality(events) > 0
               and events <@ array['waiting_on_user', 'holding', 'completed', 'stopped', 'failed',
                 'escalation', 'outcome_achieved', 'outcome_stopped']),
  is_on      boolean not null default true,
  -- Why the platform switched it off; null where its user did.
  off_reason text,
  url        text check (length(url) <= 2000),
  -- Telegram: the bot and the private chat with it. A chat belongs to one user.
  bot_id     bigint,
  chat_id    bigint,
  created_at timestamptz(3) not null default run_now(),
  unique (bot_id, chat_id),
  check ((kind = 'webhook') = (url is not null)),
  check ((kind = 'telegram') = (bot_id is not null) and (kind = 'telegram') = (chat_id is not null)),
  check (off_reason is null or not is_on)
);
create index user_channels_user on user_channels (user_id, created_at);

-- What webhooks are signed with. For a day after a new one was made, the one before signs as well.
create table channel_secrets (
  channel_id uuid not null references user_channels (id) on delete cascade,
  secret     text not null check (secret ~ '^whsec_.+$'),
  made_at    timestamptz(3) not null default run_now(),
  -- Null: the newest one.
  ends_at    timestamptz(3),
  primary key (channel_id, secret)
);
create unique index channel_secrets_newest on channel_secrets (channel_id) where ends_at is null;

create table channel_deliveries (
  -- The receiver sees it, the same with every try.
  id              uuid primary key,
  channel_id      uuid not null references user_channels (id) on delete cascade,
  -- Null: its user is trying the channel out.
  notification_id uuid references user_notifications (id) on delete cascade,
  -- Which telling of the notification, since its row says something else the next time.
  told            integer,
  event           text not null,
  -- What is told, as it was.
  payload         jsonb not null,
  state           text not null default 'pending' check (state in ('pending', 'delivered', 'given_up', 'dropped')),
  attempts        integer not null default 0 check (attempts >= 0),
  next_at         timestamptz(3) not null default run_now(),
  -- The HTTP status of the last answer, if there was one.
  last_status     integer,
  last_error      text,
  -- Telegram's number of the message, by which a reply is known.
  message_id      bigint,
  -- Answers that were given in the chat so far, where it asks several questions.
  answers         jsonb not null default '[]',
  created_at      timestamptz(3) not null default run_now(),
  ended_at        timestamptz(3),
  unique (channel_id, notification_id, told),
  check ((notification_id is null) = (told is null)),
  check ((ended_at is null) = (state = 'pending'))
);
create index channel_deliveries_newest on channel_deliveries (channel_id, created_at desc, id desc);
create index channel_deliveries_message on channel_deliveries (channel_id, message_id) where message_id is not null;
create index channel_deliveries_notification on channel_deliveries (notification_id);

-- By which a chat proves whose it is: once, for a quarter of an hour. One for each user.
create table telegram_links (
  user_id    uuid primary key references auth_users (id) on delete cascade,
  code_hash  text not null unique,
  expires_at timestamptz(3) not null
);

-- How far the updates of a bot were taken. The number moves in the transaction that carries an update out.
create table telegram_bots (
  bot_id      bigint primary key,
  username    text not null,
  next_update bigint not null default 0,
  taken_at    timestamptz(3),
  heard_at    timestamptz(3),
  failed_at   timestamptz(3),
  last_error  text
);

-- Full-text search over everything the current user may see. Definer functions that check membership themselves: under row level
-- security PostgreSQL may not use an index on a text, because the match operator is not leakproof.

-- What someone typed, as a query: the web's operators ("…", or, -) where they are used, else also the last word as a
-- beginning, so that results appear while one types.
create function search_query(typed text) returns tsquery language sql immutable
  return websearch_to_tsquery('english', typed) || case
    when typed ~ '["-]|\mor\M' or typed !~ '[[:alnum:]]' then ''::tsquery
    else to_tsquery('english', (
      select string_agg(word, ' & ' order by at) || ':*'
        from regexp_matches(left(typed, 400), '[[:alnum:]]+', 'g') with ordinality as found (words, at), unnest(words) as word))
  end;

-- The text a snippet is cut from: description and the beginning of the content.
create function app_search_text(wanted_kind text, wanted uuid) returns text language plpgsql stable set search_path = homework, pg_temp as $$
declare body text;
begin
  if wanted_kind = 'project' then
    select description into body from onto_projects where id = wanted;
  else
    execute format('select description || chr(10) || left(content, 100000) from %I where id = $1',
      case wanted_kind when 'task' then 'onto_tasks' when 'goal' then 'onto_goals' when 'plan' then 'onto_plans'
                       when 'milestone' then 'onto_milestones' else 'onto_documents' end) into body using wanted;
  end if;
  return body;
end $$;

-- Headlines are made of a passage, not of a whole text: the time that ts_headline takes grows with the square of the matches. Around the
-- first of the words that were typed, as far as that can be told without taking the text apart.
create function search_passage(body text, typed text) returns text language sql immutable
  return substr(body, greatest(1, position(lower(left(coalesce(substring(typed from '\w{3,}'), typed), 6)) in lower(left(body, 100000))) - 500), 4000);
revoke all on function search_passage(text, text) from public;
grant execute on function search_passage(text, text) to homework_system;

-- Ranks at most 2,000 matches of each kind, so that a common word in a large collection stays quick. If wanted, only in what a run of the
-- caller's own wrote and nobody took back; with working notes only where they are wanted.
create function app_search(typed text, only_project uuid, only_kind text, only_run uuid, with_notes boolean, max_hits integer)
  returns table (kind text, id uuid, project_id uuid, project_name text, title text, state_key text, updated_at timestamptz,
                 rank real, headline text)
  language plpgsql stable security definer set search_path = homework, pg_temp as $$
declare
  wanted tsquery := search_query(typed);
  projects uuid[] := array(select p.id from onto_projects p
                            where p.id in (select app_readable_projects()) and p.deleted_at is null
                              and (only_project is null or p.id = only_project));
  own uuid[] := array(select distinct c.entity_id from onto_changes c join homework_runs r on r.id = c.run_id
                       where c.run_id = only_run and r.user_id = app_user_id() and not c.is_undone);
  parts text[] := '{}';
  entity record;
begin
  for entity in select * from (values
    ('project', 'onto_projects', 'id', 'name', 'description'),
    ('task', 'onto_tasks', 'project_id', 'title', 'content'), ('goal', 'onto_goals', 'project_id', 'title', 'content'),
    ('plan', 'onto_plans', 'project_id', 'title', 'content'), ('milestone', 'onto_milestones', 'project_id', 'title', 'content'),
    ('document', 'onto_documents', 'project_id', 'title', 'content')) as kinds (kind, name, project, title, content)
  loop
    continue when only_kind is not null and only_kind <> entity.kind;
    parts := parts || format(
      '(select %L as kind, id, %I as project_id, %I as title, state_key, updated_at, ts_rank(search, $1) as rank
          from (select * from %I where search @@ $1 and deleted_at is null and %I = any ($2) %s %s limit 2000) found
         order by rank desc, updated_at desc limit $3)',
      entity.kind, entity.project, entity.title, entity.name, entity.project,
      case when only_run is null then '' else 'and id = any ($4)' end,
      case when with_notes or entity.kind <> 'document' then '' else 'and not is_working_note(created_by_run, type_key)' end);
  end loop;
  return query execute format(
    'with best as (select * from (%s) found order by rank desc, updated_at desc limit $3)
     select b.kind, b.id, b.project_id, p.name, b.title, b.state_key, b.updated_at::timestamptz, b.rank,
            ts_headline(''english'', search_passage(app_search_text(b.kind, b.id), $5), $1,
              ''StartSel='' || chr(1) || '',StopSel='' || chr(2) || '',MaxFragments=2,MaxWords=18,MinWords=6,FragmentDelimiter='' || chr(3))
       from best b join onto_projects p on p.id = b.project_id order by b.rank desc, b.updated_at desc',
    array_to_string(parts, ' union all ')) using wanted, projects, max_hits, own, typed;
end $$;

-- In the caller's own outcomes.
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
         ts_headline('english', search_passage(b.body, typed), wanted,
           'StartSel=' || chr(1) || ',StopSel=' || chr(2) || ',MaxFragments=2,MaxWords=18,MinWords=6,FragmentDelimiter=' || chr(3))
    from best b join outcomes o on o.id = b.outcome_id order by b.rank desc, b.updated_at desc;
end $$;

-- Those with this in their title that the current user may see: of these projects (null: of all), and what the run made or
-- changed anywhere. A definer function that checks membership itself, like app_search and for the same reason.
create function app_titled(wanted_kind text, part text, only_projects uuid[], own_run uuid, not_types text[], max_hits integer)
  returns setof uuid language plpgsql stable security definer set search_path = homework, pg_temp as $$
declare
  readable uuid[] := array(select app_readable_projects());
begin
  return query execute format(
    'select id from (
       select id, coalesce(created_by_run = $4 or updated_by_run = $4, false) as is_own, updated_at from %I
        where title_grams(title) @> $1 and position($2 in lower(title)) > 0 and deleted_at is null
          and type_key <> all ($6) and project_id = any ($3)
          and ($5 is null or project_id = any ($5) or created_by_run = $4 or updated_by_run = $4)
        limit 2000) found
      order by is_own desc, updated_at desc limit $7',
    case wanted_kind when 'task' then 'onto_tasks' when 'goal' then 'onto_goals' when 'plan' then 'onto_plans'
                     when 'milestone' then 'onto_milestones' when 'document' then 'onto_documents' end)
    using title_grams(part), lower(part), readable, own_run, only_projects, not_types, max_hits;
end $$;

-- The job queue of pg-boss 12.35.0, as its own getConstructionPlans() prints it (schema version 43). A newer pg-boss that changes its
-- schema brings a migration of its own; a test compares this with the library.

    CREATE TYPE homework_queue.job_state AS ENUM (
      'created',
      'retry',
      'active',
      'completed',
      'cancelled',
      'failed'
    )
  ;
    CREATE FUNCTION homework_queue.job_now()
    RETURNS timestamp with time zone AS
    $$
      SELECT pg_catalog.now();
    $$
    LANGUAGE sql STABLE;
  ;
    CREATE TABLE homework_queue.version (
      version int primary key,
      cron_on timestamp with time zone,
      bam_on timestamp with time zone,
      flow_on timestamp with time zone,
      reindex_on timestamp with time zone,
      monitor_backoff_on timestamp with time zone
    )
  ;
    CREATE TABLE homework_queue.queue (
      name text NOT NULL,
      policy text NOT NULL,
      retry_limit int NOT NULL,
      retry_delay int NOT NULL,
      retry_backoff bool NOT NULL,
      retry_delay_max int,
      expire_seconds int NOT NULL,
      retention_seconds int NOT NULL,
      deletion_seconds int NOT NULL,
      dead_letter text REFERENCES homework_queue.queue (name) CHECK (dead_letter IS DISTINCT FROM name),
      partition bool NOT NULL,
      table_name text NOT NULL,
      deferred_count int NOT NULL default 0,
      queued_count int NOT NULL default 0,
      ready_count int NOT NULL default 0,
      warning_queued int NOT NULL default 0,
      active_count int NOT NULL default 0,
      failed_count int NOT NULL default 0,
      total_count int NOT NULL default 0,
      created_delta int NOT NULL default 0,
      completed_delta int NOT NULL default 0,
      failed_delta int NOT NULL default 0,
      delta_on timestamp with time zone,
      delta_seconds int,
      ready_history int[] NOT NULL default '{}',
      heartbeat_seconds int,
      notify bool NOT NULL DEFAULT false,
      singletons_active text[],
      monitor_claim_on timestamp with time zone,
      monitor_on timestamp with time zone,
      maintain_on timestamp with time zone,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      PRIMARY KEY (name)
    )
  ;
    CREATE TABLE homework_queue.schedule (
      name text REFERENCES homework_queue.queue ON DELETE CASCADE,
      key text not null DEFAULT '',
      kind text not null DEFAULT 'cron' CHECK (kind IN ('cron', 'rrule')),
      cron text not null,
      timezone text DEFAULT 'UTC',
      data jsonb,
      options jsonb,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      last_job_id uuid,
      PRIMARY KEY (name, key)
    )
  ;
    CREATE TABLE homework_queue.subscription (
      event text not null,
      name text not null REFERENCES homework_queue.queue ON DELETE CASCADE,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      PRIMARY KEY(event, name)
    )
  ;
    CREATE TABLE homework_queue.bam (
      id uuid PRIMARY KEY default gen_random_uuid(),
      name text NOT NULL,
      version int NOT NULL,
      status text NOT NULL DEFAULT 'pending',
      queue text,
      table_name text NOT NULL,
      command text NOT NULL,
      error text,
      created_on timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
      started_on timestamp with time zone,
      completed_on timestamp with time zone
    )
  ;
    CREATE FUNCTION homework_queue.job_table_format(command text, table_name text)
    RETURNS text AS
    $$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $$
    LANGUAGE sql IMMUTABLE;
  ;
    CREATE FUNCTION homework_queue.job_table_run(command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
    RETURNS VOID AS
    $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM homework_queue.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        EXECUTE homework_queue.job_table_format(command, tbl_name);
        RETURN;
      END IF;
      EXECUTE homework_queue.job_table_format(command, 'job_common');
      FOR tbl IN SELECT table_name FROM homework_queue.queue WHERE partition = true
      LOOP
        EXECUTE homework_queue.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$
    LANGUAGE plpgsql;
  ;
    CREATE FUNCTION homework_queue.job_table_run_async(command_name text, version int, command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
    RETURNS VOID AS
    $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM homework_queue.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        INSERT INTO homework_queue.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          homework_queue.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;
      INSERT INTO homework_queue.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        homework_queue.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        homework_queue.job_table_format(command, queue.table_name)
      FROM homework_queue.queue
      WHERE partition = true;
    END;
    $$
    LANGUAGE plpgsql;
  ;
    CREATE TABLE homework_queue.job (
      id uuid not null default gen_random_uuid(),
      name text not null,
      priority integer not null default(0),
      data jsonb,
      state homework_queue.job_state not null default 'created',
      retry_limit integer not null default 2,
      retry_count integer not null default 0,
      retry_delay integer not null default 0,
      retry_backoff boolean not null default false,
      retry_delay_max integer,
      expire_seconds int not null default 900,
      deletion_seconds int not null default 604800,
      singleton_key text,
      singleton_on timestamp without time zone,
      group_id text,
      group_tier text,
      start_after timestamp with time zone not null default now(),
      created_on timestamp with time zone not null default now(),
      started_on timestamp with time zone,
      completed_on timestamp with time zone,
      keep_until timestamp with time zone NOT NULL default now() + interval '1209600',
      output jsonb,
      dead_letter text,
      policy text,
      heartbeat_on timestamp with time zone,
      heartbeat_seconds int,
      blocked boolean not null default false,
      blocking boolean not null default false,
      pending_dependencies int not null default 0,
      source_name text,
      source_id uuid,
      source_created_on timestamp with time zone,
      source_retry_count int,
      source_output jsonb,
      source_root_id uuid
    ) PARTITION BY LIST (name)
  ;
ALTER TABLE homework_queue.job ADD PRIMARY KEY (name, id);
    CREATE TABLE homework_queue.job_common (LIKE homework_queue.job INCLUDING GENERATED INCLUDING DEFAULTS);
    SELECT homework_queue.job_table_run($cmd$ALTER TABLE homework_queue.job ADD PRIMARY KEY (name, id)$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$ALTER TABLE homework_queue.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES homework_queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$ALTER TABLE homework_queue.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES homework_queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE UNIQUE INDEX job_i1 ON homework_queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE UNIQUE INDEX job_i2 ON homework_queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE UNIQUE INDEX job_i3 ON homework_queue.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE UNIQUE INDEX job_i6 ON homework_queue.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE UNIQUE INDEX job_i8 ON homework_queue.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE INDEX job_i10 ON homework_queue.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$ALTER TABLE homework_queue.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE UNIQUE INDEX job_i4 ON homework_queue.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE INDEX job_i11 ON homework_queue.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE INDEX job_i7 ON homework_queue.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE INDEX job_i9 ON homework_queue.job (name, id) WHERE blocking AND state = 'completed'$cmd$, 'job_common');
    SELECT homework_queue.job_table_run($cmd$CREATE INDEX job_i12 ON homework_queue.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, 'job_common');
    ALTER TABLE homework_queue.job ATTACH PARTITION homework_queue.job_common DEFAULT;
  ;
    CREATE TABLE homework_queue.warning (
      id uuid PRIMARY KEY default gen_random_uuid(),
      type text NOT NULL,
      message text NOT NULL,
      data jsonb,
      created_on timestamp with time zone NOT NULL DEFAULT now()
    )
  ;
CREATE INDEX warning_i1 ON homework_queue.warning (created_on DESC);
    CREATE TABLE homework_queue.queue_stats (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      name text NOT NULL,
      deferred_count int NOT NULL DEFAULT 0,
      queued_count   int NOT NULL DEFAULT 0,
      ready_count    int NOT NULL DEFAULT 0,
      active_count   int NOT NULL DEFAULT 0,
      failed_count   int NOT NULL DEFAULT 0,
      total_count    int NOT NULL DEFAULT 0,
      created_delta   int,
      completed_delta int,
      failed_delta    int,
      delta_seconds   int,
      delta_on        timestamptz,
      captured_on timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (id, captured_on)
    ) PARTITION BY RANGE (captured_on)
  ;
CREATE INDEX queue_stats_i1 ON homework_queue.queue_stats (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
    DO $$
    DECLARE
      d date;
      i int;
      part_name text;
    BEGIN
      FOR i IN 0..1 LOOP
        d := (homework_queue.job_now() AT TIME ZONE 'UTC')::date + i;
        part_name := 'queue_stats_' || to_char(d, 'YYYYMMDD');
        IF NOT EXISTS (
          SELECT 1 FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = 'homework_queue' AND c.relname = part_name
        ) THEN
          EXECUTE format(
            'CREATE TABLE homework_queue.%I PARTITION OF homework_queue.queue_stats FOR VALUES FROM (%L) TO (%L)',
            part_name,
            to_char(d, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(d + 1, 'YYYY-MM-DD') || ' 00:00:00+00'
          );
        END IF;
      END LOOP;
    END;
    $$
  ;
    CREATE TABLE homework_queue.job_dependency (
      child_name text NOT NULL,
      child_id uuid NOT NULL,
      parent_name text NOT NULL,
      parent_id uuid NOT NULL,
      PRIMARY KEY (child_name, child_id, parent_name, parent_id)
    )
  ;
CREATE INDEX IF NOT EXISTS job_dep_parent_idx ON homework_queue.job_dependency (parent_name, parent_id);
    CREATE FUNCTION homework_queue.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN
      WITH q as (
        INSERT INTO homework_queue.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          homework_queue.job_now(),
          homework_queue.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;
      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE homework_queue.%I (LIKE homework_queue.job INCLUDING DEFAULTS)', tablename);
      EXECUTE homework_queue.job_table_format($cmd$ALTER TABLE homework_queue.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE homework_queue.job_table_format($cmd$ALTER TABLE homework_queue.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES homework_queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE homework_queue.job_table_format($cmd$ALTER TABLE homework_queue.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES homework_queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE homework_queue.job_table_format($cmd$CREATE INDEX job_i11 ON homework_queue.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE homework_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON homework_queue.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE homework_queue.job_table_format($cmd$CREATE INDEX job_i7 ON homework_queue.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE homework_queue.job_table_format($cmd$CREATE INDEX job_i9 ON homework_queue.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      EXECUTE homework_queue.job_table_format($cmd$CREATE INDEX job_i12 ON homework_queue.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);
      IF options->>'policy' = 'short' THEN
        EXECUTE homework_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON homework_queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE homework_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON homework_queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE homework_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON homework_queue.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE homework_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON homework_queue.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE homework_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON homework_queue.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE homework_queue.job_table_format($cmd$CREATE INDEX job_i10 ON homework_queue.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE homework_queue.job_table_format($cmd$ALTER TABLE homework_queue.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;
      EXECUTE format('ALTER TABLE homework_queue.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE homework_queue.job ATTACH PARTITION homework_queue.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $$
    LANGUAGE plpgsql;
  ;
    CREATE FUNCTION homework_queue.delete_queue(queue_name text)
    RETURNS VOID AS
    $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      SELECT table_name, partition
      FROM homework_queue.queue
      WHERE name = queue_name
      INTO v_table, v_partition;
      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS homework_queue.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM homework_queue.%I WHERE name = %L', v_table, queue_name);
      END IF;
      DELETE FROM homework_queue.queue WHERE name = queue_name;
    END;
    $$
    LANGUAGE plpgsql;
  ;
INSERT INTO homework_queue.version(version) VALUES ('43');

-- One job is one iteration of a run. A worker that dies gives its job back after ten seconds without a heartbeat and costs
-- one retry, so there are many; our own tables count attempts. No job is thrown away for being old, and none is cut off
-- by the clock before a day. History lives in our tables: done jobs go after a minute.
select homework_queue.create_queue('buildos_homework', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 86400, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

-- Jobs have kinds, and each kind has a queue of its own. What is done from time to time is tried as often as it takes; a worker
-- that dies over it gives it back after ten seconds without a heartbeat, and one that hangs after ten minutes.
select homework_queue.create_queue('homework_schedule', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 600, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

-- One job is one try at a delivery; the next try is another job, planned with what this one led to. A worker that dies over it gives it
-- back after ten seconds without a heartbeat: the receiver may get it twice, with the same id.
select homework_queue.create_queue('homework_deliver', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 120, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

-- One job for all processes: whichever has it hears what people write to the bot. It is given up and planned again every few minutes.
select homework_queue.create_queue('homework_telegram', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 600, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

-- Work of HOMЯ: what an ended attempt leads to, questions to models, reviews, deadlines. A worker that dies over it gives it back
-- after ten seconds without a heartbeat, and one that hangs after half an hour.
select homework_queue.create_queue('homework_homr', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 1800, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

grant usage on schema homework_queue to homework_system;
grant select, insert, update, delete on all tables in schema homework_queue to homework_system;
grant execute on all functions in schema homework_queue to homework_system;
revoke execute on all functions in schema homework_queue from public;

-- Jobs that are not done yet, for those who look whether runs and jobs fit together. Only the queue library writes its tables.
create view open_jobs with (security_invoker = true) as
  select id, name as queue, data, state = 'active' as is_active, retry_count as attempt, start_after,
         heartbeat_on + make_interval(secs => heartbeat_seconds) as silent_at
    from homework_queue.job where state < 'completed';

-- Who may do what: row level security for every table, forced, with a policy for each command; and what each role may touch at all. Later
-- migrations that add a table add its policies themselves; the catalog test fails otherwise.
do $$
declare t text;
begin
  for t in select tablename from pg_tables where schemaname = 'homework' loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    -- The platform itself: definer functions, housekeeping, dump and restore.
    execute format('create policy system_all on %I for all to homework_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to homework_system', t);
  end loop;
end $$;
revoke update, delete on audit_log from homework_system;
grant select on open_jobs to homework_system;

-- Which schema this is, everyone of ours may know; only migrations write it.
revoke insert, update, delete on schema_migrations from homework_system;
create policy owner_all on schema_migrations for all to homework_owner using (true) with check (true);
create policy anyone_select on schema_migrations for select to homework_app, homework_auth using (true);

-- Signing people in touches the accounts' tables and nothing else.
do $$
declare t text;
begin
  foreach t in array array['auth_users', 'auth_sessions', 'auth_accounts', 'auth_verifications', 'auth_api_keys'] loop
    execute format('create policy auth_all on %I for all to homework_auth using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to homework_auth', t);
  end loop;
end $$;

-- A user sees who they are and whom they work with; e-mail and name, nothing that signs anyone in.
create policy app_select on auth_users for select to homework_app
  using (id = app_user_id() or id in (select app_known_users()));
grant select (id, name, email, role, disabled_at, created_at) on auth_users to homework_app;

-- Whoever acts leaves a trace under their own name and cannot read or change it afterwards.
create policy app_insert on audit_log for insert to homework_app with check (actor_id = app_user_id());
grant insert (actor_id, action, target, details) on audit_log to homework_app;

create policy app_all on idempotency_keys for all to homework_app
  using (user_id = app_user_id()) with check (user_id = app_user_id());
grant select, insert, update on idempotency_keys to homework_app;

-- Projects: whoever makes one becomes its owner in the same transaction, so it must be visible to its maker until then.
create policy app_select on onto_projects for select to homework_app
  using (id in (select app_readable_projects()) or (created_by = app_user_id() and not app_has_members(id)));
create policy app_insert on onto_projects for insert to homework_app with check (created_by = app_user_id());
create policy app_update on onto_projects for update to homework_app
  using (id in (select app_writable_projects())) with check (id in (select app_writable_projects()));
grant select, insert, update on onto_projects to homework_app;

create policy app_select on onto_project_members for select to homework_app
  using (project_id in (select app_readable_projects()));
create policy app_insert on onto_project_members for insert to homework_app
  with check (project_id in (select app_owned_projects())
              or (user_id = app_user_id() and role = 'owner' and app_made_project(project_id) and not app_has_members(project_id)));
create policy app_update on onto_project_members for update to homework_app
  using (project_id in (select app_owned_projects())) with check (project_id in (select app_owned_projects()));
create policy app_delete on onto_project_members for delete to homework_app
  using (project_id in (select app_owned_projects()));
grant select, insert, update, delete on onto_project_members to homework_app;

do $$
declare t text;
begin
  foreach t in array array['onto_tasks', 'onto_goals', 'onto_plans', 'onto_milestones', 'onto_documents'] loop
    execute format('create policy app_select on %I for select to homework_app using (project_id in (select app_readable_projects()))', t);
    execute format('create policy app_insert on %I for insert to homework_app with check (project_id in (select app_writable_projects()))', t);
    execute format('create policy app_update on %I for update to homework_app using (project_id in (select app_writable_projects()))
                    with check (project_id in (select app_writable_projects()))', t);
    execute format('grant select, insert, update on %I to homework_app', t);
  end loop;
end $$;
grant select on onto_nodes to homework_app, homework_system;

-- An edge shows only where both of its ends do.
create policy app_select on onto_edges for select to homework_app
  using (src_project_id in (select app_readable_projects()) and dst_project_id in (select app_readable_projects()));
create policy app_insert on onto_edges for insert to homework_app
  with check (src_project_id in (select app_writable_projects()) and dst_project_id in (select app_readable_projects()));
create policy app_update on onto_edges for update to homework_app
  using (src_project_id in (select app_writable_projects()))
  with check (src_project_id in (select app_writable_projects()) and dst_project_id in (select app_readable_projects()));
grant select, insert, update on onto_edges to homework_app;

-- History is written by triggers and only read here.
create policy app_select on onto_changes for select to homework_app using (project_id in (select app_readable_projects()));
grant select on onto_changes to homework_app;
create policy app_select on onto_change_counters for select to homework_app using (project_id in (select app_readable_projects()));
grant select on onto_change_counters to homework_app;

-- Of runs, conversations, outcomes and what they are told, people see what is theirs; but for chats and memories, the platform alone
-- writes.
do $$
declare t text;
begin
  foreach t in array array['homework_runs', 'llm_usage_logs', 'user_notifications', 'user_feeds', 'user_feed_events',
      'user_notification_preferences', 'user_visits'] loop
    execute format('create policy app_select on %I for select to homework_app using (user_id = app_user_id())', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
  foreach t in array array['homework_run_iterations', 'homework_run_events', 'homework_run_checks', 'homework_run_messages',
      'homework_run_changes'] loop
    execute format('create policy app_select on %I for select to homework_app
                    using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id()))', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
  foreach t in array array['homework_run_works', 'homr_briefs'] loop
    execute format('create policy app_own on %I for select to homework_app
                    using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id()))', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
  foreach t in array array['outcomes', 'user_channels'] loop
    execute format('create policy app_own on %I for select to homework_app using (user_id = app_user_id())', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
  foreach t in array array['outcome_designs', 'outcome_tasks', 'outcome_task_dependencies', 'homr_turns', 'homr_observations',
      'homr_context_items', 'homr_escalations', 'homr_activity_log', 'homr_reviews', 'outcome_interventions', 'outcome_late_costs',
      'outcome_events'] loop
    execute format('create policy app_own on %I for select to homework_app
                    using (exists (select from outcomes o where o.id = outcome_id and o.user_id = app_user_id()))', t);
    execute format('grant select on %I to homework_app', t);
  end loop;
  foreach t in array array['chat_messages', 'chat_calls', 'chat_events'] loop
    execute format('create policy app_own on %I for all to homework_app
                    using (exists (select from chat_sessions s where s.id = session_id and s.user_id = app_user_id()))
                    with check (exists (select from chat_sessions s where s.id = session_id and s.user_id = app_user_id()))', t);
    execute format('grant select, insert on %I to homework_app', t);
  end loop;
end $$;
create policy app_own on chat_sessions for all to homework_app using (user_id = app_user_id()) with check (user_id = app_user_id());
grant select, insert on chat_sessions to homework_app;
grant update on chat_sessions, chat_messages, chat_calls to homework_app;
create policy app_own on homr_memories for all to homework_app using (user_id = app_user_id()) with check (user_id = app_user_id());
grant select, update, delete on homr_memories to homework_app;
create policy app_select on journal_entries for select to homework_app
  using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id())
      or exists (select from chat_sessions s where s.id = chat_session_id and s.user_id = app_user_id())
      or exists (select from outcomes o where o.id = outcome_id and o.user_id = app_user_id()));
create policy app_own on outcome_task_attempts for select to homework_app
  using (exists (select from outcome_tasks t where t.id = task_id));
create policy app_own on homr_escalation_tasks for select to homework_app
  using (exists (select from homr_escalations e where e.id = escalation_id));
create policy app_own on channel_deliveries for select to homework_app
  using (exists (select from user_channels c where c.id = channel_id and c.user_id = app_user_id()));
create policy app_select on user_quotas for select to homework_app using (user_id = app_user_id() or user_id is null);
grant select on journal_entries, outcome_task_attempts, homr_escalation_tasks, channel_deliveries, user_quotas to homework_app;

-- Definer functions run as the platform, so they may look where their caller may not. This is the whole list of them.
-- They are handed over last: only an owner can take a right away, and a revoke by anyone else is but a warning.
do $$
declare f regprocedure;
begin
  for f in select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = 'homework' and p.prosecdef loop
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
grant execute on function app_readable_projects(), app_writable_projects(), app_owned_projects(), app_known_users(),
  app_find_user(uuid, text), app_has_members(uuid), app_made_project(uuid), app_storage(),
  app_search(text, uuid, text, uuid, boolean, integer), app_search_outcomes(text, uuid, text, integer),
  app_titled(text, text, uuid[], uuid, text[], integer), app_find_runs(text, text[], timestamptz, uuid, integer) to homework_app;
do $$
declare f regprocedure;
begin
  for f in select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = 'homework' and p.prosecdef loop
    execute format('alter function %s owner to homework_system', f);
  end loop;
end $$;

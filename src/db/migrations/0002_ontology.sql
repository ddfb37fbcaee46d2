-- The user's own things: projects with members, tasks, goals, plans, milestones, documents, the edges between them,
-- and one history of every write, made by triggers so that no code path can forget it.

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
    execute format('create index on %I (created_by_run) where created_by_run is not null', entity.name);
  end loop;
end $$;

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
         or (src_kind = 'document' and dst_kind = 'document' and src_project_id = dst_project_id))
);
create unique index onto_edges_once on onto_edges (src_id, rel, dst_id) where deleted_at is null;
-- A document has at most one place in the tree.
create unique index onto_edges_one_parent on onto_edges (dst_id) where rel = 'document_has_document' and deleted_at is null;
create index onto_edges_src on onto_edges (src_project_id, src_id) where deleted_at is null;
create index onto_edges_dst on onto_edges (dst_project_id, dst_id) where deleted_at is null;

-- The tree of documents stays a tree: no loops, 32 levels at most.
create function keep_document_tree() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
declare above integer;
begin
  -- Two moves at once could each be fine and together make a loop. The lock is the one that recording the change takes
  -- anyway, taken before anything of the edge is written: two locks, or this one later, and two moves of one document
  -- could wait for each other.
  perform 1 from onto_change_counters where project_id = new.src_project_id for no key update;
  if new.rel <> 'document_has_document' or new.deleted_at is not null then return new; end if;
  with recursive up (id, depth) as (
    select new.src_id, 1
    union all
    select e.src_id, up.depth + 1 from up join onto_edges e
      on e.dst_id = up.id and e.rel = 'document_has_document' and e.deleted_at is null and e.id <> new.id
     where up.depth <= 32
  )
  select case when bool_or(id = new.dst_id) then -1 else max(depth) end into above from up;
  if above = -1 then raise exception 'a document cannot be below itself' using errcode = 'HW001'; end if;
  with recursive down (id, depth) as (
    select new.dst_id, above + 1
    union all
    select e.dst_id, down.depth + 1 from down join onto_edges e
      on e.src_id = down.id and e.rel = 'document_has_document' and e.deleted_at is null
     where down.depth <= 33
  )
  select max(depth) into above from down;
  if above > 32 then raise exception 'documents may be 32 levels deep' using errcode = 'HW003'; end if;
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
  primary key (project_id, seq)
);
create index onto_changes_entity on onto_changes (project_id, entity_id, seq desc);
create index onto_changes_run on onto_changes (run_id) where run_id is not null;

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

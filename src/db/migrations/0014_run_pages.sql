-- What the pages of a run ask for: which events its user wants to be told of, search in what one run wrote, and calls of models
-- whose price nobody knew when they began, so that those which are lost are not taken for free ones.

-- What is not here is the default: told in every way.
create table user_notification_preferences (
  user_id uuid not null references auth_users (id) on delete cascade,
  event   text not null check (event in ('completed', 'stopped', 'failed', 'canceled', 'waiting_on_user')),
  -- False: it stands in the history as read.
  in_app  boolean not null,
  browser boolean not null,
  primary key (user_id, event)
);
alter table user_notification_preferences enable row level security;
alter table user_notification_preferences force row level security;
create policy system_all on user_notification_preferences for all to homework_system using (true) with check (true);
grant select, insert, update, delete on user_notification_preferences to homework_system;
create policy app_select on user_notification_preferences for select to homework_app using (user_id = app_user_id());
grant select on user_notification_preferences to homework_app;

alter table llm_usage_logs add column is_unpriced boolean not null default false;

-- The same search as before (migration 0003), if wanted only in what a run of the caller's own wrote and nobody took back.
set local role homework_system;
drop function app_search(text, uuid, text, integer);
set local role homework_owner;
create function app_search(typed text, only_project uuid, only_kind text, only_run uuid, max_hits integer)
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
          from (select * from %I where search @@ $1 and deleted_at is null and %I = any ($2) %s limit 2000) found
         order by rank desc, updated_at desc limit $3)',
      entity.kind, entity.project, entity.title, entity.name, entity.project,
      case when only_run is null then '' else 'and id = any ($4)' end);
  end loop;
  return query execute format(
    'with best as (select * from (%s) found order by rank desc, updated_at desc limit $3)
     select b.kind, b.id, b.project_id, p.name, b.title, b.state_key, b.updated_at::timestamptz, b.rank,
            ts_headline(''english'', app_search_text(b.kind, b.id), $1,
              ''StartSel='' || chr(1) || '',StopSel='' || chr(2) || '',MaxFragments=2,MaxWords=18,MinWords=6,FragmentDelimiter='' || chr(3))
       from best b join onto_projects p on p.id = b.project_id order by b.rank desc, b.updated_at desc',
    array_to_string(parts, ' union all ')) using wanted, projects, max_hits, own;
end $$;
revoke all on function app_search(text, uuid, text, uuid, integer) from public;
grant execute on function app_search(text, uuid, text, uuid, integer) to homework_app;
alter function app_search(text, uuid, text, uuid, integer) owner to homework_system;

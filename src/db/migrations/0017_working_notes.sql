-- Search leaves the working notes of runs out unless they are asked for, so that a user finds the user's own things; and a
-- column goes that no row could fill.

-- A row stands for a whole iteration, in which several branches work; steps and pages name the branch they belong to.
alter table homework_run_iterations drop column branch_id;

-- Of a document: whether a run keeps it for itself (src/domain/workspace/pages.ts). One a person made is the person's.
create function is_working_note(made_by_run uuid, type_key text) returns boolean language sql immutable
  return made_by_run is not null and type_key in ('document.homework.workspace', 'document.homework.scratchpad',
    'document.homework.branch', 'document.homework.note', 'document.homework.summary', 'document.homework.plan');
grant execute on function is_working_note(uuid, text) to homework_app, homework_system;

-- The same search as before (migration 0014), with working notes only where they are wanted.
set local role homework_system;
drop function app_search(text, uuid, text, uuid, integer);
set local role homework_owner;
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
            ts_headline(''english'', app_search_text(b.kind, b.id), $1,
              ''StartSel='' || chr(1) || '',StopSel='' || chr(2) || '',MaxFragments=2,MaxWords=18,MinWords=6,FragmentDelimiter='' || chr(3))
       from best b join onto_projects p on p.id = b.project_id order by b.rank desc, b.updated_at desc',
    array_to_string(parts, ' union all ')) using wanted, projects, max_hits, own;
end $$;
revoke all on function app_search(text, uuid, text, uuid, boolean, integer) from public;
grant execute on function app_search(text, uuid, text, uuid, boolean, integer) to homework_app;
alter function app_search(text, uuid, text, uuid, boolean, integer) owner to homework_system;

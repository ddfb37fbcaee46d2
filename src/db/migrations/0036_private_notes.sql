-- Working notes belong to the owner of the run that keeps them, also in a shared project: other members neither see nor change
-- them, in lists, tree, search, history, bin and links. Deliverables stay visible to everyone in the project.

create function app_may_see_document(made_by_run uuid, type_key text) returns boolean language sql stable
  return not is_working_note(made_by_run, type_key) or made_by_run is not distinct from app_run_id()
    or exists (select from homework_runs r where r.id = made_by_run and r.user_id = app_user_id());
grant execute on function app_may_see_document(uuid, text) to homework_app, homework_system;

drop policy app_select on onto_documents;
drop policy app_update on onto_documents;
create policy app_select on onto_documents for select to homework_app
  using (project_id in (select app_readable_projects()) and app_may_see_document(created_by_run, type_key));
create policy app_update on onto_documents for update to homework_app
  using (project_id in (select app_writable_projects()) and app_may_see_document(created_by_run, type_key))
  with check (project_id in (select app_writable_projects()) and app_may_see_document(created_by_run, type_key));

-- An edge shows only where both of its ends do.
drop policy app_select on onto_edges;
create policy app_select on onto_edges for select to homework_app
  using (src_project_id in (select app_readable_projects()) and dst_project_id in (select app_readable_projects())
         and (src_kind <> 'document' or exists (select from onto_documents d where d.id = src_id))
         and (dst_kind <> 'document' or exists (select from onto_documents d where d.id = dst_id)));

-- A definer function: it has to see the document to tell that the caller may not. Of one that is gone, the history knows what it was.
create function app_may_see_history(project uuid, document uuid) returns boolean language sql stable security definer
  set search_path = homework, pg_temp as $$
  select coalesce(
    (select app_may_see_document(d.created_by_run, d.type_key) from onto_documents d where d.id = document),
    (select app_may_see_document((c.before->>'created_by_run')::uuid, c.before->>'type_key') from onto_changes c
      where c.project_id = project and c.entity_id = document and c.before is not null order by c.seq desc limit 1),
    true)
$$;
revoke all on function app_may_see_history(uuid, uuid) from public;
grant execute on function app_may_see_history(uuid, uuid) to homework_app;
alter function app_may_see_history(uuid, uuid) owner to homework_system;

drop policy app_select on onto_changes;
create policy app_select on onto_changes for select to homework_app
  using (project_id in (select app_readable_projects())
         and (kind <> 'document' or run_id = app_run_id() or app_may_see_history(project_id, entity_id)));

-- The search stays as it is but for that.
do $$
declare
  entities text := pg_get_functiondef('app_search(text, uuid, text, uuid, boolean, integer)'::regprocedure);
begin
  set local role homework_system;
  drop function app_search(text, uuid, text, uuid, boolean, integer);
  set local role homework_owner;
  execute replace(entities, 'case when with_notes or entity.kind <> ''document'' then '''' else',
    'case when entity.kind <> ''document'' then '''' when with_notes then ''and app_may_see_document(created_by_run, type_key)'' else');
end $$;
revoke all on function app_search(text, uuid, text, uuid, boolean, integer) from public;
grant execute on function app_search(text, uuid, text, uuid, boolean, integer) to homework_app;
alter function app_search(text, uuid, text, uuid, boolean, integer) owner to homework_system;

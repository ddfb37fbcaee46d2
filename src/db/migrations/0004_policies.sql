-- Row level security for every table, forced, with a policy for each command; and what each role may touch at all.
-- Later migrations that add a table add its policies themselves; the catalog test fails otherwise.

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
  app_find_user(uuid, text), app_search(text, uuid, text, integer), app_has_members(uuid), app_made_project(uuid) to homework_app;
do $$
declare f regprocedure;
begin
  for f in select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = 'homework' and p.prosecdef loop
    execute format('alter function %s owner to homework_system', f);
  end loop;
end $$;

-- Finding things by a part of their title, and those that a run made or changed, as quickly among many thousands as among a
-- few: the checks of a run ask for them in every iteration.

-- All runs of three characters in a text. Whatever contains a text contains all of its runs too.
create function title_grams(title text) returns text[] language sql immutable strict parallel safe
  return array(select distinct substr(lower(title), at, 3) from generate_series(1, length(lower(title)) - 2) as at);

do $$
declare entity text;
begin
  foreach entity in array array['onto_tasks', 'onto_goals', 'onto_plans', 'onto_milestones', 'onto_documents'] loop
    -- What waits to be sorted in is looked through by every question, so that little may wait.
    execute format('create index %I on %I using gin (title_grams(title)) with (gin_pending_list_limit = 64)
                     where deleted_at is null', entity || '_grams', entity);
    execute format('create index %I on %I (created_by_run, created_at) where created_by_run is not null', entity || '_made', entity);
    execute format('create index %I on %I (updated_by_run, created_at) where updated_by_run is not null', entity || '_changed', entity);
    execute format('drop index %I', entity || '_created_by_run_idx');
  end loop;
end $$;

-- Who has written a thing, whatever the length of its history.
create index onto_changes_actor on onto_changes (entity_id, actor_id) where op in ('created', 'updated');

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
revoke all on function title_grams(text), app_titled(text, text, uuid[], uuid, text[], integer) from public;
grant execute on function title_grams(text) to homework_app, homework_system;
grant execute on function app_titled(text, text, uuid[], uuid, text[], integer) to homework_app;
alter function app_titled(text, text, uuid[], uuid, text[], integer) owner to homework_system;

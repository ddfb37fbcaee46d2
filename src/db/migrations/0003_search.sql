-- Full-text search over everything the current user may see. A definer function that checks membership itself: under
-- row level security PostgreSQL may not use the text index, because the match operator is not leakproof.

-- What someone typed, as a query: the web's operators ("…", or, -) where they are used, else also the last word as a
-- beginning, so that results appear while one types.
create function search_query(typed text) returns tsquery language sql immutable
  return websearch_to_tsquery('english', typed) || case
    when typed ~ '["-]|\mor\M' or typed !~ '[[:alnum:]]' then ''::tsquery
    else to_tsquery('english', (
      select string_agg(word, ' & ' order by at) || ':*'
        from regexp_matches(left(typed, 400), '[[:alnum:]]+', 'g') with ordinality as found (words, at), unnest(words) as word))
  end;

-- Ranks at most 2,000 matches of each kind, so that a common word in a large collection stays quick.
create function app_search(typed text, only_project uuid, only_kind text, max_hits integer)
  returns table (kind text, id uuid, project_id uuid, project_name text, title text, state_key text, updated_at timestamptz,
                 rank real, headline text)
  language plpgsql stable security definer set search_path = homework, pg_temp as $$
declare
  wanted tsquery := search_query(typed);
  projects uuid[] := array(select p.id from onto_projects p
                            where p.id in (select app_readable_projects()) and p.deleted_at is null
                              and (only_project is null or p.id = only_project));
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
          from (select * from %I where search @@ $1 and deleted_at is null and %I = any ($2) limit 2000) found
         order by rank desc, updated_at desc limit $3)',
      entity.kind, entity.project, entity.title, entity.name, entity.project);
  end loop;
  return query execute format(
    'with best as (select * from (%s) found order by rank desc, updated_at desc limit $3)
     select b.kind, b.id, b.project_id, p.name, b.title, b.state_key, b.updated_at::timestamptz, b.rank,
            ts_headline(''english'', app_search_text(b.kind, b.id), $1,
              ''StartSel='' || chr(1) || '',StopSel='' || chr(2) || '',MaxFragments=2,MaxWords=18,MinWords=6,FragmentDelimiter='' || chr(3))
       from best b join onto_projects p on p.id = b.project_id order by b.rank desc, b.updated_at desc',
    array_to_string(parts, ' union all ')) using wanted, projects, max_hits;
end $$;

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

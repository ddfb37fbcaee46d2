-- Lists of runs, as quick among 100,000 of one user's as among ten: by status, and by a part of the objective. And where in a
-- run's history an iteration begins, so that its live view reads no other.

-- The number of the event it began with; null in iterations that are older than this column.
alter table homework_run_iterations add column first_seq bigint;

create index homework_runs_status on homework_runs (user_id, status, created_at desc, id desc);

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

-- Objectives in lower case, for finding. Beside the runs, as these are written with every step and an index on a text is dear.
create table homework_run_words (
  run_id     uuid primary key references homework_runs (id) on delete cascade,
  user_id    uuid not null,
  created_at timestamptz(3) not null,
  words      text not null
);
create index homework_run_words_user on homework_run_words (user_id, created_at desc, run_id desc);
-- What waits to be sorted in is looked through by every question, so that little may wait.
create index homework_run_words_grams on homework_run_words using gin (run_grams(user_id, words)) with (gin_pending_list_limit = 64);
-- Nothing is planned by how often a run of characters comes, and finding that out would take minutes.
alter index homework_run_words_grams alter column 1 set statistics 0;

alter table homework_run_words enable row level security;
alter table homework_run_words force row level security;
create policy system_all on homework_run_words for all to homework_system using (true) with check (true);
grant select, insert, update, delete on homework_run_words to homework_system;
revoke all on function run_grams(uuid, text), run_grams_asked(uuid, text) from public;
grant execute on function run_grams(uuid, text), run_grams_asked(uuid, text) to homework_system;

-- As the platform, like everything that writes a run.
create function keep_run_words() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  insert into homework_run_words (run_id, user_id, created_at, words) values (new.id, new.user_id, new.created_at, lower(new.objective))
    on conflict (run_id) do update set words = excluded.words;
  return null;
end $$;
create trigger keep_run_words after insert or update of objective on homework_runs for each row execute function keep_run_words();
revoke all on function keep_run_words() from public;
alter function keep_run_words() owner to homework_system;

set local role homework_system;
insert into homework_run_words (run_id, user_id, created_at, words) select id, user_id, created_at, lower(objective) from homework_runs;
set local role homework_owner;

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
revoke all on function app_find_runs(text, text[], timestamptz, uuid, integer) from public;
grant execute on function app_find_runs(text, text[], timestamptz, uuid, integer) to homework_app;
alter function app_find_runs(text, text[], timestamptz, uuid, integer) owner to homework_system;

-- What the home page shows of runs: a title of one's own, what each run made, whether all of that was undone, which runs are put
-- away; and when each user was last here, so that the page can say what happened since.

alter table homework_runs
  -- Null: the first line of the objective.
  add column title       text check (length(title) between 1 and 200),
  -- Hides a run that has ended; one that goes on is shown whatever this says.
  add column archived_at timestamptz(3),
  -- Set once nothing of what the run wrote is left to take back.
  add column undone_at   timestamptz(3),
  -- By kind, from the report: a list reads no report.
  add column made        jsonb generated always as (report->'what_changed'->'counts') stored;

create index homework_runs_archived on homework_runs (user_id, created_at desc, id desc) where archived_at is not null;
create index homework_runs_ended on homework_runs (user_id, ended_at) where ended_at is not null;

set local role homework_system;
update homework_runs r set undone_at = e.created_at
  from homework_run_events e where e.run_id = r.id and e.type = 'run_undone' and (e.event->>'left')::int = 0;
set local role homework_owner;

-- A run is found by its own title, too (migration 0013).
drop trigger keep_run_words on homework_runs;
set local role homework_system;
drop function keep_run_words();
set local role homework_owner;
create function keep_run_words() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
begin
  insert into homework_run_words (run_id, user_id, created_at, words)
    values (new.id, new.user_id, new.created_at, lower(concat_ws(E'\n', new.title, new.objective)))
    on conflict (run_id) do update set words = excluded.words;
  return null;
end $$;
create trigger keep_run_words after insert or update of objective, title on homework_runs
  for each row execute function keep_run_words();
revoke all on function keep_run_words() from public;
alter function keep_run_words() owner to homework_system;

-- A visit goes on while its user is seen from time to time.
create table user_visits (
  user_id uuid primary key references auth_users (id) on delete cascade,
  seen_at timestamptz(3) not null,
  -- When the visit before this one ended; null in the first.
  since   timestamptz(3)
);
alter table user_visits enable row level security;
alter table user_visits force row level security;
create policy system_all on user_visits for all to homework_system using (true) with check (true);
grant select, insert, update, delete on user_visits to homework_system;
create policy app_select on user_visits for select to homework_app using (user_id = app_user_id());
grant select on user_visits to homework_app;

-- The work of agents: the repository that a run was given, the host that has its files, and what became of its branch.

alter table homework_runs
  -- A folder of the host that works on it; null: the run has a folder of its own.
  add column work_folder text;

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

do $$
declare t text;
begin
  foreach t in array array['homework_run_works', 'agent_hosts'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy system_all on %I for all to homework_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to homework_system', t);
  end loop;
end $$;
create policy app_own on homework_run_works for select to homework_app
  using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id()));
grant select on homework_run_works to homework_app;

set local role homework_system;
update homework_runs set report = '{"work": null}' || report where report is not null;
set local role homework_owner;

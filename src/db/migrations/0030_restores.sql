-- What an undo took back can be restored: the history says which undo took each of its lines back, and what a removed project was,
-- with its members and its history, is kept beside it.

create table homework_run_undos (
  id          uuid primary key default gen_random_uuid(),
  run_id      uuid not null references homework_runs (id) on delete cascade,
  undone_at   timestamptz(3) not null default now(),
  restored_at timestamptz(3),
  -- Where the run kept its pages. No reference: they may be among what went.
  workspace   jsonb not null default '{}' check (jsonb_typeof(workspace) = 'object'),
  projects    jsonb not null default '[]' check (jsonb_typeof(projects) = 'array')
);
create index homework_run_undos_run on homework_run_undos (run_id, undone_at desc) where restored_at is null;
alter table homework_run_undos enable row level security;
alter table homework_run_undos force row level security;
create policy system_all on homework_run_undos for all to homework_system using (true) with check (true);
grant select, insert, update, delete on homework_run_undos to homework_system;

-- The last of them of each thing is the undo's own line: what it found there.
alter table onto_changes add column undo_id uuid references homework_run_undos (id) on delete set null;
create index onto_changes_undo on onto_changes (undo_id) where undo_id is not null;

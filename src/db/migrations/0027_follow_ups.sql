-- A run that follows up one that has ended knows which, so that its planner can be told what that one did and both pages can link.

alter table homework_runs
  add column follows_run_id uuid,
  add foreign key (follows_run_id) references homework_runs (id) on delete set null deferrable,
  add constraint follows_another check (follows_run_id <> id);

create index homework_runs_follows on homework_runs (follows_run_id, created_at, id) where follows_run_id is not null;

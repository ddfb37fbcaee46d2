-- Writes that wait for their user's word: what a tool would do, as it was tried and taken back, and what was decided about it.

create table homework_run_changes (
  run_id         uuid not null references homework_runs (id) on delete cascade,
  id             uuid not null,
  -- The order in which they are carried out.
  position       integer not null check (position >= 1),
  iteration      integer not null check (iteration >= 1),
  step_key       text not null check (step_key <> '' and length(step_key) <= 200),
  branch_id      text,
  -- Where the ids of what it makes come from: its own step, or the one it is asked about again for.
  seed_iteration integer not null,
  seed_key       text not null,
  tool           text not null,
  -- Not jsonb: a tool gets its arguments again exactly as it got them, in the same order.
  args           json not null,
  why            text not null,
  changes        jsonb not null check (jsonb_typeof(changes) = 'array' and changes <> '[]'),
  state          text not null check (state in ('pending', 'approved', 'rejected', 'applied', 'drifted')),
  note           text not null,
  staged_at      timestamptz(3) not null default run_now(),
  decided_at     timestamptz(3),
  decided_by     uuid,
  applied_at     timestamptz(3),
  -- The iteration that was told of a rejection.
  told_in        integer,
  primary key (run_id, id),
  unique (run_id, position),
  unique (run_id, iteration, step_key),
  constraint decided_unless_pending check ((decided_at is null) = (state = 'pending')),
  constraint applied_when_applied check ((applied_at is null) = (state <> 'applied'))
);
create index homework_run_changes_open on homework_run_changes (run_id, position) where state in ('pending', 'approved');

-- What was shown is what is decided on, and what was decided stays decided.
create function keep_staged_write() returns trigger language plpgsql as $$
begin
  if (new.run_id, new.id, new.position, new.iteration, new.step_key, new.seed_iteration, new.seed_key, new.tool, new.args::text, new.changes)
     is distinct from
     (old.run_id, old.id, old.position, old.iteration, old.step_key, old.seed_iteration, old.seed_key, old.tool, old.args::text, old.changes)
  then
    raise exception 'change %: what was staged does not change', old.id using errcode = 'HW020';
  end if;
  if new.state <> old.state and not (case old.state
       when 'pending' then new.state in ('approved', 'rejected')
       when 'approved' then new.state in ('applied', 'drifted')
       else false end) then
    raise exception 'change %: % does not become %', old.id, old.state, new.state using errcode = 'HW021';
  end if;
  return new;
end $$;
create trigger keep_staged_write before update on homework_run_changes for each row execute function keep_staged_write();

alter table homework_run_changes enable row level security;
alter table homework_run_changes force row level security;
create policy system_all on homework_run_changes for all to homework_system using (true) with check (true);
grant select, insert, update, delete on homework_run_changes to homework_system;
create policy app_select on homework_run_changes for select to homework_app
  using (exists (select from homework_runs r where r.id = run_id and r.user_id = app_user_id()));
grant select on homework_run_changes to homework_app;

-- Which transaction wrote a line of the history: so that one which is still open can tell its own lines from those that others
-- of the same run commit meanwhile. Unknown for lines from before; numbers of another cluster, after a restore, mean nothing.
alter table onto_changes add column xact xid8;
alter table onto_changes alter column xact set default pg_current_xact_id();
create index onto_changes_xact on onto_changes (xact) where run_id is not null;

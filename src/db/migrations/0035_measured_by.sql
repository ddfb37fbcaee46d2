-- What a run is measured by changes while it works: an iteration keeps its deliverables and checks as they were afterwards, so that
-- a fork begins with those, and a report tells what changed.

-- Null: of an iteration before this version, or one that was given up.
alter table homework_run_iterations add column deliverables jsonb, add column checks jsonb;

set local role homework_system;
update homework_runs set report = '{"check_changes": []}' || report where report is not null;
set local role homework_owner;

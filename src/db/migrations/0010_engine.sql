-- What a planner asks again and again, by what it asks with: the memory its last iteration left behind, and which of these
-- things its run has made. Both stay as quick as they are, however old the run is.
create index homework_run_steps_memory on homework_run_steps (run_id, iteration) where key = 'memory';
create index onto_changes_run_entity on onto_changes (run_id, entity_id) where run_id is not null;
drop index onto_changes_run;

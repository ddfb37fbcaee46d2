-- What a planner asks again and again: the memory its last iteration left behind.
create index homework_run_steps_memory on homework_run_steps (run_id, iteration) where key = 'memory';

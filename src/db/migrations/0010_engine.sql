-- The journal also keeps what the platform itself notes down for a run; that is no call of a tool.
alter table homework_run_steps drop constraint if exists homework_run_steps_kind_check;
alter table homework_run_steps add constraint homework_run_steps_kind_check check (kind in ('model', 'tool', 'effect', 'platform'));

-- What an honest "done" needs to know about a run: how the planner closed it, whether a judge reads it, the user's time zone,
-- the furthest it has ever been, what the user said last, and how long a provider has made it wait.

alter table homework_runs
  add column closing jsonb,
  add column time_zone text not null default 'UTC',
  add column is_judged boolean not null default true,
  add column holds jsonb,
  add column best jsonb,
  -- A change of checks that waits for the user's approval.
  add column awaited jsonb,
  -- The last iteration that messages of the user reached.
  add column heard_in integer;

-- A wait for a provider that takes long is told, too.
alter table user_notification_preferences drop constraint user_notification_preferences_event_check;
alter table user_notification_preferences add constraint user_notification_preferences_event_check
  check (event in ('completed', 'stopped', 'failed', 'canceled', 'waiting_on_user', 'holding'));

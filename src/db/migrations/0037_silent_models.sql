-- A call of a model that is not answered says since when, so that lists and pages can tell of it in time, also after a restart.

alter table llm_usage_logs add column silent_since timestamptz(3);
-- How often the request is sent again, to this model or the next, before it is given up for now.
alter table llm_usage_logs add column tries_left smallint;
alter table llm_usage_logs add constraint silent_calls_say_tries check (silent_since is null or tries_left >= 0);

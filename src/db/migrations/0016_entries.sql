-- Entries of the journal say of themselves who did what, with what and why it failed, so that pages and reports need not work it
-- out from keys and results. The ledger keeps what came from a cache and how much of what the user said a prompt had.

alter table homework_run_steps
  -- Who did it: planner, exec:1, judge, platform. An executor's title is what it was sent to do.
  add column lane text not null default 'planner' check (length(lane) between 1 and 80),
  add column lane_title text,
  add column tool text,
  -- In words, for people.
  add column did text not null default '',
  add column args jsonb,
  add column error text;

-- Entries of earlier versions are told by their history; this is the last time that anything is read out of a key.
update homework_run_steps set lane = case
    when kind = 'platform' then 'platform' else coalesce(substring(key from '^(exec:\d+)/'), 'planner') end;
update homework_run_steps s set did = left(e.event->>'summary', 300) from homework_run_events e
  where e.run_id = s.run_id and e.iteration = s.iteration and e.type = 'step_recorded' and e.event->>'step' = s.key;

alter table llm_usage_logs
  add column lane text,
  add column lane_title text,
  -- Why a call brought no answer.
  add column error text,
  -- Parts of input_tokens: read from the provider's cache, and written to it.
  add column cached_tokens bigint not null default 0 check (cached_tokens >= 0),
  add column written_tokens bigint not null default 0 check (written_tokens >= 0),
  -- How many messages of the user the prompt contained: all up to this one.
  add column messages integer not null default 0 check (messages >= 0);

-- What was asked, beside the answer to it.
alter table homework_run_signals add column question text;

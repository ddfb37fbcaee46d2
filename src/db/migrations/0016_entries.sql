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

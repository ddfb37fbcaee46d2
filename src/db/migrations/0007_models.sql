-- What a call of a model cost, and how we know: by the provider, by our table, free, or not at all (unpriced is not 0).
alter table llm_usage_logs add column priced_by text
  check (priced_by in ('provider', 'table', 'free', 'unpriced', 'reservation'));
alter table llm_usage_logs add constraint priced_when_settled check ((priced_by is null) = (state = 'reserved'));
alter table homework_runs add column unpriced_calls integer not null default 0;
create index llm_usage_logs_model on llm_usage_logs (run_id, model, role);

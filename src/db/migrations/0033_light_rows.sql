-- A constraint of a table is read anew in every statement that writes to it, and so is the condition of a trigger. A run's row is written with
-- every step: what came after 0021 is bound to the columns it speaks of, as everything there.

alter table homework_runs
  drop constraint homework_runs_title_check,
  drop constraint homework_runs_foreign_texts_check,
  drop constraint homework_runs_models_check,
  drop constraint follows_another;

create function check_run_parts() returns trigger language plpgsql as $$
declare wrong text;
begin
  wrong := case
    when length(new.title) not between 1 and 200 then 'a title of 1 to 200 letters'
    when jsonb_typeof(new.foreign_texts) <> 'array' then 'a list of foreign texts'
    when jsonb_typeof(new.models) <> 'object' then 'models by their roles'
    when new.follows_run_id = new.id then 'another run that it follows'
  end;
  if wrong is not null then raise exception 'run %: it must have %', new.id, wrong using errcode = 'HW009'; end if;
  return new;
end $$;
create trigger check_run_parts before insert or update of title, foreign_texts, models, follows_run_id on homework_runs
  for each row execute function check_run_parts();

drop trigger keep_late_cost on homework_runs;
create trigger keep_late_cost after update of cost_micro_usd, tokens, unpriced_calls on homework_runs for each row
  when (new.outcome_task_id is not null and (new.cost_micro_usd, new.tokens, new.unpriced_calls)
    is distinct from (old.cost_micro_usd, old.tokens, old.unpriced_calls))
  execute function keep_late_cost();

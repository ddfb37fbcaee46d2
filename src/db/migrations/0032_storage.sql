-- How much text each person may keep: titles, descriptions and texts of what they made, also of what lies in the bin. Working notes of runs
-- do not count, so that a run can end in good order. It is looked at after a write and without a lock: what is written at the same moment
-- may cross the limit together, once.

alter table user_quotas add column storage_bytes bigint check (storage_bytes >= 0);

drop function quota_of(uuid);
create function quota_of(who uuid)
  returns table (monthly_micro_usd bigint, run_micro_usd bigint, models text[], runs_at_once integer, storage_bytes bigint)
  language sql stable set search_path = homework, pg_temp
  begin atomic
    select coalesce(own.monthly_micro_usd, everyone.monthly_micro_usd), coalesce(own.run_micro_usd, everyone.run_micro_usd),
           coalesce(own.models, everyone.models), coalesce(own.runs_at_once, everyone.runs_at_once),
           coalesce(own.storage_bytes, everyone.storage_bytes)
      from (select 1) as one
      left join user_quotas own on own.user_id = who
      left join user_quotas everyone on everyone.user_id is null;
  end;

create index onto_tasks_created_by on onto_tasks (created_by);
create index onto_goals_created_by on onto_goals (created_by);
create index onto_plans_created_by on onto_plans (created_by);
create index onto_milestones_created_by on onto_milestones (created_by);
create index onto_documents_created_by on onto_documents (created_by);

create function text_size(title text, description text, content text) returns bigint language sql immutable
  return octet_length(title)::bigint + octet_length(description) + octet_length(content);

create function storage_of(who uuid) returns bigint language sql stable set search_path = homework, pg_temp
  begin atomic
    select coalesce(sum(size), 0)::bigint from (
      select text_size(title, description, content) as size from onto_tasks where created_by = who
      union all select text_size(title, description, content) from onto_goals where created_by = who
      union all select text_size(title, description, content) from onto_plans where created_by = who
      union all select text_size(title, description, content) from onto_milestones where created_by = who
      union all select text_size(title, description, content) from onto_documents
        where created_by = who and not is_working_note(created_by_run, type_key)) as kept;
  end;

-- One's own, also in projects that one has left.
create function app_storage() returns bigint language sql stable security definer set search_path = homework, pg_temp
  return storage_of(app_user_id());
revoke execute on function app_storage() from public;
grant execute on function app_storage() to homework_app;
alter function app_storage() owner to homework_system;

create function keep_within_storage() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
declare most bigint;
begin
  if new.created_by is null or is_working_note(new.created_by_run, new.type_key) then return null; end if;
  if tg_op = 'UPDATE' then
    if text_size(new.title, new.description, new.content) <= text_size(old.title, old.description, old.content) then return null; end if;
  end if;
  select q.storage_bytes into most from quota_of(new.created_by) q;
  if most is null or storage_of(new.created_by) <= most then return null; end if;
  raise exception 'no room is left for what % makes', new.created_by using errcode = 'HW050';
end $$;
revoke execute on function keep_within_storage() from public;

create trigger keep_within_storage after insert or update on onto_tasks for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_goals for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_plans for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_milestones for each row execute function keep_within_storage();
create trigger keep_within_storage after insert or update on onto_documents for each row execute function keep_within_storage();
alter function keep_within_storage() owner to homework_system;

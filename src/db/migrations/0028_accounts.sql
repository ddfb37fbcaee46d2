-- The local owner keeps being the same person after accounts were turned on, whatever address they sign in with then; and what
-- each person may spend and keep is a row that admins set.

alter table auth_users add column is_local_owner boolean not null default false;
update auth_users set is_local_owner = true where email = 'owner@homework.local';
create unique index auth_users_local_owner on auth_users (is_local_owner) where is_local_owner;

-- What each person may use. The row without a person is for everyone; null there is no limit, null in a person's row is what holds
-- for everyone. Without rows, as in a local installation, there are no limits.
create table user_quotas (
  user_id           uuid unique nulls not distinct references auth_users (id) on delete cascade,
  -- All calls of models in a calendar month (UTC).
  monthly_micro_usd bigint check (monthly_micro_usd >= 0),
  -- The cost limit of a run that names none.
  run_micro_usd     bigint check (run_micro_usd > 0),
  -- Models that may be named for a run, besides those of the installation.
  models            text[],
  runs_at_once      integer check (runs_at_once > 0),
  updated_at        timestamptz(3) not null default now()
);
alter table user_quotas enable row level security;
alter table user_quotas force row level security;
create policy system_all on user_quotas for all to homework_system using (true) with check (true);
grant select, insert, update, delete on user_quotas to homework_system;
create policy app_select on user_quotas for select to homework_app using (user_id = app_user_id() or user_id is null);
grant select on user_quotas to homework_app;

create function quota_of(who uuid)
  returns table (monthly_micro_usd bigint, run_micro_usd bigint, models text[], runs_at_once integer)
  language sql stable set search_path = homework, pg_temp
  begin atomic
    select coalesce(own.monthly_micro_usd, everyone.monthly_micro_usd), coalesce(own.run_micro_usd, everyone.run_micro_usd),
           coalesce(own.models, everyone.models), coalesce(own.runs_at_once, everyone.runs_at_once)
      from (select 1) as one
      left join user_quotas own on own.user_id = who
      left join user_quotas everyone on everyone.user_id is null;
  end;

-- What has been spent and reserved in this calendar month.
create function spent_this_month(who uuid) returns bigint language sql stable set search_path = homework, pg_temp
  begin atomic
    select coalesce(sum(case when state = 'reserved' then reserved_micro_usd else cost_micro_usd end), 0)::bigint
      from llm_usage_logs
     where user_id = who and created_at >= date_trunc('month', run_now() at time zone 'UTC') at time zone 'UTC';
  end;

-- Why a call of a model must not be made in someone's name; null where it may. Volatile: what it counts, it counts after the wait for
-- the lock, so that of two calls at once the second one sees the first.
create function refuse_call(who uuid, amount bigint, is_unpriced boolean) returns text
  language plpgsql volatile set search_path = homework, pg_temp as $$
declare most bigint;
begin
  if exists (select from auth_users where id = who and disabled_at is not null) then return 'disabled'; end if;
  select q.monthly_micro_usd into most from quota_of(who) q;
  if most is null then return null; end if;
  if is_unpriced then return 'unpriced'; end if;
  perform pg_advisory_xact_lock(hashtextextended('homework.quota.' || who, 0));
  if spent_this_month(who) + amount > most then return 'monthly_quota'; end if;
  return null;
end $$;

alter domain run_stop_reason drop constraint run_stop_reason_check;
alter domain run_stop_reason add constraint run_stop_reason_check check (value in ('max_iterations', 'running_time', 'cost', 'tokens',
  'tool_calls', 'no_progress', 'same_action', 'same_error', 'tool_missing', 'claim_rejected', 'provider_auth', 'provider_quota',
  'monthly_quota', 'paused'));

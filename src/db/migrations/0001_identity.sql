-- Who may do what: accounts (better-auth's tables under our names), members of projects, the audit log, and whose
-- transaction this is. Roles: homework_owner owns, homework_app is a user's transaction, homework_auth signs people in,
-- homework_system is the platform itself. See src/db/roles.ts.

-- The user whose identity the transaction carries; null where none was set (an empty string after a reset).
create function app_user_id() returns uuid language sql stable
  return nullif(current_setting('app.user_id', true), '')::uuid;

-- The run that writes, where one does.
create function app_run_id() returns uuid language sql stable
  return nullif(current_setting('app.run_id', true), '')::uuid;

create table auth_users (
  id             uuid primary key,
  name           text not null,
  email          text not null unique,
  email_verified boolean not null default false,
  image          text,
  role           text not null default 'user' check (role in ('user', 'admin')),
  disabled_at    timestamptz(3),
  created_at     timestamptz(3) not null default now(),
  updated_at     timestamptz(3) not null default now()
);

create table auth_sessions (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  token      text not null unique,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index auth_sessions_user on auth_sessions (user_id);

create table auth_accounts (
  id                       uuid primary key,
  user_id                  uuid not null references auth_users (id) on delete cascade,
  account_id               text not null,
  provider_id              text not null,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope                    text,
  -- A salted hash (scrypt), never the password.
  password                 text,
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  unique (provider_id, account_id)
);
create index auth_accounts_user on auth_accounts (user_id);

-- One-time login links; the token is stored hashed.
create table auth_verifications (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index auth_verifications_identifier on auth_verifications (identifier);

create table auth_api_keys (
  id                     uuid primary key,
  config_id              text not null default 'default',
  name                   text,
  start                  text,
  reference_id           uuid not null references auth_users (id) on delete cascade,
  prefix                 text,
  -- A hash of the key; the key itself is shown once and kept nowhere.
  key                    text not null unique,
  refill_interval        integer,
  refill_amount          integer,
  last_refill_at         timestamptz(3),
  enabled                boolean,
  rate_limit_enabled     boolean,
  rate_limit_time_window integer,
  rate_limit_max         integer,
  request_count          integer,
  remaining              integer,
  last_request           timestamptz(3),
  expires_at             timestamptz(3),
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  permissions            text,
  metadata               text
);
create index auth_api_keys_reference on auth_api_keys (reference_id);

-- Privileged actions, append-only: each row's hash covers the row before it, so a changed row is found.
create table audit_log (
  seq      bigint primary key,
  at       timestamptz(3) not null default now(),
  actor_id uuid,
  action   text not null,
  target   text not null,
  details  jsonb not null default '{}',
  previous bytea not null,
  hash     bytea not null
);

create function audit_hash(previous bytea, seq bigint, at timestamptz, actor_id uuid, action text, target text, details jsonb)
  returns bytea language sql immutable
  return sha256(previous || convert_to(jsonb_build_array(
    seq, extract(epoch from at), actor_id, action, target, details)::text, 'UTF8'));

-- Numbers and chains the new row. One writer at a time, so that numbers have no gaps and the chain no forks.
create function audit_chain() returns trigger language plpgsql security definer set search_path = homework, pg_temp as $$
declare last record;
begin
  perform pg_advisory_xact_lock(hashtextextended('homework.audit_log', 0));
  select seq, hash into last from audit_log order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.at := clock_timestamp();
  new.previous := coalesce(last.hash, '\x00'::bytea);
  new.hash := audit_hash(new.previous, new.seq, new.at, new.actor_id, new.action, new.target, new.details);
  return new;
end $$;

create trigger audit_chain before insert on audit_log for each row execute function audit_chain();

-- The first row that does not fit its neighbours, or null where the whole log holds.
create function audit_first_broken() returns bigint language sql stable security definer set search_path = homework, pg_temp
  begin atomic
    select seq from (
      select seq, hash, previous, audit_hash(previous, seq, at, actor_id, action, target, details) as expected,
             coalesce(lag(hash) over (order by seq), '\x00'::bytea) as expected_previous, row_number() over (order by seq) as n
        from audit_log
    ) rows
    where hash <> expected or previous <> expected_previous or seq <> n
    order by seq limit 1;
  end;

-- Answers to POSTs that create, so that the same Idempotency-Key creates once.
create table idempotency_keys (
  user_id      uuid not null references auth_users (id) on delete cascade,
  key          text not null,
  request_hash text not null,
  status       integer,
  response     jsonb,
  created_at   timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

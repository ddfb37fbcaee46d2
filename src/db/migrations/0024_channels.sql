-- Channels: further ways in which notifications reach their user. A webhook gets each of them as a signed request, a linked Telegram
-- chat as a message that can be answered there. A delivery is written with its notification and made by a job.

create table user_channels (
  id         uuid primary key,
  user_id    uuid not null references auth_users (id) on delete cascade,
  kind       text not null check (kind in ('webhook', 'telegram')),
  name       text not null check (length(name) between 1 and 100),
  events     text[] not null check (cardinality(events) > 0
               and events <@ array['waiting_on_user', 'holding', 'completed', 'stopped', 'failed',
                 'escalation', 'outcome_achieved', 'outcome_stopped']),
  is_on      boolean not null default true,
  -- Why the platform switched it off; null where its user did.
  off_reason text,
  url        text check (length(url) <= 2000),
  -- Telegram: the bot and the private chat with it. A chat belongs to one user.
  bot_id     bigint,
  chat_id    bigint,
  created_at timestamptz(3) not null default run_now(),
  unique (bot_id, chat_id),
  check ((kind = 'webhook') = (url is not null)),
  check ((kind = 'telegram') = (bot_id is not null) and (kind = 'telegram') = (chat_id is not null)),
  check (off_reason is null or not is_on)
);
create index user_channels_user on user_channels (user_id, created_at);

-- What webhooks are signed with. For a day after a new one was made, the one before signs as well.
create table channel_secrets (
  channel_id uuid not null references user_channels (id) on delete cascade,
  secret     text not null check (secret ~ '^whsec_.+$'),
  made_at    timestamptz(3) not null default run_now(),
  -- Null: the newest one.
  ends_at    timestamptz(3),
  primary key (channel_id, secret)
);
create unique index channel_secrets_newest on channel_secrets (channel_id) where ends_at is null;

create table channel_deliveries (
  -- The receiver sees it, the same with every try.
  id              uuid primary key,
  channel_id      uuid not null references user_channels (id) on delete cascade,
  -- Null: its user is trying the channel out.
  notification_id uuid references user_notifications (id) on delete cascade,
  -- Which telling of the notification, since its row says something else the next time.
  told            integer,
  event           text not null,
  -- What is told, as it was.
  payload         jsonb not null,
  state           text not null default 'pending' check (state in ('pending', 'delivered', 'given_up', 'dropped')),
  attempts        integer not null default 0 check (attempts >= 0),
  next_at         timestamptz(3) not null default run_now(),
  -- The HTTP status of the last answer, if there was one.
  last_status     integer,
  last_error      text,
  -- Telegram's number of the message, by which a reply is known.
  message_id      bigint,
  -- Answers that were given in the chat so far, where it asks several questions.
  answers         jsonb not null default '[]',
  created_at      timestamptz(3) not null default run_now(),
  ended_at        timestamptz(3),
  unique (channel_id, notification_id, told),
  check ((notification_id is null) = (told is null)),
  check ((ended_at is null) = (state = 'pending'))
);
create index channel_deliveries_newest on channel_deliveries (channel_id, created_at desc, id desc);
create index channel_deliveries_message on channel_deliveries (channel_id, message_id) where message_id is not null;
create index channel_deliveries_notification on channel_deliveries (notification_id);

-- By which a chat proves whose it is: once, for a quarter of an hour. One for each user.
create table telegram_links (
  user_id    uuid primary key references auth_users (id) on delete cascade,
  code_hash  text not null unique,
  expires_at timestamptz(3) not null
);

-- How far the updates of a bot were taken. The number moves in the transaction that carries an update out.
create table telegram_bots (
  bot_id      bigint primary key,
  username    text not null,
  next_update bigint not null default 0,
  taken_at    timestamptz(3),
  heard_at    timestamptz(3),
  failed_at   timestamptz(3),
  last_error  text
);

do $$
declare t text;
begin
  foreach t in array array['user_channels', 'channel_secrets', 'channel_deliveries', 'telegram_links', 'telegram_bots'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy system_all on %I for all to homework_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to homework_system', t);
  end loop;
end $$;
create policy app_own on user_channels for select to homework_app using (user_id = app_user_id());
create policy app_own on channel_deliveries for select to homework_app
  using (exists (select from user_channels c where c.id = channel_id and c.user_id = app_user_id()));
grant select on user_channels, channel_deliveries to homework_app;

-- One job is one try at a delivery; the next try is another job, planned with what this one led to. A worker that dies over it gives it
-- back after ten seconds without a heartbeat: the receiver may get it twice, with the same id.
select homework_queue.create_queue('homework_deliver', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 120, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

-- One job for all processes: whichever has it hears what people write to the bot. It is given up and planned again every few minutes.
select homework_queue.create_queue('homework_telegram', '{"policy": "standard", "retryLimit": 100000, "retryDelay": 0,
  "retryBackoff": false, "expireInSeconds": 600, "heartbeatSeconds": 10, "retentionSeconds": 315360000,
  "deleteAfterSeconds": 60, "notify": false}'::jsonb);

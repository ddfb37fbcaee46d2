-- The bell rings in the transaction of what it tells of, so nothing waits to be brought into a feed. What still waits is brought there here.

set local role homework_system;

insert into user_feeds as f (user_id, last_seq)
  select n.user_id, count(*) from notification_outbox o join user_notifications n on n.id = o.notification_id
   where o.channel = 'in_app' and o.state = 'pending' group by n.user_id
  on conflict (user_id) do update set last_seq = f.last_seq + excluded.last_seq;

insert into user_feed_events (user_id, seq, type, data)
  select n.user_id, f.last_seq - count(*) over (partition by n.user_id)
           + row_number() over (partition by n.user_id order by n.created_at, n.id),
         'notification_created', jsonb_build_object('id', n.id, 'about', n.about, 'run_id', n.run_id, 'event', n.event,
           'title', n.title, 'message', n.message, 'action_url', n.action_url, 'data', n.data,
           'created_at', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'read_at', to_char(n.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'is_silent', n.read_at is not null,
           'browser', not exists (select from user_notification_preferences p
             where p.user_id = n.user_id and p.event = n.event and not p.browser))
    from notification_outbox o
    join user_notifications n on n.id = o.notification_id
    join user_feeds f on f.user_id = n.user_id
   where o.channel = 'in_app' and o.state = 'pending';

set local role homework_owner;
drop table notification_outbox;

// Migration 0038 on a database of before: what still waited to be delivered is in the feeds afterwards, once and behind what was there.

import { expect, test } from "vitest";
import { databaseBefore } from "../../test/helpers/older-database.ts";
import { toldNotification } from "../protocol/routes/notifications.ts";

const { admin, upgrade } = await databaseBefore("one_outbox");
const [ann, ben] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const idOf = (n: number) => `00000000-0000-4000-8000-00000000001${n}`;

test("pending notifications are delivered, in order; delivered ones are not delivered again", async () => {
  await admin.query(`set search_path = homework;
    insert into auth_users (id, name, email) values ('${ann}', 'Ann', 'ann@example.com'), ('${ben}', 'Ben', 'ben@example.com');
    insert into user_notification_preferences (user_id, event, in_app, browser) values ('${ben}', 'failed', false, false);
    insert into user_feeds (user_id, last_seq) values ('${ann}', 4);
    insert into user_notifications (id, user_id, about, event, title, message, action_url, data, created_at, read_at) values
      ('${idOf(1)}', '${ann}', 'thing:1', 'completed', 'First', 'It is done', '/1', '{"n": 1}', '2026-01-02T03:04:05.678Z', null),
      ('${idOf(2)}', '${ann}', 'thing:2', 'completed', 'Second', 'It is done', '/2', '{}', '2026-01-02T03:04:06Z', null),
      ('${idOf(3)}', '${ann}', 'thing:3', 'completed', 'Delivered', 'It is done', '/3', '{}', '2026-01-02T03:04:04Z', null),
      ('${idOf(4)}', '${ben}', 'thing:4', 'failed', 'Silent', 'It failed', '/4', '{}', now(), now());
    insert into notification_outbox (notification_id, channel, state) values ('${idOf(2)}', 'in_app', 'pending'),
      ('${idOf(1)}', 'in_app', 'pending'), ('${idOf(3)}', 'in_app', 'delivered'), ('${idOf(4)}', 'in_app', 'pending')`);
  await upgrade();

  const rowsOf = async (sql: string) => (await admin.query(sql)).rows;
  const events = await rowsOf(
    "select user_id, seq::int, type, data from homework.user_feed_events order by user_id, seq",
  );
  expect(events.map(({ user_id, seq, type, data }) => [user_id, seq, type, data.title])).toEqual([
    [ann, 5, "notification_created", "First"],
    [ann, 6, "notification_created", "Second"],
    [ben, 1, "notification_created", "Silent"],
  ]);
  const told = events.map(({ data }) => toldNotification.parse(data));
  expect(told[0]).toEqual({
    ...{ id: idOf(1), about: "thing:1", run_id: null, event: "completed", title: "First", message: "It is done" },
    ...{ action_url: "/1", data: { n: 1 }, created_at: "2026-01-02T03:04:05.678Z", read_at: null },
    ...{ is_silent: false, browser: true },
  });
  expect(told[2]).toMatchObject({ read_at: expect.any(String), is_silent: true, browser: false });
  expect(await rowsOf("select last_seq::int from homework.user_feeds order by user_id")).toEqual([
    { last_seq: 6 },
    { last_seq: 1 },
  ]);
  expect(await rowsOf("select to_regclass('homework.notification_outbox') as table")).toEqual([{ table: null }]);
});

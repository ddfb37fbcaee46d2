import { expect, test } from "vitest";
import { insertNotification } from "../../test/helpers/run-rows.ts";
import { storeWorld } from "../../test/helpers/store-world.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { silentLogger } from "../lib/logger.ts";
import { realEnv } from "../main/env.ts";
import { appendToFeed, feedAfter } from "../store/notification/feed-store.ts";
import { type Channel, deliverDue, startOutbox } from "./deliver.ts";

const { admin, db, as, makeUser } = await storeWorld();
const options = { db, env: realEnv, logger: silentLogger };

const feedOf = (user: UserId) => as(user, (tx) => feedAfter(tx, user, 0, 1_000));

async function stateOf(id: string): Promise<{ state: string; attempts: number; error: string | null; waitS: number }> {
  const { rows } = await admin.query(
    `select state, attempts, last_error as error, ceil(extract(epoch from next_at - now()))::int as "waitS"
       from homework.notification_outbox where notification_id = $1`,
    [id],
  );
  return rows[0];
}

/** As if the wait were over. */
const makeDue = (id: string) =>
  admin.query("update homework.notification_outbox set next_at = now() where notification_id = $1", [id]);

test("a notification reaches its user's feed once", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const id = await insertNotification(admin, user);
  expect(await deliverDue(options)).toBe(1);
  expect(await deliverDue(options)).toBe(0);
  const feed = await feedOf(user);
  expect(feed).toMatchObject([{ seq: 1, type: "notification_created", data: { id, title: "Homework complete" } }]);
  expect(feed[0]?.data).not.toHaveProperty("user_id");
  expect(await feedOf(other)).toEqual([]);
  expect(await stateOf(id)).toMatchObject({ state: "delivered", attempts: 1 });
});

test("many processes at once deliver each of many once, in a feed without gaps", async () => {
  const users = [await makeUser(), await makeUser(), await makeUser()];
  for (let n = 0; n < 90; n++) await insertNotification(admin, users[n % 3] as UserId);
  const tried = await Promise.all(Array.from({ length: 4 }, () => deliverDue(options)));
  expect(tried.reduce((sum, count) => sum + count, 0)).toBe(90);
  for (const user of users) {
    const feed = await feedOf(user);
    expect(feed.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(new Set(feed.map(({ data }) => data.id)).size).toBe(30);
  }
});

test("what fails half-way leaves nothing behind, waits longer each time, and is given up in the end", async () => {
  const user = await makeUser();
  const id = await insertNotification(admin, user);
  const failing: Channel = async (tx) => {
    await appendToFeed(tx, user, "notification_created", { id });
    throw new Error("the bell is broken");
  };
  const waits: number[] = [];
  for (let n = 0; n < 10; n++) {
    await makeDue(id);
    expect(await deliverDue({ ...options, channels: { in_app: failing } })).toBe(1);
    const { state, attempts, error, waitS } = await stateOf(id);
    expect({ state, attempts, error }).toEqual({
      state: n < 9 ? "pending" : "given_up",
      attempts: n + 1,
      error: "the bell is broken",
    });
    waits.push(waitS);
  }
  expect(waits.slice(0, 9)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
  expect(await feedOf(user)).toEqual([]);
  await makeDue(id);
  expect(await deliverDue(options)).toBe(0);
});

test("one that fails does not keep the others waiting", async () => {
  const [unlucky, lucky] = [await makeUser(), await makeUser()];
  await insertNotification(admin, unlucky);
  await insertNotification(admin, lucky);
  const picky: Channel = async (tx, notification) => {
    if (notification.user_id === unlucky) throw new Error("no");
    await appendToFeed(tx, notification.user_id as UserId, "notification_created", {});
  };
  expect(await deliverDue({ ...options, channels: { in_app: picky } })).toBe(2);
  expect([(await feedOf(unlucky)).length, (await feedOf(lucky)).length]).toEqual([0, 1]);
});

test("a channel that nobody here knows is left for who does", async () => {
  const id = await insertNotification(admin, await makeUser(), "carrier_pigeon");
  expect(await deliverDue(options)).toBe(0);
  expect(await stateOf(id)).toMatchObject({ state: "pending", attempts: 0 });
});

test("the outbox looks when it is woken, looks by itself, and stops when told", async () => {
  const user = await makeUser();
  const sleepy = startOutbox({ ...options, everyMs: 3_600_000 });
  await expect.poll(() => feedOf(user)).toHaveLength(0);
  await insertNotification(admin, user);
  sleepy.wake();
  await expect.poll(() => feedOf(user)).toHaveLength(1);
  await sleepy.close();
  const lively = startOutbox({ ...options, everyMs: 10 });
  await insertNotification(admin, user);
  await expect.poll(() => feedOf(user)).toHaveLength(2);
  await lively.close();
});

import { expect, test } from "vitest";
import { channelWorld } from "../../test/helpers/channel-world.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Answerable } from "../notify/answerable.ts";
import type { Send, SendRequest, Sent } from "../notify/send.ts";
import { findChannel } from "../store/channel/channel-store.ts";
import { tellUser } from "../store/notification/notification-store.ts";

const world = await channelWorld();
const { addChannel, tell, deliveries, deliver, hurry, makeUser, as, admin } = world;

const delivered: Sent = { kind: "delivered", status: 204, messageId: null };

/** Answers with these, one after the other, and then with a yes; `requests` are what it was asked to send. */
function scripted(...answers: readonly Sent[]): { readonly send: Send; readonly requests: SendRequest[] } {
  const requests: SendRequest[] = [];
  const left = [...answers];
  return {
    requests,
    send: async (request) => {
      requests.push(request);
      return left.shift() ?? delivered;
    },
  };
}

const failed = (over: Partial<Extract<Sent, { kind: "failed" }>> = {}): Sent => ({
  kind: "failed",
  why: "The receiver answered with HTTP status 503",
  status: 503,
  afterMs: null,
  ...over,
});

const bellOf = async (userId: UserId) => {
  const { rows } = await admin.query(
    "select event, title, message, about from homework.user_notifications where user_id = $1 and event = 'channel_failed'",
    [userId],
  );
  return rows;
};

test("each channel that wants the event gets it once, with what was told", async () => {
  const user = await makeUser();
  const [wants, other] = [await addChannel(user), await addChannel(user, { events: ["failed"] })];
  const { send, requests } = scripted();
  const worker = deliver(send);
  await tell(user);
  await expect.poll(() => deliveries(wants)).toMatchObject([{ state: "delivered", attempts: 1, error: null }]);
  expect(await deliveries(other)).toEqual([]);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.delivery.payload).toMatchObject({ title: "Homework complete", actionUrl: "/homework" });
  expect(requests[0]?.secrets).toHaveLength(1);
  await worker.close(1_000);
});

test("a notification whose transaction fails is not delivered", async () => {
  const user = await makeUser();
  const channel = await addChannel(user);
  const broken = world.db.asSystem(async (tx) => {
    await tellUser(tx, world.queue, {
      userId: user,
      about: "thing:1",
      event: "completed",
      title: "x",
      message: "x",
      actionUrl: "/",
      data: {},
    });
    throw new Error("rolled back");
  });
  await expect(broken).rejects.toThrow("rolled back");
  expect(await deliveries(channel)).toEqual([]);
});

test("the same thing told again is another delivery, with what it says then", async () => {
  const user = await makeUser();
  const channel = await addChannel(user);
  await tell(user, { about: "thing:twice", message: "first" });
  await tell(user, { about: "thing:twice", message: "second" });
  const { send, requests } = scripted();
  const worker = deliver(send);
  await expect.poll(() => deliveries(channel)).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
  expect(requests.map(({ delivery }) => delivery.payload.message).toSorted()).toEqual(["first", "second"]);
  await worker.close(1_000);
});

test("one that fails is tried again with the same id after growing waits", async () => {
  const user = await makeUser();
  const channel = await addChannel(user);
  const { send, requests } = scripted(failed(), failed());
  const worker = deliver(send);
  await tell(user);
  await expect.poll(() => deliveries(channel)).toMatchObject([{ state: "pending", attempts: 1 }]);
  await expect.poll(async () => (await deliveries(channel))[0]?.error).toContain("503");
  const first = (await deliveries(channel))[0]?.waitMs ?? 0;
  await hurry();
  await expect.poll(async () => (await deliveries(channel))[0]?.attempts).toBe(2);
  await expect.poll(async () => (await deliveries(channel))[0]?.waitMs ?? 0).toBeGreaterThan(first + 10_000);
  await hurry();
  await expect.poll(() => deliveries(channel)).toMatchObject([{ state: "delivered", attempts: 3, error: null }]);
  expect(new Set(requests.map(({ delivery }) => delivery.id)).size).toBe(1);
  await worker.close(1_000);
});

test("a receiver that asks for a wait gets it", async () => {
  const user = await makeUser();
  const channel = await addChannel(user);
  const worker = deliver(scripted(failed({ status: 429, afterMs: 600_000 })).send);
  await tell(user);
  await expect.poll(async () => (await deliveries(channel))[0]?.waitMs ?? 0).toBeGreaterThan(590_000);
  await worker.close(1_000);
});

test("after the last try it is given up, and its user finds that in the bell", async () => {
  const user = await makeUser();
  const channel = await addChannel(user, { name: "Backend" });
  const worker = deliver(async () => failed());
  await tell(user);
  for (let tries = 1; tries < 10; tries++) {
    await expect
      .poll(async () => (await deliveries(channel))[0])
      .toMatchObject({ attempts: tries, error: expect.stringContaining("503") });
    await hurry();
  }
  await expect.poll(() => deliveries(channel)).toMatchObject([{ state: "given_up", attempts: 10 }]);
  expect(await bellOf(user)).toEqual([
    {
      event: "channel_failed",
      about: `channel:${channel}`,
      title: "Webhook could not be reached",
      message: "“Backend” did not get “Homework complete”. The receiver answered with HTTP status 503",
    },
  ]);
  expect((await as(user, (tx) => findChannel(tx, user, channel)))?.isOn).toBe(true);
  await worker.close(1_000);
});

test("a receiver that wants no more is switched off at once, and gets nothing afterwards", async () => {
  const user = await makeUser();
  const channel = await addChannel(user);
  const { send, requests } = scripted({ kind: "gone", why: "410: it wants no more", status: 410 });
  const worker = deliver(send);
  await tell(user);
  await expect.poll(() => deliveries(channel)).toMatchObject([{ state: "given_up", attempts: 1 }]);
  expect(await as(user, (tx) => findChannel(tx, user, channel))).toMatchObject({
    isOn: false,
    offReason: "410: it wants no more",
  });
  expect(await bellOf(user)).toMatchObject([{ title: "Webhook switched off" }]);
  await tell(user);
  expect(await deliveries(channel)).toHaveLength(1);
  expect(requests).toHaveLength(1);
  await worker.close(1_000);
});

test("what waits while its user switches the channel off is not sent", async () => {
  const user = await makeUser();
  const channel = await addChannel(user);
  await tell(user);
  await admin.query("update homework.user_channels set is_on = false where id = $1", [channel]);
  const { send, requests } = scripted();
  const worker = deliver(send);
  await expect.poll(() => deliveries(channel)).toMatchObject([{ state: "dropped" }]);
  expect(requests).toEqual([]);
  await worker.close(1_000);
});

test("a person is not asked what was answered meanwhile; a program is told all the same", async () => {
  const user = await makeUser();
  const chat = await addChannel(user, { target: { kind: "telegram", botId: 1, chatId: 99 } });
  const hook = await addChannel(user);
  const closed: Answerable = { isOpen: async () => false, answer: async () => ({ kind: "closed" }) };
  await tell(user, { event: "waiting_on_user", data: { questions: [{ id: "q", text: "Which?", options: [] }] } });
  const { send, requests } = scripted();
  const worker = deliver(send, { thing: closed });
  await expect.poll(() => deliveries(chat)).toMatchObject([{ state: "dropped" }]);
  await expect.poll(() => deliveries(hook)).toMatchObject([{ state: "delivered" }]);
  expect(requests.map(({ delivery }) => delivery.channel.id)).toEqual([hook]);
  await worker.close(1_000);
});

test("a channel that is removed takes its deliveries along, and their jobs come to nothing", async () => {
  const user = await makeUser();
  const channel = await addChannel(user);
  await tell(user);
  const [delivery] = await deliveries(channel);
  await admin.query("delete from homework.user_channels where id = $1", [channel]);
  const openJobs = async () =>
    (await admin.query("select from homework.open_jobs where data->>'delivery_id' = $1", [delivery?.id])).rowCount;
  expect(await openJobs()).toBe(1);
  const { send, requests } = scripted();
  const worker = deliver(send);
  await expect.poll(openJobs).toBe(0);
  expect(requests).toEqual([]);
  await worker.close(1_000);
});

import pg from "pg";
import { describe, expect, test } from "vitest";
import { channelWorld } from "../../../test/helpers/channel-world.ts";
import { examineHealth } from "./channel-health.ts";
import { findChannel, keepSecret, listChannels, secretsOf, updateChannel } from "./channel-store.ts";
import { enqueueDueDeliveries, forgetOldDeliveries, listDeliveries } from "./delivery-store.ts";

const world = await channelWorld();
const { db, as, admin, makeUser, addChannel, tell, deliveries } = world;

describe("a user", () => {
  test("sees their own channels and deliveries, and nobody else's", async () => {
    const [ada, eve] = [await makeUser(), await makeUser()];
    const channel = await addChannel(ada);
    await tell(ada);
    const seen = (who: typeof ada) =>
      as(who, async (tx) => ({
        channels: (await listChannels(tx, ada)).length,
        found: (await findChannel(tx, ada, channel)) !== null,
        deliveries: (await listDeliveries(tx, channel, { limit: 10 })).items.length,
      }));
    expect(await seen(ada)).toEqual({ channels: 1, found: true, deliveries: 1 });
    expect(await seen(eve)).toEqual({ channels: 0, found: false, deliveries: 0 });
  });

  test("cannot write channels or read secrets in their own name", async () => {
    const ada = await makeUser();
    const channel = await addChannel(ada);
    await expect(as(ada, (tx) => updateChannel(tx, channel, { name: "x" }))).rejects.toThrow(/permission denied/);
    await expect(as(ada, (tx) => secretsOf(tx, channel))).rejects.toThrow(/permission denied/);
  });
});

describe("secrets", () => {
  test("the newest comes first, the one before until its time is over", async () => {
    const channel = await addChannel(await makeUser());
    const [first] = await db.asSystem((tx) => secretsOf(tx, channel));
    await db.asSystem((tx) => keepSecret(tx, channel, "whsec_c2Vjb25k", 24));
    expect(await db.asSystem((tx) => secretsOf(tx, channel))).toEqual(["whsec_c2Vjb25k", first]);
    await admin.query(
      "update homework.channel_secrets set ends_at = now() - interval '1 second' where channel_id = $1 and ends_at is not null",
      [channel],
    );
    expect(await db.asSystem((tx) => secretsOf(tx, channel))).toEqual(["whsec_c2Vjb25k"]);
  });
});

describe("deliveries", () => {
  test("those that are pending get their jobs back after a restore", async () => {
    const user = await makeUser();
    const channel = await addChannel(user);
    await tell(user);
    await world.queue.clear();
    await db.asSystem((tx) => enqueueDueDeliveries(tx, world.queue));
    const [delivery] = await deliveries(channel);
    const { rowCount } = await admin.query("select from homework.open_jobs where data->>'delivery_id' = $1", [
      delivery?.id,
    ]);
    expect(rowCount).toBe(1);
  });

  test("those that ended long ago are forgotten, pending ones stay", async () => {
    const user = await makeUser();
    const channel = await addChannel(user);
    await tell(user);
    await tell(user);
    const [old] = await deliveries(channel);
    await admin.query(
      "update homework.channel_deliveries set state = 'delivered', ended_at = now() - interval '91 days' where id = $1",
      [old?.id],
    );
    await db.asSystem((tx) => forgetOldDeliveries(tx, 90));
    expect(await deliveries(channel)).toMatchObject([{ state: "pending" }]);
  });
});

describe("the doctor", () => {
  async function examine() {
    const client = new pg.Client({ connectionString: world.adminUrl });
    await client.connect();
    try {
      return await examineHealth(client);
    } finally {
      await client.end();
    }
  }

  const settle = (channelId: string, state: string, error: string | null) =>
    admin.query(
      `update homework.channel_deliveries set state = $2, last_error = $3,
         ended_at = case when $2 = 'pending' then null else now() end where channel_id = $1`,
      [channelId, state, error],
    );

  test("names channels whose last delivery failed, those that were switched off, and a bot that is not heard", async () => {
    const user = await makeUser();
    const [fine, failing, off, ownWish] = [
      await addChannel(user, { name: "fine" }),
      await addChannel(user, { name: "failing" }),
      await addChannel(user, { name: "off" }),
      await addChannel(user, { name: "own wish" }),
    ];
    await tell(user);
    await settle(fine, "delivered", null);
    await settle(failing, "pending", "HTTP status 503");
    await settle(off, "delivered", null);
    await settle(ownWish, "given_up", "HTTP status 500");
    await admin.query("update homework.user_channels set is_on = false, off_reason = '410' where id = $1", [off]);
    await admin.query("update homework.user_channels set is_on = false where id = $1", [ownWish]);
    await admin.query(
      "insert into homework.telegram_bots (bot_id, username, last_error) values (1, 'deaf', 'Conflict')",
    );
    const { troubled, deafBots } = await examine();
    expect(troubled.filter(({ name }) => ["fine", "failing", "off", "own wish"].includes(name))).toEqual([
      { name: "failing", kind: "webhook", why: "HTTP status 503" },
      { name: "off", kind: "webhook", why: "410" },
    ]);
    expect(deafBots).toEqual([{ username: "deaf", lastError: "Conflict" }]);
  });
});

// Channels over HTTP: adding, changing and removing them, secrets that are shown once, tests, and never anybody else's.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { keepBot } from "../../src/store/channel/telegram-store.ts";
import { noBot, type Person, testApp } from "../helpers/test-app.ts";

const botId = 4_242;
const channels: { botId: number | null } & Pick<typeof noBot, "judgeUrl"> = { ...noBot, botId };
const app = await testApp({ channels });
const url = "/api/channels";

const list = async (by: Person) => routes.channels.list.result.parse((await app.call("GET", url, by.session)).body);
const post = (by: Person, path: string, body?: unknown) => app.call("POST", `${url}${path}`, by.session, { body });

async function addWebhook(by: Person, over: object = {}) {
  const answer = await post(by, "/webhooks", { name: "Backend", url: "https://hook.example/x", ...over });
  return routes.channels.addWebhook.result.parse(answer.body);
}

const secretsOf = async (channelId: string) => {
  const { rows } = await app.admin.query(
    "select secret, ends_at is null as is_newest from homework.channel_secrets where channel_id = $1 order by made_at",
    [channelId],
  );
  return rows;
};

test("a webhook is added with a secret that is shown this once", async () => {
  const ada = await app.signUp("ada");
  const { channel, secret } = await addWebhook(ada);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(channel).toMatchObject({
    kind: "webhook",
    name: "Backend",
    url: "https://hook.example/x",
    events: ["waiting_on_user", "completed", "stopped", "failed", "escalation", "outcome_achieved", "outcome_stopped"],
    is_on: true,
    off_reason: null,
  });
  const again = await list(ada);
  expect(again.channels).toEqual([channel]);
  expect(JSON.stringify(again)).not.toContain(secret);
  expect(await secretsOf(channel.id)).toEqual([{ secret, is_newest: true }]);
});

test("an address that webhooks may not reach is refused, also later", async () => {
  const ada = await app.signUp("ada");
  const refused = await post(ada, "/webhooks", { name: "Inside", url: "http://127.0.0.1/x" });
  expect([refused.status, refused.body.error.message]).toEqual([400, "body.url: must begin with https://"]);
  const { channel } = await addWebhook(ada);
  const moved = await app.call("PATCH", `${url}/${channel.id}`, ada.session, { body: { url: "http://10.0.0.1/" } });
  expect(moved.status).toBe(400);
  expect((await list(ada)).channels[0]?.url).toBe("https://hook.example/x");
});

test("a channel without events, or with one that there is not, is refused", async () => {
  const ada = await app.signUp("ada");
  for (const events of [[], ["nonsense"], ["failed", "failed"]])
    expect((await post(ada, "/webhooks", { name: "x", url: "https://hook.example", events })).status).toBe(400);
});

test("what is changed is changed, and the rest stays", async () => {
  const ada = await app.signUp("ada");
  const { channel } = await addWebhook(ada);
  const change = (body: object) => app.call("PATCH", `${url}/${channel.id}`, ada.session, { body });
  expect((await change({ events: ["failed"] })).body).toEqual({ ...channel, events: ["failed"] });
  expect((await change({ is_on: false })).body).toEqual({ ...channel, events: ["failed"], is_on: false });
});

test("switching a channel on again forgets why it was off", async () => {
  const ada = await app.signUp("ada");
  const { channel } = await addWebhook(ada);
  await app.admin.query("update homework.user_channels set is_on = false, off_reason = '410' where id = $1", [
    channel.id,
  ]);
  expect((await list(ada)).channels).toMatchObject([{ is_on: false, off_reason: "410" }]);
  const renamed = await app.call("PATCH", `${url}/${channel.id}`, ada.session, { body: { name: "New name" } });
  expect(renamed.body).toMatchObject({ is_on: false, off_reason: "410" });
  const on = await app.call("PATCH", `${url}/${channel.id}`, ada.session, { body: { is_on: true } });
  expect(on.body).toMatchObject({ is_on: true, off_reason: null });
});

test("a new secret signs from now on, and the one before for a day", async () => {
  const ada = await app.signUp("ada");
  const { channel, secret: first } = await addWebhook(ada);
  const rotate = async () => (await post(ada, `/${channel.id}/secret`)).body.secret;
  const second = await rotate();
  expect(await secretsOf(channel.id)).toEqual([
    { secret: first, is_newest: false },
    { secret: second, is_newest: true },
  ]);
  const third = await rotate();
  expect((await secretsOf(channel.id)).map(({ secret }) => secret)).toEqual([second, third]);
});

test("a test is a delivery of its own, and says what it is", async () => {
  const ada = await app.signUp("ada");
  const { channel } = await addWebhook(ada);
  const sent = await post(ada, `/${channel.id}/test`);
  expect(sent.body).toMatchObject({ event: "test", title: "Test from Homework", state: "pending", attempts: 0 });
  const { body } = await app.call("GET", `${url}/${channel.id}/deliveries`, ada.session);
  expect(body).toEqual({ items: [sent.body], next_cursor: null });
});

test("a channel that is off cannot be tested", async () => {
  const ada = await app.signUp("ada");
  const { channel } = await addWebhook(ada);
  await app.call("PATCH", `${url}/${channel.id}`, ada.session, { body: { is_on: false } });
  expect((await post(ada, `/${channel.id}/test`)).status).toBe(409);
});

test("deliveries come in pages, newest first", async () => {
  const ada = await app.signUp("ada");
  const { channel } = await addWebhook(ada);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift((await post(ada, `/${channel.id}/test`)).body.id);
  await app.admin.query(
    `update homework.channel_deliveries d set created_at = now() - o.place * interval '1 second'
       from unnest($1::uuid[]) with ordinality as o (id, place) where d.id = o.id`,
    [ids],
  );
  const page = async (query: string) =>
    (await app.call("GET", `${url}/${channel.id}/deliveries?${query}`, ada.session)).body;
  const first = await page("limit=2");
  const second = await page(`limit=2&cursor=${first.next_cursor}`);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect(second.next_cursor).toBeNull();
});

test("a channel that is removed is gone, with its deliveries and its secret", async () => {
  const ada = await app.signUp("ada");
  const { channel } = await addWebhook(ada);
  await post(ada, `/${channel.id}/test`);
  expect((await app.call("DELETE", `${url}/${channel.id}`, ada.session)).status).toBe(200);
  expect((await list(ada)).channels).toEqual([]);
  expect(await secretsOf(channel.id)).toEqual([]);
  expect((await app.call("DELETE", `${url}/${channel.id}`, ada.session)).status).toBe(404);
});

test("twenty channels are the most", async () => {
  const ada = await app.signUp("ada");
  for (let n = 0; n < 20; n++) await addWebhook(ada);
  const answer = await post(ada, "/webhooks", { name: "x", url: "https://hook.example" });
  expect([answer.status, answer.body.error.message]).toEqual([422, "20 channels are the most: remove one first"]);
});

test("a code for Telegram comes with a link once the bot is known, and is kept as a hash only", async () => {
  const ada = await app.signUp("ada");
  const before = (await post(ada, "/telegram/link")).body;
  expect(before).toMatchObject({ url: null, username: null });
  await app.db.asSystem((tx) => keepBot(tx, botId, "homework_bot"));
  const { code, url: link } = (await post(ada, "/telegram/link")).body;
  expect(link).toBe(`https://t.me/homework_bot?start=${code}`);
  expect((await list(ada)).telegram).toEqual({ username: "homework_bot", problem: null });
  const { rows } = await app.admin.query("select code_hash from homework.telegram_links where user_id = $1", [ada.id]);
  expect(rows).toHaveLength(1);
  expect(rows[0].code_hash).not.toContain(code);
});

test("without a bot there is nothing to link", async () => {
  const ada = await app.signUp("ada");
  channels.botId = null;
  expect((await post(ada, "/telegram/link")).status).toBe(422);
  expect((await list(ada)).telegram).toBeNull();
  channels.botId = botId;
});

test("adding, changing and removing stand in the audit log, without the secret", async () => {
  const ada = await app.signUp("ada");
  const { channel, secret } = await addWebhook(ada);
  await post(ada, `/${channel.id}/secret`);
  await app.call("DELETE", `${url}/${channel.id}`, ada.session);
  const { rows } = await app.admin.query(
    "select action, details from homework.audit_log where target = $1 order by seq",
    [`channel:${channel.id}`],
  );
  expect(rows.map(({ action }) => action)).toEqual(["channel_added", "channel_changed", "channel_removed"]);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

import { expect, test } from "vitest";
import { type Answers, answering, runInTest } from "../../../test/helpers/cli-host.ts";

const hook = {
  id: "0198c2a4-0000-7000-8000-0000000000aa",
  kind: "webhook",
  name: "backend",
  events: ["completed"],
  is_on: true,
  off_reason: null,
  url: "https://hook.example/x",
  created_at: "2030-03-17T17:36:40Z",
};
const delivery = {
  id: "0198c2a4-0000-7000-8000-0000000000bb",
  event: "test",
  title: "Test from Homework",
  state: "pending",
  attempts: 0,
  next_at: "2030-03-17T17:36:40Z",
  last_status: null,
  last_error: null,
  created_at: "2030-03-17T17:36:40Z",
  ended_at: null,
};

const list: Answers = { "GET /api/channels": () => ({ channels: [hook], telegram: null }) };

function run(args: readonly string[], answers: Answers) {
  const { services, requests } = answering({ ...list, ...answers });
  const working = { ...services, ...(services.connect ? { connectWorking: services.connect } : {}) };
  return { requests, ran: runInTest(["channel", ...args], { services: working }) };
}

const tested = (over: object): Answers => ({
  [`POST /api/channels/${hook.id}/test`]: () => delivery,
  [`GET /api/channels/${hook.id}/deliveries`]: () => ({ items: [{ ...delivery, ...over }], next_cursor: null }),
});

test("the list says what goes where", async () => {
  const { out, code } = await run(["list"], {}).ran;
  expect(code).toBe(0);
  expect(out).toMatch(/ID +KIND +STATE +EVENTS +NAME/);
  expect(out).toMatch(/webhook +on +completed +backend https:\/\/hook\.example\/x/);
});

test("an empty list says how to add one", async () => {
  const none: Answers = { "GET /api/channels": () => ({ channels: [], telegram: null }) };
  expect(await run(["list"], none).ran).toMatchObject({ out: "", words: expect.stringContaining("add-webhook") });
});

test("adding a webhook prints the secret as data, and says that it is shown once", async () => {
  const bodies: unknown[] = [];
  const added: Answers = {
    "POST /api/channels/webhooks": ({ body }) => {
      bodies.push(body);
      return { channel: hook, secret: "whsec_b2xk" };
    },
  };
  const { out, words } = await run(["add-webhook", "backend", hook.url, "--events", "completed,failed"], added).ran;
  expect([out, words]).toEqual(["whsec_b2xk\n", "Keep this secret. It is not shown again.\n"]);
  expect(bodies).toEqual([{ name: "backend", url: hook.url, events: ["completed", "failed"] }]);
});

test("an event that there is not is a wrong usage", async () => {
  const { code, words } = await run(["add-webhook", "x", "https://x.example", "--events", "never"], {}).ran;
  expect([code, words]).toEqual([2, expect.stringContaining(`"never" is not one of waiting_on_user`)]);
});

test("a test that arrives says so", async () => {
  const { ran } = run(["test", "backend"], tested({ state: "delivered", attempts: 1, last_status: 204 }));
  expect(await ran).toMatchObject({ code: 0, out: "Delivered (HTTP 204)\n" });
});

test("a test that fails says why, and the command fails", async () => {
  const { ran } = run(["test", "backend"], tested({ attempts: 1, last_error: "There is no server of that name" }));
  expect(await ran).toMatchObject({ code: 1, out: "Failed: There is no server of that name\n" });
});

test("linking Telegram prints the link", async () => {
  const made = { code: "abc", url: "https://t.me/bot?start=abc", username: "bot", expires_at: delivery.created_at };
  const { ran } = run(["link-telegram"], { "POST /api/channels/telegram/link": () => made });
  expect(await ran).toMatchObject({ out: `${made.url}\n`, words: expect.stringContaining("@bot: /start abc") });
});

test("removing names what was removed", async () => {
  const gone: Answers = { [`DELETE /api/channels/${hook.id}`]: () => ({ ok: true }) };
  expect(await run(["remove", "backend"], gone).ran).toMatchObject({
    out: `${hook.id}\n`,
    words: "Removed backend.\n",
  });
});

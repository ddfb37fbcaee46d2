import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { labToken } from "../../test/lab/telegram.ts";
import { startWebhookReceiver } from "../../test/lab/webhook-receiver.ts";
import type { DueDelivery } from "../store/channel/delivery-store.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { openChannels } from "./open-channels.ts";

const folder = mkdtempSync(path.join(tmpdir(), "homework-channels-"));
const receiver = await startWebhookReceiver();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await receiver.close();
});

const open = (over: Partial<Config> = {}) =>
  openChannels({ ...configSchema.parse({ data: folder }), ...over }, "https://homework.example");

describe("an address for webhooks", () => {
  const { judgeUrl } = open();
  test.for([
    "https://hook.example/x",
    "https://hook.example:8443/x?y=1",
    "https://93.184.215.14/x",
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/",
  ])("%s may be", (url) => {
    expect(judgeUrl(url)).toBeNull();
  });

  test.for([
    ["hook.example", "must be an address"],
    ["ftp://hook.example", "must be an address"],
    ["https://ada:secret@hook.example", "must have no user"],
    ["https://hook.example/#x", "must have no user, password or fragment"],
    ["http://hook.example", "must begin with https://"],
    ["https://hook.example:22/", "must use one of the ports 443, 8443"],
    ["https://hook.example:80/", "must use one of the ports 443, 8443"],
    ["https://localhost/", "must be a public address"],
    ["https://127.0.0.1/", "must be a public address"],
    ["https://2130706433/", "must be a public address"],
    ["https://10.0.0.1/", "must be a public address"],
    ["https://169.254.169.254/latest", "must be a public address"],
    ["https://[::1]/", "must be a public address"],
    ["https://[::ffff:127.0.0.1]/", "must be a public address"],
  ] as const)("%s %s", ([url, problem]) => {
    expect(judgeUrl(url)).toContain(problem);
  });

  test("may be inside where the operator allows it", () => {
    expect(open({ webhook_private_addresses: true }).judgeUrl("http://127.0.0.1:8080/x")).toBeNull();
  });
});

describe("a webhook", () => {
  const delivery = {
    id: "0198c2a4-0000-7000-8000-0000000000aa",
    event: "completed",
    attempts: 1,
    payload: { about: "run:1", title: "x", message: "x", actionUrl: "/", data: {}, at: "2026-11-16T12:00:00Z" },
    channel: { target: { kind: "webhook", url: receiver.url } },
  } as unknown as DueDelivery;
  const secrets = ["whsec_b2xk"];
  const never = new AbortController().signal;

  test("does not reach this machine, although its name was accepted", async () => {
    const sent = await open().senders.webhook?.({ delivery, secrets }, never);
    expect(sent).toMatchObject({ kind: "failed", why: "The address is not a public one of the internet" });
    expect(receiver.received).toEqual([]);
  });

  test.for([
    [{ status: 200 }, { kind: "delivered", status: 200 }],
    [
      { status: 301, headers: { location: "https://elsewhere.example" } },
      { kind: "failed", status: 301 },
    ],
    [{ status: 410 }, { kind: "gone", status: 410 }],
    [
      { status: 429, headers: { "retry-after": "7" } },
      { kind: "failed", status: 429, afterMs: 7_000 },
    ],
    [
      { status: 503, headers: { "retry-after": "soon" } },
      { kind: "failed", status: 503, afterMs: null },
    ],
  ] as const)("that answers %o is %o", async ([answer, expected]) => {
    receiver.answerNext(answer);
    const { senders } = open({ webhook_private_addresses: true });
    expect(await senders.webhook?.({ delivery, secrets }, never)).toMatchObject(expected);
  });

  test("that nobody answers is tried again", async () => {
    const gone = { ...delivery, channel: { target: { kind: "webhook", url: "http://127.0.0.1:1/" } } };
    const { senders } = open({ webhook_private_addresses: true });
    expect(await senders.webhook?.({ delivery: gone as DueDelivery, secrets }, never)).toMatchObject({
      kind: "failed",
      status: null,
      why: expect.stringContaining("could not be reached"),
    });
  });
});

describe("the bot", () => {
  test("is missing without a token", () => {
    expect([open().botId, Object.keys(open().senders)]).toEqual([null, ["webhook"]]);
  });

  test("comes from a token, or from a file that holds one", () => {
    const file = path.join(folder, "token");
    writeFileSync(file, `${labToken}\n`);
    expect(open({ telegram_bot_token: labToken }).botId).toBe(4_242);
    expect(open({ telegram_bot_token_file: file }).botId).toBe(4_242);
  });

  test("is refused where the file holds something else, without saying what", () => {
    const file = path.join(folder, "no-token");
    writeFileSync(file, "hunter2");
    expect(() => open({ telegram_bot_token_file: file })).toThrow(/holds no token as @BotFather shows it/);
    expect(() => open({ telegram_bot_token_file: path.join(folder, "missing") })).toThrow(/cannot be read/);
  });
});

// A server that is killed in the middle of an answer: the next one says that it failed, and what it cost at most is paid.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { chatLimits } from "../../src/domain/chat/chat.ts";
import { realEnv } from "../../src/main/env.ts";
import { routes } from "../../src/protocol/api.ts";
import { ApiError } from "../../src/protocol/client.ts";
import { createFollow } from "../../src/protocol/follow.ts";
import {
  killServerHard,
  makeDataFolder,
  removeDataFolder,
  type Served,
  startServer,
  stopServer,
} from "../helpers/served.ts";
import { startLab } from "../lab/lab.ts";
import { canaryKey, labPrices } from "../lab/lab-models.ts";

const lab = await startLab({ prices: labPrices, script: (_, at) => answers[at] ?? { text: "Here I am." } });
const answers = [{ text: "Once upon a time. ".repeat(400), slowMs: 100 }];
const data = makeDataFolder();
const settings = {
  HOMEWORK_MODEL: "anthropic/claude-sonnet-5-5",
  HOMEWORK_ANTHROPIC_API_KEY: canaryKey,
  HOMEWORK_ANTHROPIC_BASE_URL: lab.baseUrl("anthropic"),
};
const open: Served[] = [];

async function start(): Promise<Served> {
  const server = await startServer(data, { settings });
  open.push(server);
  return server;
}

afterAll(async () => {
  for (const server of open) await stopServer(server);
  await removeDataFolder(data);
  await lab.close();
}, 60_000);

/** The first piece of the answer. */
async function untilText({ apiOptions }: Served, chatId: string, since: number): Promise<string> {
  const over = new AbortController();
  const follow = createFollow(apiOptions, realEnv);
  const input = { params: { chatId }, query: {} };
  for await (const { data: event } of follow(routes.chats.stream, input, { after: since, signal: over.signal }))
    if (event.type === "text") {
      over.abort();
      return String(event.data.text);
    }
  throw new Error("the stream ended");
}

test("what was being written has failed, with its text so far, and another message is answered", async () => {
  const first = await start();
  const { id: chatId } = await first.api(routes.chats.create, { body: {} });
  const sent = await first.api(routes.chats.send, { params: { chatId }, body: { text: "Tell me a story" } });
  const seen = await untilText(first, chatId, sent.since_seq);
  await killServerHard(first);
  const second = await start();
  const say = (text: string) =>
    second.api(routes.chats.send, { params: { chatId }, body: { text } }).catch((thrown: unknown) => thrown);
  // Until it has been silent for long enough, nobody can know that it is not written any more.
  let said = await say("Still there?");
  expect(said).toMatchObject({ code: "wrong_status" });
  for (let waited = 0; said instanceof ApiError && waited < 2 * chatLimits.silentSeconds; waited++) {
    await sleep(1_000);
    said = await say("Still there?");
  }
  const read = async () =>
    (await second.api(routes.chats.get, { params: { chatId }, query: {} })).messages.items.toReversed();
  await expect.poll(async () => (await read()).at(-1)?.state).toBe("complete");
  const [, lost, , found] = await read();
  expect(lost).toMatchObject({ state: "failed", error: expect.stringContaining("Ask again") });
  expect(seen).not.toBe("");
  expect(lost?.text.startsWith(seen)).toBe(true);
  expect(lost?.metrics.cost_total_micro_usd).toBeGreaterThan(0);
  expect(found).toMatchObject({ text: "Here I am.", is_demo: false });
}, 180_000);

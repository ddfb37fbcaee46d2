// A server that is killed in the middle of an answer: the next one goes on with it, and what was lost is paid for.

import { afterAll, expect, test } from "vitest";
import { realEnv } from "../../src/main/env.ts";
import { routes } from "../../src/protocol/api.ts";
import { createFollow } from "../../src/protocol/follow.ts";
import { killServerHard, removeDataFolder, type Served, startServer, stopServer } from "../helpers/served.ts";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { startLab } from "../lab/lab.ts";
import { canaryKey, labPrices } from "../lab/lab-models.ts";

const lab = await startLab({ prices: labPrices, script: (_, at) => answers[at] ?? { text: "Here I am." } });
const answers = [{ text: "Once upon a time. ".repeat(400), slowMs: 100 }];
const data = copyUsedDataFolder();
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
});

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

test("the next server goes on with the answer by itself, and what was lost is paid for", async () => {
  const first = await start();
  const { id: chatId } = await first.api(routes.chats.create, { body: {} });
  const sent = await first.api(routes.chats.send, { params: { chatId }, body: { text: "Tell me a story" } });
  expect(await untilText(first, chatId, sent.since_seq)).not.toBe("");
  await killServerHard(first);
  const second = await start();
  const read = async () =>
    (await second.api(routes.chats.get, { params: { chatId }, query: {} })).messages.items.toReversed();
  await expect.poll(async () => (await read()).at(-1)?.state).toBe("complete");
  const [, answer, ...more] = await read();
  expect(answer).toMatchObject({ text: "Here I am.", is_demo: false, error: null });
  expect(answer?.metrics.cost_total_micro_usd).toBeGreaterThan(lab.ledger.totals().costMicroUsd);
  expect(more).toEqual([]);
});

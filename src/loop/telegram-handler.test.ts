import { expect, test } from "vitest";
import { telegramWorld } from "../../test/helpers/telegram-world.ts";
import { silentLogger } from "../lib/logger.ts";
import { realEnv } from "../main/env.ts";
import { planListening, telegramHandler } from "./telegram-handler.ts";
import { startWorker } from "./worker.ts";

const world = await telegramWorld();
const { db, queue, lab, listenDeps } = world;

async function startListening() {
  const handler = telegramHandler({ ...listenDeps, pollSeconds: 20, queue, env: realEnv });
  const worker = startWorker({ db, queue, handlers: { telegram: handler }, env: realEnv, logger: silentLogger });
  await planListening(db, queue);
  return worker;
}

const helpIn = (chatId: number) => lab.messages(chatId).filter(({ text }) => text.includes("not linked"));

test("of several processes one hears the bot, and when it stops another one does at once", async () => {
  const first = await startListening();
  lab.say(1, "hello");
  await expect.poll(() => helpIn(1)).toHaveLength(1);
  const second = await startListening();
  lab.say(2, "hello");
  await expect.poll(() => helpIn(2)).toHaveLength(1);
  await first.close(6_000);
  lab.say(3, "hello");
  await expect.poll(() => helpIn(3)).toHaveLength(1);
  await second.close(6_000);
  // The one that closed cuts its question off; the lab may see the next one before it notices.
  expect(lab.conflicts()).toBeLessThanOrEqual(1);
});

test("a wait that Telegram asks for is kept before it is asked again", async () => {
  lab.failNext("getUpdates", { status: 429, description: "Too Many Requests", retryAfter: 3 });
  const asked = lab.calls("getUpdates");
  const began = performance.now();
  const worker = await startListening();
  lab.say(4, "hello");
  await expect.poll(() => helpIn(4)).toHaveLength(1);
  expect(performance.now() - began).toBeGreaterThan(2_500);
  expect(lab.calls("getUpdates") - asked).toBeGreaterThanOrEqual(2);
  await worker.close(1_000);
});

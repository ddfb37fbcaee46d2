// Channels with real processes: a run asks and is answered in Telegram, its end arrives in the chat and signed at a webhook, and a worker
// that is killed between sending and writing that down leaves a delivery that arrives again with the same id.

import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { ownProcess, runLabServerAt, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { killServerHard } from "../helpers/served.ts";
import { labToken, startTelegramLab } from "../lab/telegram.ts";
import { isSignedWith, startWebhookReceiver } from "../lab/webhook-receiver.ts";

const telegram = await startTelegramLab();
const receiver = await startWebhookReceiver();
const lab = await runLabServerAt(ownProcess, {
  HOMEWORK_TELEGRAM_BOT_TOKEN: labToken,
  HOMEWORK_TELEGRAM_API_URL: telegram.url,
  HOMEWORK_WEBHOOK_PRIVATE_ADDRESSES: "true",
});
afterAll(async () => {
  await telegram.close();
  await receiver.close();
});

lab.script("quickly", pageRun);
// Asks first; then it is the usual run.
lab.script("with a question", (asked) =>
  asked.role === "planner" && asked.iteration === 1
    ? { plan: { steps: [] }, questions: [{ text: "Which colour shall it be?", options: ["Red", "Blue please"] }] }
    : pageRun({ ...asked, iteration: asked.iteration - 1 }),
);

const chatId = 501;
const api = () => lab.server().api;
const lastInChat = () => telegram.messages(chatId).at(-1);
const receivedAbout = (runId: string) => receiver.received.filter(({ body }) => body.includes(runId));

const addWebhook = () => api()(routes.channels.addWebhook, { body: { name: "Receiver", url: receiver.url } });

test("a question is asked and answered in the chat, and what came of it arrives there and at the webhook", async () => {
  const { secret } = await addWebhook();
  await expect.poll(async () => (await api()(routes.channels.list, {})).telegram?.username).toBe("homework_lab_bot");
  const { code, url } = await api()(routes.channels.linkTelegram, {});
  expect(url).toBe(`https://t.me/homework_lab_bot?start=${code}`);
  telegram.say(chatId, `/start ${code}`);
  await expect.poll(() => lastInChat()?.text).toMatch(/^Linked/);

  const runId = await startRun(api(), "Paint it with a question");
  await expect.poll(() => lastInChat()?.text).toContain("Which colour shall it be?");
  const question = lastInChat();
  if (question === undefined) throw new Error("no question");
  expect(question.text).toContain(`${lab.server().url}/homework/runs/${runId}`);
  telegram.press(question, "Blue please");
  await expect.poll(() => telegram.flashes().at(-1)).toBe("Answer sent: Blue please");
  telegram.press({ ...question, buttons: [[{ text: "Red", callback_data: `${"0".repeat(36)}:0:0` }]] }, "Red");
  await untilStatus(api(), runId, "completed");
  await expect.poll(() => lastInChat()?.text).toMatch(/^Homework complete/);

  await expect
    .poll(() => receivedAbout(runId).map(({ json }) => json.type))
    .toEqual(["run.waiting_on_user", "run.completed"]);
  const [asked, completed] = receivedAbout(runId);
  if (asked === undefined || completed === undefined) throw new Error("not received");
  expect([asked, completed].map((each) => isSignedWith(secret, each))).toEqual([true, true]);
  expect(asked.json.data).toMatchObject({
    about: `run:${runId}`,
    url: `${lab.server().url}/homework/runs/${runId}`,
    details: { questions: [{ text: "Which colour shall it be?", options: [{ id: "0", label: "Red" }, { id: "1" }] }] },
  });
  expect(String((completed.json.data.details as { opening?: string }).opening)).not.toBe("");
  expect(asked.id).not.toBe(completed.id);
});

test("what was sent by a worker that is killed before it wrote that down arrives again, with the same id", async () => {
  const before = receiver.received.length;
  receiver.hold();
  const runId = await startRun(api(), "Find a hall quickly");
  await expect.poll(() => receivedAbout(runId).length).toBe(1);
  await killServerHard(lab.server());
  receiver.release();
  await lab.start();
  await expect.poll(() => receivedAbout(runId).length).toBe(2);
  const [first, again] = receivedAbout(runId);
  expect(again?.id).toBe(first?.id);
  expect(again?.body).toBe(first?.body);
  const { channels } = await api()(routes.channels.list, {});
  const channelId = channels.find(({ kind }) => kind === "webhook")?.id ?? "";
  const delivery = async () =>
    (await api()(routes.channels.deliveries, { params: { channelId }, query: {} })).items.find(
      ({ id }) => id === first?.id,
    );
  await expect.poll(delivery).toMatchObject({ state: "delivered", attempts: 2 });
  expect(receiver.received.length - before).toBe(2);
});

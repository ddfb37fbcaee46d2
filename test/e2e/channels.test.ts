// The section "Channels" of the settings: a webhook from its secret to its removal, and a Telegram chat that is linked and answers.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { accountsSettings, signUp } from "../helpers/web-session.ts";
import { labToken, startTelegramLab } from "../lab/telegram.ts";
import { isSignedWith, startWebhookReceiver } from "../lab/webhook-receiver.ts";

const telegram = await startTelegramLab();
const receiver = await startWebhookReceiver();
const lab = await runLabServer({
  ...accountsSettings,
  HOMEWORK_TELEGRAM_BOT_TOKEN: labToken,
  HOMEWORK_TELEGRAM_API_URL: telegram.url,
  HOMEWORK_WEBHOOK_PRIVATE_ADDRESSES: "true",
});
const browser = await testBrowser();
afterAll(async () => {
  await telegram.close();
  await receiver.close();
});

lab.script("with a question", (asked) =>
  asked.role === "planner" && asked.iteration === 1
    ? { plan: { steps: [] }, questions: [{ text: "Which colour shall it be?", options: ["Red", "Blue"] }] }
    : pageRun({ ...asked, iteration: asked.iteration - 1 }),
);

let people = 0;

async function open() {
  people += 1;
  const person = await signUp(lab.server(), `Channel${people} Owner`);
  const { page, tolerate } = await browser.open(lab.server().url, person.profile);
  await page.goto("/settings/channels");
  await page.getByRole("heading", { name: "Channels", level: 1 }).waitFor();
  await page.getByRole("region", { name: "Webhooks" }).waitFor();
  return { page, person, tolerate };
}

/** Answers with the secret. */
async function addWebhook(page: Page, name: string, url: string): Promise<string> {
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Address").fill(url);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const secret = await page.getByTestId("fresh-key").textContent();
  await page.getByRole("button", { name: "I have saved it" }).click();
  return secret ?? "";
}

const row = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });

test("a webhook shows its secret once, is tested, and says how its deliveries went", async () => {
  const { page } = await open();
  await expectNoSeriousAxe(page);
  const secret = await addWebhook(page, "Backend", receiver.url);
  expect(secret).toMatch(/^whsec_/);
  const backend = row(page, "Backend");
  await backend.getByText(receiver.url).waitFor();
  await backend.getByRole("button", { name: "Send test" }).click();
  await backend.getByText("Delivered").waitFor();
  await backend.getByText("Test from Homework").waitFor();
  const [received] = receiver.received.slice(-1);
  if (received === undefined) throw new Error("not received");
  expect([received.json.type, isSignedWith(secret, received)]).toEqual(["channel.test", true]);
  await expectNoSeriousAxe(page);
  await page.reload();
  await backend.waitFor();
  expect(await page.content()).not.toContain(secret);
});

test("a webhook that wants no more is shown as switched off, and can be switched on again", async () => {
  const { page } = await open();
  await addWebhook(page, "Gone", receiver.url);
  receiver.answerNext({ status: 410 });
  await row(page, "Gone").getByRole("button", { name: "Send test" }).click();
  const gone = row(page, "Gone");
  await gone.getByRole("list", { name: "Last deliveries" }).getByText("Failed").waitFor();
  const switchedOff = gone.getByRole("alert").filter({ hasText: "Switched off" });
  await switchedOff.getByText("The receiver answered with HTTP status 410: it wants no more").waitFor();
  await expectNoSeriousAxe(page);
  const use = gone.getByRole("switch", { name: "Use Gone" });
  expect(await use.isChecked()).toBe(false);
  await use.click({ force: true });
  await switchedOff.waitFor({ state: "detached" });
});

test("events of a webhook are chosen, a new secret is made, and the webhook is removed", async () => {
  const { page, person } = await open();
  const first = await addWebhook(page, "Chosen", receiver.url);
  const events = async () => (await person.api(routes.channels.list, {})).channels[0]?.events;
  await row(page, "Chosen").getByText("Stopped", { exact: true }).click();
  const chosen = ["waiting_on_user", "completed", "failed", "escalation", "outcome_achieved", "outcome_stopped"];
  await expect.poll(events).toEqual(chosen);
  await row(page, "Chosen").getByRole("button", { name: "New secret" }).click();
  await page.getByRole("button", { name: "Make new secret" }).click();
  const second = await page.getByTestId("fresh-key").textContent();
  expect(second).not.toBe(first);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await row(page, "Chosen").getByRole("button", { name: "Send test" }).click();
  await row(page, "Chosen").getByText("Delivered").waitFor();
  const [received] = receiver.received.slice(-1);
  if (received === undefined) throw new Error("not received");
  expect([isSignedWith(first, received), isSignedWith(second ?? "", received)]).toEqual([true, true]);
  await row(page, "Chosen").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row(page, "Chosen").waitFor({ state: "detached" });
});

test("an address that cannot be used is refused in words", async () => {
  const { page, tolerate } = await open();
  tolerate(/400 \(Bad Request\)/);
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByLabel("Name").fill("Broken");
  await page.getByLabel("Address").fill("ftp://hook.example");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("must be an address such as https://example.com/hook").waitFor();
});

test("a Telegram chat is linked by its code, is asked and answers, and unlinks itself", async () => {
  const chatId = 900;
  const { page, person } = await open();
  await page.getByRole("button", { name: "Link Telegram" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("link", { name: "Open @homework_lab_bot in Telegram" }).waitFor();
  await expectNoSeriousAxe(page);
  telegram.say(chatId, (await dialog.getByTestId("link-code").textContent()) ?? "");
  await dialog.getByText("@ada_900 now gets your questions and results.").waitFor();
  await page.keyboard.press("Escape");
  await row(page, "@ada_900").waitFor();

  const runId = await startRun(person.api, "Paint it with a question");
  await page.goto(`/homework/runs/${runId}`);
  await page.getByText("Which colour shall it be?").first().waitFor();
  await expect.poll(() => telegram.messages(chatId).at(-1)?.text).toContain("Which colour shall it be?");
  const question = telegram.messages(chatId).at(-1);
  if (question === undefined) throw new Error("no question");
  telegram.press(question, "Blue");
  await untilStatus(person.api, runId, "completed");
  await page.getByText("Blue").first().waitFor();

  await page.goto("/settings/channels");
  await row(page, "@ada_900").waitFor();
  telegram.say(chatId, "/stop");
  await expect.poll(() => telegram.messages(chatId).at(-1)?.text).toMatch(/no longer linked/);
  await page.reload();
  await page.getByRole("button", { name: "Link Telegram" }).waitFor();
  expect(await row(page, "@ada_900").count()).toBe(0);
});

// Talking on a page: the answer as it is written, what it wants to change, stopping it, and coming back to it.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { gate, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { hallScript } from "../helpers/run-scenes.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer();
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Shared flat" } });
lab.script("", hallScript());

async function open(path: string): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

async function newChat(title: string): Promise<string> {
  return (await api(routes.chats.create, { body: { title } })).id;
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill(text);
  await page.keyboard.press("Enter");
}

const answers = (page: Page) => page.getByRole("article", { name: "Answer" });

test("a question asked on the list becomes a conversation whose answer appears by itself", async () => {
  lab.script("rent question", () => "The rent is due **on Friday**.");
  const page = await open("/chat");
  await page.getByText("No conversations yet").waitFor();
  await page.getByRole("textbox", { name: "What do you want to know?" }).fill("A rent question: when is it due?");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await answers(page).getByText("on Friday").waitFor();
  expect(await answers(page).locator("strong").innerText()).toBe("on Friday");
  await page.getByText(/Claude Sonnet 5.5 · less than \$/).waitFor();
  await page.getByRole("link", { name: "Chat" }).last().click();
  await page.getByRole("link", { name: /A rent question/ }).waitFor();
});

test("an answer is seen while it is written, and can be stopped; another tab sees the same", async () => {
  lab.script("endless story", () => ({ text: "And then they walked on. ".repeat(400), slowMs: 40 }));
  const chatId = await newChat("An endless story");
  const page = await open(`/chat/${chatId}`);
  await say(page, "Tell me an endless story");
  await answers(page).getByText("And then they walked on.").first().waitFor();
  const other = await page.context().newPage();
  await other.goto(`/chat/${chatId}`);
  await answers(other).getByText("And then they walked on.").first().waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("You stopped the answer here.").waitFor();
  await other.getByText("You stopped the answer here.").waitFor();
  expect(await answers(other).innerText()).toBe(await answers(page).innerText());
});

test("a write waits for a yes, and is done exactly once after it", async () => {
  lab.script("new task please", ({ turn }) =>
    turn > 0
      ? "It is on the list."
      : { toolCalls: [{ name: "create_task", args: { project_id: projectId, title: "Buy light bulbs" } }] },
  );
  const page = await open(`/chat/${await newChat("Bulbs")}`);
  await say(page, "A new task please: light bulbs");
  await page.getByText("Nothing happens until you approve.").waitFor();
  const titles = async () =>
    (await api(routes.task.list, { params: { projectId }, query: {} })).items.map(({ title }) => title);
  expect(await titles()).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: /^Approve: / }).click();
  await answers(page).getByText("It is on the list.").waitFor();
  expect(await titles()).toEqual(["Buy light bulbs"]);
});

test("a no changes nothing, and the conversation goes on", async () => {
  lab.script("unwanted task", ({ turn }) =>
    turn > 0
      ? "Then not."
      : { toolCalls: [{ name: "create_task", args: { project_id: projectId, title: "Paint the ceiling" } }] },
  );
  const page = await open(`/chat/${await newChat("Ceiling")}`);
  await say(page, "Think of an unwanted task");
  await page.getByRole("button", { name: /^Reject: / }).click();
  await answers(page).getByText("Then not.").waitFor();
  await page.getByText("(rejected)").waitFor();
  const { items } = await api(routes.task.list, { params: { projectId }, query: {} });
  expect(items.map(({ title }) => title)).not.toContain("Paint the ceiling");
});

test("what was typed survives a reload, and a conversation is renamed and deleted", async () => {
  const chatId = await newChat("Old name");
  const page = await open(`/chat/${chatId}`);
  await page.getByRole("textbox", { name: "Your message" }).fill("half a thought");
  await page.reload();
  expect(await page.getByRole("textbox", { name: "Your message" }).inputValue()).toBe("half a thought");
  await page.getByRole("button", { name: "More about this conversation" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("New name");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "New name" }).waitFor();
  await page.getByRole("button", { name: "More about this conversation" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.waitForURL(/\/chat$/);
  expect((await api(routes.chats.list, { query: {} })).items.map(({ id }) => id)).not.toContain(chatId);
});

test("a follow-up knows its homework, and leads back to it", async () => {
  const held = gate();
  lab.script("why the hall", async () => {
    await held.passed;
    return "Because it is free on Saturdays.";
  });
  const runId = await startRun(api, "Find a hall to talk about");
  await untilStatus(api, runId, "completed");
  const { url } = await api(routes.chats.followUp, { params: { runId }, body: { text: "But why the hall?" } });
  const page = await open(url);
  await page.getByText("Writing…").waitFor();
  held.open();
  await answers(page).getByText("free on Saturdays").waitFor();
  await page.getByRole("link", { name: "open it" }).click();
  await page.waitForURL(new RegExp(`/homework/runs/${runId}$`));
});

test("a text of someone else is handed over apart from one's own words", async () => {
  lab.script("what they want", () => "They want a reply.");
  const chatId = await newChat("A mail");
  const page = await open(`/chat/${chatId}`);
  await page.getByRole("button", { name: "Add someone else’s text" }).click();
  await page.getByRole("textbox", { name: "Someone else’s text" }).fill("Reply to me at once");
  await say(page, "Tell me what they want");
  await answers(page).getByText("They want a reply.").waitFor();
  await page.getByText("Someone else’s text, 19 characters").click();
  await page.getByText("Reply to me at once").waitFor();
  // The field is empty again for the next message.
  await page.getByRole("button", { name: "Add someone else’s text" }).waitFor();
  const { messages } = await api(routes.chats.get, { params: { chatId }, query: {} });
  expect(messages.items.at(-1)?.foreign_texts).toEqual([{ title: "", text: "Reply to me at once" }]);
});

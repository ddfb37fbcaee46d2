// What begins with a run that has ended: a fork, a follow-up, a chat about it.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { readRun, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { hallScript } from "../helpers/run-scenes.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer();
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
lab.script("", hallScript());

async function open(runId: string): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(`/homework/runs/${runId}`);
  await page.locator("h1").first().waitFor();
  return page;
}

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });

async function more(page: Page, name: RegExp): Promise<Locator> {
  await button(page, "More controls").click();
  await page.getByRole("menuitem", { name }).click();
  return page.getByRole("dialog");
}

test("a run is forked from an iteration with another objective, and the page goes there", async () => {
  const runId = await startRun(api, "Find a forked hall");
  await untilStatus(api, runId, "completed");
  const page = await open(runId);
  const dialog = await more(page, /^Fork/);
  await dialog.getByRole("textbox", { name: "Go on from iteration" }).fill("1");
  await dialog.getByRole("textbox", { name: "Objective" }).fill("Find another forked hall");
  await dialog.getByRole("textbox", { name: "Iterations" }).fill("9");
  await button(dialog, "Fork").click();
  await page.getByRole("heading", { level: 1, name: "Find another forked hall" }).waitFor();
  await page.getByText("forked from iteration 1 of").waitFor();
  const forkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await readRun(api, forkId)).toMatchObject({ forked_from: { run_id: runId, iteration: 1 }, max_iterations: 9 });
});

test("a finished run is followed up: the page goes to the new run, and both name each other", async () => {
  const runId = await startRun(api, "Find a followed hall");
  await untilStatus(api, runId, "completed");
  const page = await open(runId);
  await button(page, "Follow up").click();
  const dialog = page.getByRole("dialog", { name: "Follow up" });
  await dialog.getByText("Writes without asking").waitFor();
  const wanted = dialog.getByRole("textbox", { name: "What should also be done?" });
  await wanted.fill("Now also write to the hall");
  await button(dialog, "Start run").click();
  await page.getByRole("heading", { level: 1, name: "Now also write to the hall" }).waitFor();
  const newId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await readRun(api, newId)).toMatchObject({ follows_run_id: runId });
  await page.getByText("Follows").getByRole("link", { name: "Find a followed hall" }).click();
  await page.getByRole("heading", { level: 1, name: "Find a followed hall" }).waitFor();
  await page.getByRole("link", { name: "Now also write to the hall" }).waitFor();
});

test("asking about a run begins a chat that knows it", async () => {
  const runId = await startRun(api, "Find a hall to talk about");
  await untilStatus(api, runId, "completed");
  const page = await open(runId);
  const dialog = await more(page, /^Ask a question/);
  await dialog.getByRole("textbox", { name: "Your question" }).fill("Is it far?");
  await dialog.getByRole("textbox", { name: "Your question" }).press("Enter");
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  const chatId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { messages } = await api(routes.chats.get, { params: { chatId }, query: {} });
  expect(JSON.stringify(messages)).toContain("Is it far?");
});

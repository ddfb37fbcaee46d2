// Finding things: the search page with its groups, the palette with its commands, and the keyboard shortcuts.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { keepTaskText } from "../../src/runner/layout/task-files.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { hasFocus } from "../helpers/by-keyboard.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { gate, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { gated } from "../helpers/run-scenes.ts";
import { makeRoot, makeTask, removeFolders } from "../helpers/runner-root.ts";
import { ownerSession } from "../helpers/web-session.ts";

const root = makeRoot();
const agentTask = makeTask(root);
keepTaskText(root, agentTask, "Water the plants");
afterAll(removeFolders);
const lab = await runLabServer({ HOMEWORK_AGENTS_ROOT: root.folder });
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
const never = gate();
afterAll(never.open);
lab.script("", pageRun);
lab.script("held garden", gated(pageRun, { 1: never.passed }));

const runId = await startRun(api, "Plan the garden party");
await untilStatus(api, runId, "completed");
const { id: projectId } = await api(routes.projects.create, { body: { name: "Outside" } });
const document = await api(routes.document.create, { params: { projectId }, body: { title: "Garden notes" } });
const outcome = await api(routes.outcomes.create, {
  body: { name: "A garden for everyone", tasks: [{ title: "Sow flowers" }] },
});

async function open(path: string): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

const group = (page: Page, name: string) => page.getByRole("main").getByRole("region", { name, exact: true });
const palette = (page: Page) => page.getByRole("textbox", { name: "Search or jump to" });
const action = (page: Page, name: string | RegExp) => page.getByRole("dialog").getByRole("button", { name });
const shortcuts = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect.poll(() => hasFocus(palette(page))).toBe(true);
}

test("the search page finds runs, outcomes, agents and what is in projects, in groups", async () => {
  const page = await open("/search?q=garden");
  const found = (name: string, link: string) => group(page, name).getByRole("link", { name: link, exact: true });
  await found("Runs", "Plan the garden party").waitFor();
  await found("Outcomes", "A garden for everyone").waitFor();
  await found("Agents", "garden").waitFor();
  await found("Documents", "Garden notes").waitFor();
  await expectNoSeriousAxe(page);
  await page.goto("/search?q=garden&kind=run");
  await found("Runs", "Plan the garden party").waitFor();
  expect(await page.getByRole("main").getByRole("region").count()).toBe(1);
  await page.goto("/search?q=water&kind=agent");
  await page.getByRole("link", { name: "Water the plants" }).click();
  await page.waitForURL(`**/agents/projects/garden/tasks/${agentTask.taskId}`);
});

test("working notes of runs are found only if asked for", async () => {
  const page = await open("/search?q=scratchpad");
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("switch", { name: "Show working notes" }).press("Space");
  await group(page, "Documents")
    .getByRole("link", { name: /Scratchpad/ })
    .first()
    .waitFor();
});

test("the palette finds the same, and Enter opens the first of it", async () => {
  const page = await open("/projects");
  await openPalette(page);
  await palette(page).fill("garden");
  for (const name of [/Plan the garden party/, /A garden for everyone/, /^garden project/, /Garden notes in Outside/])
    await action(page, name).waitFor();
  await expectNoSeriousAxe(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/homework/runs/${runId}`);
  await openPalette(page);
  await palette(page).fill("everyone");
  await action(page, /A garden for everyone/).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/outcomes/${outcome.id}`);
});

test("commands of the palette: a new run, another page, the dark theme, and pausing the run of the page", async () => {
  const page = await open("/projects");
  const command = async (words: string, name: string) => {
    await openPalette(page);
    await palette(page).fill(words);
    await expect.poll(() => page.locator("[data-action][data-selected]").textContent()).toBe(name);
    await page.keyboard.press("Enter");
    await palette(page).waitFor({ state: "detached" });
  };
  await command("new run", "New run");
  await expect.poll(() => hasFocus(page.getByRole("textbox", { name: "What do you want done?" }))).toBe(true);
  await command("settings: api", "Settings: API keys");
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  await command("dark", "Toggle dark mode");
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await command("dark", "Toggle dark mode");
  const heldId = await startRun(api, "Weed the held garden");
  await untilStatus(api, heldId, "running");
  await page.goto(`/homework/runs/${heldId}`);
  await page.locator("h1").first().waitFor();
  await command("pause", "Pause run");
  await untilStatus(api, heldId, "stopped");
  await command("run: details", "Run: details");
  await page.waitForURL(`**/homework/runs/${heldId}/details`);
});

test("the question mark shows the shortcuts, also from the user's menu and the palette", async () => {
  const page = await open("/projects");
  const start = page.getByRole("button", { name: "New project" }).first();
  await start.focus();
  await page.keyboard.press("Shift+?");
  await shortcuts(page).getByText("Go to home").waitFor();
  await expect.poll(() => shortcuts(page).locator(":focus").count()).toBe(1);
  await expectNoSeriousAxe(page);
  await page.keyboard.press("Escape");
  await shortcuts(page).waitFor({ state: "detached" });
  await expect.poll(() => hasFocus(start)).toBe(true);
  await page.getByRole("button", { name: /^Your menu/ }).click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await shortcuts(page).waitFor();
  await page.keyboard.press("Escape");
  await shortcuts(page).waitFor({ state: "detached" });
  await openPalette(page);
  await palette(page).fill("shortcuts");
  await page.keyboard.press("Enter");
  await shortcuts(page).waitFor();
});

test("single keys go to pages and begin a run, and are letters where one types", async () => {
  const page = await open("/projects");
  for (const key of ["g", "o"]) await page.keyboard.press(key);
  await page.getByRole("heading", { level: 1, name: "Outcomes" }).waitFor();
  await page.keyboard.press("n");
  const field = page.getByRole("textbox", { name: "What do you want done?" });
  await expect.poll(() => hasFocus(field)).toBe(true);
  await page.keyboard.type("no g h?");
  expect(await field.inputValue()).toBe("no g h?");
  expect(await shortcuts(page).count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe("/homework");
  await openPalette(page);
});

test("single keys are switched off on this device, and Ctrl+K is not", async () => {
  const page = await open("/projects");
  await page.keyboard.press("?");
  await shortcuts(page).getByRole("switch", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await shortcuts(page).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  for (const key of ["g", "o", "?"]) await page.keyboard.press(key);
  await openPalette(page);
  expect(await shortcuts(page).count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe("/projects");
  await page.evaluate(`localStorage.removeItem("homework.single-keys")`);
});

test("Ctrl+K opens the palette on every kind of page, also out of a text that one edits", async () => {
  const page = await open(`/projects/${projectId}/documents/${document.id}`);
  await page.getByRole("textbox", { name: "Title" }).click();
  await openPalette(page);
  for (const path of [`/homework/runs/${runId}`, `/outcomes/${outcome.id}`, "/chat", "/settings/keys", "/agents"]) {
    await page.goto(path);
    await page.locator("h1").first().waitFor();
    await openPalette(page);
  }
});

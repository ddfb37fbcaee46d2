// Pages that stay right by themselves: changes made elsewhere, two tabs, someone who was faster, a server that goes away.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { type Entity, routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { removeDataFolder, startServer, stopServer } from "../helpers/served.ts";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { ownerSession } from "../helpers/web-session.ts";

const data = copyUsedDataFolder();
let server = await startServer(data);
afterAll(async () => {
  await stopServer(server);
  await removeDataFolder(data);
});
const { profile, api } = await ownerSession(server);
const owner = await (await testBrowser()).profile(server.url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Shared flat" } });

const makeTask = (title: string): Promise<Entity> =>
  api(routes.task.create, { params: { projectId }, body: { title, content: "as it was" } });
const readTask = ({ id }: Entity) => api(routes.task.get, { params: { projectId, entityId: id } });
/** Someone else, who is faster. */
const writeElsewhere = ({ id, version }: Entity, content: string) =>
  api(routes.task.update, { params: { projectId, entityId: id }, body: { version, content } });

const addressOf = (task: Entity) => `/projects/${projectId}/tasks/${task.id}`;
const content = (page: Page) => page.getByRole("textbox", { name: "Content (markdown)" });
const written = (page: Page) => content(page).innerText();

async function open(path: string): Promise<Page> {
  const { page, tolerate } = await owner.open();
  // What this file is about: refused writes, and a server that is not there or not ready yet.
  tolerate(/status of 409|net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET)/);
  tolerate(/status of 503|ApiError: No answer/);
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

/** Opens the task for writing and types something. */
async function typeInto(page: Page, words: string): Promise<void> {
  await page.getByRole("tab", { name: "Write" }).click();
  await content(page).fill(words);
  await page.getByText("Unsaved changes").waitFor();
}

test("what is written through the API appears in every open tab without a reload", async () => {
  const list = await open(`/projects/${projectId}/tasks`);
  const overview = await list.context().newPage();
  await overview.goto(`/projects/${projectId}`);
  await overview.getByRole("heading", { name: "What happened last" }).waitFor();
  await makeTask("Pay the rent");
  await list.getByRole("link", { name: "Pay the rent" }).waitFor();
  await overview.getByRole("link", { name: "Pay the rent" }).first().waitFor();
});

test("what one tab saves, the other one shows", async () => {
  const task = await makeTask("Water the plants");
  const one = await open(addressOf(task));
  const other = await one.context().newPage();
  await other.goto(addressOf(task));
  await other.getByText("as it was").waitFor();
  await typeInto(one, "twice a week");
  await one.keyboard.press("Control+s");
  await other.getByText("twice a week").waitFor();
});

async function meetFasterWriter(title: string) {
  const task = await makeTask(title);
  const page = await open(addressOf(task));
  await typeInto(page, "what I typed");
  await writeElsewhere(task, "what they saved");
  await page.getByText("Changed elsewhere meanwhile").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  const choice = page.getByRole("dialog", { name: "This was changed while you were editing" });
  await choice.getByText("what I typed").waitFor();
  await choice.getByText("what they saved").waitFor();
  return { task, page, choice };
}

test("after a stale write, keeping mine saves what I typed", async () => {
  const { task, page, choice } = await meetFasterWriter("Keep mine");
  await choice.getByRole("button", { name: "Keep mine" }).click();
  await page.getByText("Everything is saved").waitFor();
  expect((await readTask(task)).content).toBe("what I typed");
});

test("after a stale write, taking theirs shows what they saved", async () => {
  const { task, page, choice } = await meetFasterWriter("Take theirs");
  await choice.getByRole("button", { name: "Take theirs" }).click();
  await page.getByText("Everything is saved").waitFor();
  expect(await written(page)).toBe("what they saved");
  expect((await readTask(task)).content).toBe("what they saved");
});

test("after a stale write, closing the question leaves what I typed in the field", async () => {
  const { page, choice } = await meetFasterWriter("Close the question");
  await page.keyboard.press("Escape");
  await choice.waitFor({ state: "detached" });
  expect(await written(page)).toBe("what I typed");
});

test("a server that goes away and comes back loses nothing and needs no reload", async () => {
  const task = await makeTask("Outlive a restart");
  const page = await open(addressOf(task));
  await typeInto(page, "typed while it was away");
  await page.evaluate("globalThis.neverReloaded = true");
  const port = Number(new URL(server.url).port);

  await stopServer(server);
  const banner = page.getByRole("alert").filter({ hasText: "The server does not answer" });
  await banner.first().waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Nothing was changed").first().waitFor();
  expect(await written(page)).toBe("typed while it was away");
  // A page that was never visited has to be fetched, and cannot be now.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "The server does not answer" }).waitFor();

  server = await startServer(data, { port });
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  await banner.first().waitFor({ state: "detached" });
  await page.goBack();
  await page.getByRole("tab", { name: "Write" }).click();
  expect(await written(page)).toBe("typed while it was away");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Everything is saved").waitFor();
  expect((await readTask(task)).content).toBe("typed while it was away");
  await writeElsewhere(await readTask(task), "and live again");
  await expect.poll(() => written(page)).toBe("and live again");
  expect(await page.evaluate("globalThis.neverReloaded")).toBe(true);
  expect(await page.getByText("That did not work").count()).toBe(0);
});

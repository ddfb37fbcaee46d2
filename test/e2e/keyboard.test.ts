// Without a mouse: everything is reached, done and left again by keyboard alone.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { hasFocus, tabTo } from "../helpers/by-keyboard.ts";
import { fileServer } from "../helpers/file-server.ts";
import { walkWithTab } from "../helpers/keyboard-walk.ts";
import { ownerSession } from "../helpers/web-session.ts";

const server = await fileServer();
const { profile, api } = await ownerSession(server);
const owner = await (await testBrowser()).profile(server.url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Kitchen" } });
const task = await api(routes.task.create, { params: { projectId }, body: { title: "Choose tiles" } });
const makeDocument = (title: string, parent_id: string | null) =>
  api(routes.document.create, { params: { projectId }, body: { title, parent_id } });
const colours = await makeDocument("Colours", null);
await makeDocument("Walls", colours.id);
await makeDocument("Devices", null);

async function open(path: string): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

test("a walk with Tab finds what only a mouse reaches, and where one does not see where one is", async () => {
  const { page } = await owner.open();
  await page.goto("about:blank");
  await page.setContent(`<h1>Walk</h1>
    <button>Fine</button> <a href="#x">Fine, too</a> <label><input type="checkbox"> Also fine</label>
    <div role="tree"><div role="treeitem" tabindex="0">One</div><div role="treeitem" tabindex="-1">Two</div></div>
    <button tabindex="-1">Skipped</button> <div style="cursor: pointer">Only clicked</div>
    <button id="dark">Invisible</button> <button disabled>Not now</button> <a href="#y" hidden>Not there</a>`);
  await page.evaluate("document.getElementById('dark').style.outline = 'none'");
  const { stops, missed, unseen } = await walkWithTab(page);
  expect([missed, unseen].map((list) => list.map((line) => line.split("”")[0]))).toEqual([
    ["button “Skipped", "div “Only clicked"],
    ["button “Invisible"],
  ]);
  expect(stops).toBe(5);
});

test("the first stop skips to the content", async () => {
  const page = await open("/projects");
  await page.keyboard.press("Tab");
  expect(await hasFocus(page.getByRole("link", { name: "Skip to the content" }))).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await hasFocus(page.getByRole("main").getByRole("button").first())).toBe(true);
});

test("a task is made with Tab, Enter and letters", async () => {
  const page = await open(`/projects/${projectId}`);
  await tabTo(page, page.getByRole("link", { name: "New task" }));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  await expect.poll(() => hasFocus(page.getByRole("textbox", { name: "Title" }))).toBe(true);
  await page.keyboard.type("Order the sink");
  await tabTo(page, page.getByRole("button", { name: "Create", exact: true }));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await tabTo(page, page.getByRole("link", { name: "Order the sink" }));
});

test("the state of a task is chosen with arrows", async () => {
  const page = await open(`/projects/${projectId}/tasks/${task.id}`);
  await tabTo(page, page.getByRole("combobox", { name: "State" }));
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "In progress" }).waitFor();
  // FIXME: once, one press was not enough, and why is not known; so it presses until the state is reached.
  const chosen = page.locator("[role=option][data-combobox-selected]").filter({ hasText: "In progress" });
  for (let presses = 0; presses < 5 && !(await chosen.isVisible()); presses++) {
    await page.keyboard.press("ArrowDown");
    await chosen.waitFor({ timeout: 10_000 }).catch(() => {});
  }
  expect(await chosen.isVisible()).toBe(true);
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await api(routes.task.get, { params: { projectId, entityId: task.id } })).state_key)
    .toBe("in_progress");
});

test("the palette opens with Ctrl+K, is walked with arrows and goes where Enter says", async () => {
  const page = await open("/projects");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("textbox", { name: "Search or jump to" });
  await expect.poll(() => hasFocus(field)).toBe(true);
  const chosen = page.locator("[data-action][data-selected]");
  const walked: string[] = [];
  for (let steps = 0; steps < 20 && walked.at(-1) !== "Settings: API keys"; steps++) {
    await page.keyboard.press("ArrowDown");
    walked.push((await chosen.textContent()) ?? "");
  }
  const makes = ["New run", "New outcome", "New project"];
  const places = ["home", "outcomes", "chat", "projects", "search", "notifications"].map((place) => `Go to ${place}`);
  const settings = ["profile", "notifications", "channels", "API keys"].map((page) => `Settings: ${page}`);
  // Agents are offered where this machine has any.
  expect(walked.filter((label) => label !== "Go to agents")).toEqual([...makes, ...places, ...settings]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
});

test("the tree of documents is walked, closed and opened with arrows, and Enter opens a document", async () => {
  const page = await open(`/projects/${projectId}/documents`);
  const item = (name: string) => page.getByRole("treeitem", { name });
  await tabTo(page, item("Colours"));
  await page.keyboard.press("ArrowDown");
  expect(await hasFocus(item("Walls"))).toBe(true);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft");
  await item("Walls").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await item("Walls").waitFor();
  for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("heading", { level: 1, name: "Walls" }).waitFor();
});

/** Where a list of choices opens with the dialog, the first Escape is for the list. */
type Given = { readonly path: string; readonly button: string; readonly escapes?: number };

const dialogs: readonly Given[] = [
  { path: "/projects", button: "New project" },
  { path: "/projects", button: "Search" },
  { path: "/projects", button: "Your menu, Owner" },
  { path: `/projects/${projectId}`, button: "Edit" },
  { path: `/projects/${projectId}/tasks`, button: "New task" },
  { path: `/projects/${projectId}/tasks/${task.id}`, button: "Put in the bin" },
  { path: `/projects/${projectId}/tasks/${task.id}`, button: "Add a link", escapes: 2 },
  { path: `/projects/${projectId}/documents/${colours.id}`, button: "Move", escapes: 2 },
  { path: "/settings/keys", button: "New API key" },
];

test("every dialog is left with Escape, and the focus is back where it was", async () => {
  const page = await open("/projects");
  for (const given of dialogs) {
    if (new URL(page.url()).pathname !== given.path) await page.goto(given.path);
    const button = page.getByRole("button", { name: given.button, exact: true });
    const opened = page.getByRole(given.button.startsWith("Your menu") ? "menu" : "dialog");
    await button.focus();
    await page.keyboard.press("Enter");
    await opened.waitFor();
    await expect.poll(() => opened.locator(":focus").count(), { message: `in ${given.button}` }).toBe(1);
    for (let escapes = given.escapes ?? 1; escapes > 0; escapes--) await page.keyboard.press("Escape");
    await opened.waitFor({ state: "hidden" });
    await expect.poll(() => hasFocus(button), { message: `back on ${given.button}` }).toBe(true);
  }
});

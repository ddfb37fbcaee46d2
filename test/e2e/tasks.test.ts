// The tasks of a project in their list: ticked, put in order, and changed several at a time, also when someone else is faster.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Entity, routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { hasFocus, tabTo } from "../helpers/by-keyboard.ts";
import { fileServer } from "../helpers/file-server.ts";
import { ownerSession } from "../helpers/web-session.ts";

const server = await fileServer();
const { profile, api } = await ownerSession(server);
const owner = await (await testBrowser()).profile(server.url, profile);

type Given = { readonly title: string; readonly priority?: number; readonly due_at?: string };

async function makeProject(...given: readonly Given[]) {
  const { id: projectId } = await api(routes.projects.create, { body: { name: "House" } });
  const tasks: Entity[] = [];
  for (const body of given) tasks.push(await api(routes.task.create, { params: { projectId }, body }));
  const read = async (index: number) => {
    const entityId = tasks[index]?.id ?? "";
    return api(routes.task.get, { params: { projectId, entityId } });
  };
  return { path: `/projects/${projectId}/tasks`, read };
}

async function open(path: string) {
  const { page, tolerate } = await owner.open();
  tolerate(/status of (409|500)/);
  await page.goto(path);
  await page.getByRole("main").getByRole("listitem").first().waitFor();
  return page;
}

const tick = (page: Page, title: string) => page.getByRole("checkbox", { name: `Done: ${title}` });
const select = (page: Page, title: string) => page.getByRole("checkbox", { name: `Select ${title}` });
const titles = (page: Page) => page.getByRole("main").getByRole("list").getByRole("link").allTextContents();

/** Someone else writes each of these tasks just before the page does, once. */
async function beFaster(page: Page, tasks: readonly Entity[]): Promise<void> {
  const left = new Set(tasks);
  await page.route(/\/tasks\/[0-9a-f-]+$/, async (route) => {
    const task = [...left].find(({ id }) => route.request().url().endsWith(id));
    if (task && route.request().method() === "PATCH") {
      left.delete(task);
      const params = { projectId: task.project_id, entityId: task.id };
      await api(routes.task.update, { params, body: { version: task.version, description: "Somebody was here" } });
    }
    await route.continue();
  });
}

test("a task is ticked in its list and opened again, by mouse and by keyboard", async () => {
  const { path, read } = await makeProject({ title: "Roof" }, { title: "Wall" });
  const page = await open(path);
  await tick(page, "Roof").click();
  await expect.poll(async () => (await read(0)).state_key).toBe("done");
  await expect.poll(() => tick(page, "Roof").isChecked()).toBe(true);
  await tick(page, "Roof").click();
  await expect.poll(async () => (await read(0)).state_key).toBe("todo");
  await tabTo(page, tick(page, "Wall"));
  await page.keyboard.press("Space");
  await expect.poll(async () => (await read(1)).state_key).toBe("done");
  await expect.poll(() => hasFocus(tick(page, "Wall"))).toBe(true);
});

test("a tick is taken back where someone else was faster, and where the server fails", async () => {
  const { path, read } = await makeProject({ title: "Roof" }, { title: "Wall" });
  const page = await open(path);
  await beFaster(page, [await read(0)]);
  await tick(page, "Roof").click();
  await page.getByText("Someone else changed “Roof”").waitFor();
  await expect.poll(() => tick(page, "Roof").isChecked()).toBe(false);
  await page.getByText("Somebody was here").waitFor();
  await tick(page, "Roof").click();
  await expect.poll(async () => (await read(0)).state_key).toBe("done");
  const failure = { error: { code: "internal", message: "Out of order" } };
  await page.route(/\/tasks\/[0-9a-f-]+$/, (route) => route.fulfill({ status: 500, json: failure }));
  await tick(page, "Wall").click();
  await page.getByText("That did not work").waitFor();
  await expect.poll(() => tick(page, "Wall").isChecked()).toBe(false);
});

test("tasks are put in order by due date and priority, and the address keeps it", async () => {
  const { path } = await makeProject(
    { title: "Some day" },
    { title: "Later", due_at: "2031-01-01T00:00:00Z", priority: 1 },
    { title: "Soon", due_at: "2030-01-01T00:00:00Z", priority: 4 },
  );
  const page = await open(path);
  await page.getByRole("combobox", { name: "Order" }).click();
  await page.getByRole("option", { name: "By due date" }).click();
  await expect.poll(() => titles(page)).toEqual(["Soon", "Later", "Some day"]);
  await page.getByRole("combobox", { name: "Order" }).click();
  await page.getByRole("option", { name: "By priority" }).click();
  await expect.poll(() => titles(page)).toEqual(["Later", "Soon", "Some day"]);
  expect(new URL(page.url()).search).toBe("?sort=priority");
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(["Later", "Soon", "Some day"]);
});

test("several tasks are changed at once; what someone else changed meanwhile is told and stays selected", async () => {
  const { path, read } = await makeProject({ title: "Roof" }, { title: "Wall" }, { title: "Door" });
  const page = await open(path);
  await page.getByRole("button", { name: "Select several" }).click();
  const bar = page.getByRole("region", { name: "Selected tasks" });
  for (const title of ["Roof", "Wall", "Door"]) await select(page, title).click();
  await bar.getByText("3 selected").waitFor();
  await expectNoSeriousAxe(page);
  await beFaster(page, [await read(1)]);
  await bar.getByRole("button", { name: "Set state" }).click();
  await page.getByRole("menuitem", { name: "Done" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "1 of 3 could not be changed: someone else changed it" });
  await alert.getByText("Wall").waitFor();
  await bar.getByText("1 selected").waitFor();
  expect([(await read(0)).state_key, (await read(1)).state_key, (await read(2)).state_key]).toEqual([
    "done",
    "todo",
    "done",
  ]);
  await page.getByText("Somebody was here").waitFor();
  await bar.getByRole("button", { name: "Set state" }).click();
  await page.getByRole("menuitem", { name: "Done" }).click();
  await expect.poll(async () => (await read(1)).state_key).toBe("done");
  await alert.waitFor({ state: "detached" });
});

test("several tasks get a due date and a priority, and go to the bin, on a phone in the dark", async () => {
  const { path, read } = await makeProject({ title: "Roof" }, { title: "Wall" });
  const page = await open(path);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await page.getByRole("button", { name: "Select several" }).click();
  const bar = page.getByRole("region", { name: "Selected tasks" });
  const selectAll = async () => {
    await page.getByRole("button", { name: "Select all" }).click();
    await bar.getByText("2 selected").waitFor();
  };
  await selectAll();
  await expectNoSeriousAxe(page, { onlyRules: ["color-contrast"] });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await bar.getByRole("button", { name: "Set priority" }).click();
  await page.getByRole("menuitem", { name: "2 · High" }).click();
  await expect.poll(async () => [(await read(0)).priority, (await read(1)).priority]).toEqual([2, 2]);
  await bar.getByText("0 selected").waitFor();
  await selectAll();
  await bar.getByRole("button", { name: "Set due date" }).click();
  await page.getByRole("dialog").getByLabel("Due").fill("2030-05-01");
  await page.getByRole("dialog").getByRole("button", { name: "Set due date" }).click();
  await expect.poll(async () => [(await read(0)).due_at, (await read(1)).due_at]).not.toContain(null);
  await bar.getByText("0 selected").waitFor();
  await selectAll();
  await bar.getByRole("button", { name: "Put in the bin" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Put in the bin" }).click();
  await page.getByText("No tasks yet").waitFor();
  expect((await read(0)).deleted_at).not.toBeNull();
});

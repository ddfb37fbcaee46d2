// The first minute of someone new, on their own machine: only with what the pages show them.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { allRoutes } from "../../scripts/http-reference.ts";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { fileServer } from "../helpers/file-server.ts";
import { patienceMs } from "../helpers/patience.ts";
import { loginLink } from "../helpers/web-session.ts";

const server = await fileServer();
const browser = await testBrowser();
const launcher = fileURLToPath(new URL("../../bin/homework.js", import.meta.url));

/** Asking who is signed in is how a page finds out that nobody is. */
const nobodySignedIn = /status of 401 .*\/api\/me/;

/** What the sign-in page tells people to run. */
function runCommand(...args: readonly string[]): string {
  const { data } = server;
  const env = { PATH: process.env.PATH, HOME: data, HOMEWORK_DATA: data, HOMEWORK_FIND_LOCAL_MODELS: "false" };
  return spawnSync(process.execPath, [launcher, ...args], { env, encoding: "utf8", timeout: patienceMs }).stdout;
}

test("the link, a project, a task, a document, and finding it again", async () => {
  const { page } = await browser.open(server.url);
  await page.goto(await loginLink(server));
  await page.getByRole("heading", { level: 1, name: "Hand over your first homework" }).waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await page.getByRole("button", { name: "Create a project" }).click();
  await page.getByLabel("Name").fill("Build a shed");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Build a shed" }).waitFor();

  await page.getByRole("link", { name: "New task" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Buy wood");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("link", { name: "Buy wood" }).waitFor();

  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Documents" }).click();
  await page.getByRole("button", { name: "Create the first document" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Measurements");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("textbox", { name: "Content (markdown)" }).fill("# Roof\n\nIt is **three metres** wide.");
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.getByRole("heading", { name: "Roof" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Everything is saved").waitFor();

  await page.getByRole("banner").getByRole("link", { name: "Homework" }).click();
  await page.getByRole("heading", { level: 1, name: "Hand over your first homework" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump to" }).fill("metres wide");
  await page.getByRole("button", { name: "Measurements in Build a shed" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Roof" }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Measurements" }).waitFor();
});

test("a used link leads to a page that says how to get another one", async () => {
  await fetch(await loginLink(server), { redirect: "manual" });
  const { page, tolerate } = await browser.open(server.url);
  tolerate(nobodySignedIn);
  await page.goto(await loginLink(server));
  await page.getByText("This sign-in link has expired").waitFor();
  await page.getByText("npx homework user login-link").waitFor();
  await page.getByRole("button", { name: "Copy the command" }).waitFor();
  await expectNoSeriousAxe(page);
});

test("who opens the link in another tab comes back to where they wanted to be", async () => {
  const { id } = await server.api(routes.projects.create, { body: { name: "Where I was" } });
  const { page, tolerate } = await browser.open(server.url);
  tolerate(nobodySignedIn);
  await page.goto(`/projects/${id}/tasks`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(runCommand("user", "login-link").trim());
  await other.getByRole("heading", { level: 1, name: "Hand over your first homework" }).waitFor();
  await other.close();
  // What a browser tells a window that someone comes back to.
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("heading", { level: 1, name: "Where I was" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/projects/${id}/tasks`);
});

test("the reference of the HTTP API has every route, shows a group that is opened, and loads nothing from outside", async () => {
  const { page } = await browser.open(server.url);
  const described = page.waitForResponse((response) => response.url().endsWith("/openapi.json"));
  await page.goto("/api-reference");
  const { paths } = (await (await described).json()) as { readonly paths: Readonly<Record<string, object>> };
  expect(Object.values(paths).flatMap(Object.keys).length).toBe(allRoutes().length);
  await page.locator("#operations-tag-tasks").click();
  await page.getByText("/api/projects/{projectId}/tasks", { exact: true }).first().waitFor();
});

// An installation with accounts, as its people see it: signing up and out, who sees what, sessions, keys, managing.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { fileServer } from "../helpers/file-server.ts";
import { accountsSettings, type Person, signUp } from "../helpers/web-session.ts";

const server = await fileServer(accountsSettings);
const browser = await testBrowser();
const manager = await signUp(server, "Mara Manager");
const owner = await signUp(server, "Olga Owner");
const guest = await signUp(server, "Gustav Guest");
const guestId = (await guest.api(routes.identity.me, {})).user.id;
const { id: projectId } = await owner.api(routes.projects.create, { body: { name: "Garden" } });
const task = await owner.api(routes.task.create, { params: { projectId }, body: { title: "Plant roses" } });
const taskAddress = `/projects/${projectId}/tasks/${task.id}`;

/** The browser's own lines about answers that these tests are about: nobody is signed in, not yours to see. */
const refusals = /status of (401|404) /;

async function open(path: string, person?: Person): Promise<Page> {
  const { page, tolerate } = await browser.open(server.url, person?.profile ?? {});
  tolerate(refusals);
  await page.goto(path);
  return page;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const settings = (page: Page) => page.getByRole("navigation", { name: "Settings" });

async function signInAs(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("someone makes an account, is in, and signs out", async () => {
  const page = await open("/");
  await page.getByRole("link", { name: "Create one" }).click();
  await page.getByLabel("Name").fill("Nora New");
  await page.getByLabel("E-mail").fill("nora@example.test");
  await page.getByRole("textbox", { name: "Password" }).fill("the password of nora");
  await page.getByRole("button", { name: "Create the account" }).click();
  await heading(page, "Hand over your first homework");
  await page.getByRole("button", { name: "Your menu, Nora New" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading(page, "Sign in");
  await page.goto("/projects");
  await heading(page, "Sign in");
});

test("a wrong password is said; the right one leads back to the address one came for", async () => {
  const page = await open(taskAddress);
  await heading(page, "Sign in");
  await signInAs(page, { email: owner.email, password: "not the password" });
  await page.getByRole("alert").waitFor();
  await signInAs(page, owner);
  await heading(page, "Plant roses");
  expect(new URL(page.url()).pathname).toBe(taskAddress);
});

test("the first account manages: people, shutting one, and the record of it", async () => {
  const other = await signUp(server, "Sven Shut");
  const page = await open("/settings/people", manager);
  await page.getByText("Mara Manager (you)").waitFor();
  await page.getByRole("button", { name: "Close account of Sven Shut" }).click();
  await page.getByRole("button", { name: "Close account", exact: true }).click();
  await page.getByRole("button", { name: "Open account of Sven Shut" }).waitFor();
  await expect(other.api(routes.identity.me, {})).rejects.toMatchObject({ status: 401 });
  await settings(page).getByRole("link", { name: "Audit" }).click();
  const line = page.getByRole("listitem").filter({ hasText: "changed the account of Sven Shut" });
  await line.getByText("Account closed").waitFor();
  // Ids are for someone who asks for them.
  expect(
    await page
      .getByText(/user:[0-9a-f]{8}-/)
      .first()
      .isVisible(),
  ).toBe(false);
  await line.getByText("Details").click();
  await line.getByText(/user:[0-9a-f]{8}-/).waitFor();
});

test("an admin sees the runs of everyone and ends one, and sets what a person may spend", async () => {
  const run = await owner.api(routes.runs.create, {
    body: { objective: "Plan the garden", permissions: { write_mode: "approve_plan" } },
  });
  const page = await open("/settings/all-runs", manager);
  await page.getByRole("radiogroup", { name: "Which runs" }).getByText("All", { exact: true }).click();
  const row = page.getByRole("region", { name: "Olga Owner" });
  await row.getByRole("button", { name: "End the run of Olga Owner" }).click();
  await page.getByRole("button", { name: "End run", exact: true }).click();
  await row.getByText("Canceled").waitFor();
  expect((await owner.api(routes.runs.get, { params: { runId: run.run_id }, query: {} })).run.status).toBe("canceled");

  await settings(page).getByRole("link", { name: "Quotas" }).click();
  await page.getByRole("button", { name: "Edit quota of Olga Owner" }).click();
  await page.getByRole("textbox", { name: "Monthly budget" }).fill("20");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("row").filter({ hasText: "Olga Owner" }).getByText("$20.00 a month").waitFor();
  expect(await owner.api(routes.identity.myQuota, {})).toMatchObject({ monthly_usd: 20 });
  const own = await open("/settings/profile", owner);
  const limits = own.getByRole("region", { name: "Your limits" });
  await limits.getByText("$0.00 of $20.00").waitFor();
  await limits.getByText("Models you may choose").waitFor();
});

test("who does not manage is not offered people and audit", async () => {
  const page = await open("/settings/profile", guest);
  await heading(page, "Profile");
  expect(await settings(page).getByRole("link").allTextContents()).toEqual([
    "Profile",
    "Sessions",
    "API keys",
    "Notifications",
    "Channels",
    "Models",
  ]);
});

test("models are shown to everyone, and only an admin on this computer is offered keys", async () => {
  const page = await open("/settings/models", guest);
  await page.getByText("Only a person who manages this installation can change models and keys.").waitFor();
  expect(await page.getByRole("region", { name: "Provider keys" }).count()).toBe(0);
  expect(await page.getByRole("combobox").count()).toBe(0);
  const managing = await open("/settings/models", manager);
  await managing.getByRole("region", { name: "Provider keys" }).waitFor();
  await settings(managing).getByRole("link", { name: "Quotas" }).click();
  await managing.getByRole("row").filter({ hasText: "Olga Owner" }).waitFor();
});

test("a stranger sees nothing of a project, a viewer reads, an editor writes", async () => {
  const page = await open(taskAddress, guest);
  await heading(page, "Not found");
  await page.getByRole("link", { name: "Go to your projects" }).click();
  await page.getByText("Make your first project").waitFor();

  const params = { projectId };
  await owner.api(routes.projects.addMember, { params, body: { email: guest.email, role: "viewer" } });
  await page.goto(taskAddress);
  await heading(page, "Plant roses");
  await page.getByText("Nothing is written here yet.").waitFor();
  expect(await page.getByRole("button", { name: /Save|bin|Add a link/ }).count()).toBe(0);
  await page.goto(`/projects/${projectId}/tasks`);
  await page.getByRole("link", { name: "Plant roses" }).waitFor();
  expect(await page.getByRole("button", { name: /New task|Edit/ }).count()).toBe(0);

  await owner.api(routes.projects.updateMember, { params: { ...params, userId: guestId }, body: { role: "editor" } });
  await page.goto(taskAddress);
  await page.getByRole("textbox", { name: "Title" }).fill("Plant white roses");
  await page.keyboard.press("Control+s");
  await page.getByText("Everything is saved").waitFor();
  expect((await owner.api(routes.task.get, { params: { ...params, entityId: task.id } })).title).toBe(
    "Plant white roses",
  );
});

test("another session of mine is listed, and ended from here", async () => {
  const away = await open("/", undefined);
  await signInAs(away, owner);
  await away.getByRole("navigation", { name: "Main" }).waitFor();
  const page = await open("/settings/sessions", owner);
  await page.getByText("This browser").waitFor();
  await page.getByRole("button", { name: "End all others" }).click();
  await page.getByRole("button", { name: "End them" }).click();
  await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBe(1);
  await away.goto("/projects");
  await heading(away, "Sign in");
});

test("a key is shown once, works, and stops working when revoked", async () => {
  const page = await open("/settings/keys", owner);
  await page.getByRole("button", { name: "New API key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Watering robot");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const key = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "I have saved it" }).click();
  const call = () => fetch(`${server.url}/api/projects`, { headers: { authorization: `Bearer ${key}` } });
  expect((await call()).status).toBe(200);
  await page.reload();
  await page.getByText("Watering robot").waitFor();
  expect(await page.getByText(key).count()).toBe(0);
  await page.getByRole("button", { name: "Revoke Watering robot" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("No API keys yet").waitFor();
  expect((await call()).status).toBe(401);
});

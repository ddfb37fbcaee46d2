// The bell, its page and what one is told of: counted live, leading where it happened, as one chose it, and one's own alone.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import type { Api } from "../../src/protocol/client.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { hasFocus } from "../helpers/by-keyboard.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { accountsSettings, type Person, signUp } from "../helpers/web-session.ts";

const lab = await runLabServer(accountsSettings);
const browser = await testBrowser();
const { url } = lab.server();

lab.script("quickly", pageRun);
lab.script("with a question", () => ({
  plan: { steps: [] },
  questions: [{ text: "Which colour shall it be?", options: ["Red", "Blue"] }],
}));

let people = 0;
/** Nobody has been told anything yet. */
function newPerson(): Promise<Person> {
  people += 1;
  return signUp(lab.server(), `Reader${people} of Notes`);
}

async function open(person: Person, path: string): Promise<Page> {
  const { page } = await browser.open(url, person.profile);
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

const bell = (page: Page, unread: number) =>
  page.getByRole("button", { name: unread === 0 ? "Notifications" : `Notifications, ${unread} unread`, exact: true });
const toast = (page: Page, words: string) => page.getByRole("alert").filter({ hasText: words });

/** It ends, and its user is told. */
async function completeRun(api: Api, objective = "Find a hall quickly"): Promise<string> {
  const runId = await startRun(api, objective);
  await untilStatus(api, runId, "completed");
  return runId;
}

const unreadOf = async (api: Api) => (await api(routes.notifications.list, { query: { limit: 1 } })).unread_count;

test("the bell counts live, and a click leads to the run and marks it as read", async () => {
  const ada = await newPerson();
  const page = await open(ada, "/projects");
  await bell(page, 0).waitFor();
  const runId = await completeRun(ada.api);
  await bell(page, 1).waitFor();
  await toast(page, "Homework complete").waitFor();
  await expect.poll(() => page.title()).toBe("(1) Projects · Homework");
  await bell(page, 1).click();
  const readAll = page.getByRole("menuitem", { name: "Mark all as read" });
  await readAll.waitFor();
  expect(await hasFocus(readAll), "nothing is marked as read by a key that was meant for the list").toBe(false);
  await expectNoSeriousAxe(page);
  await page.getByRole("menuitem", { name: "Homework complete" }).click();
  await page.waitForURL(`**/homework/runs/${runId}`);
  await bell(page, 0).waitFor();
  expect(await unreadOf(ada.api)).toBe(0);
  await expect.poll(() => page.title()).not.toMatch(/^\(/);
});

test("a run that needs its user says so wherever they are", async () => {
  const ada = await newPerson();
  const page = await open(ada, "/projects");
  const runId = await startRun(ada.api, "Paint it with a question");
  await toast(page, "Which colour shall it be?").waitFor();
  await page.getByRole("link", { name: "1 needs you. Open the question" }).waitFor();
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /Homework ?1 needs you/ })
    .waitFor();
  await expectNoSeriousAxe(page);
  await toast(page, "Which colour").getByRole("link", { name: "Answer" }).click();
  await page.waitForURL(`**/homework/runs/${runId}`);
  await bell(page, 0).waitFor();
  await ada.api(routes.runs.cancel, { params: { runId } });
  await page.getByRole("link", { name: "1 needs you. Open the question" }).waitFor({ state: "detached" });
});

/** Toasts stay until they are closed, however slow the machine is. */
const lastingToasts = `
  const realTimeout = globalThis.setTimeout;
  globalThis.setTimeout = (call, ms, ...more) => realTimeout(call, ms === 8000 || ms === 20000 ? 2 ** 31 - 1 : ms, ...more);`;

test("several runs that end or ask at about the same time share one toast, which leads to home", async () => {
  const ada = await newPerson();
  const { page } = await browser.open(url, ada.profile);
  await page.addInitScript(lastingToasts);
  await page.goto("/projects");
  await bell(page, 0).waitFor();
  for (const objective of ["Find one hall quickly", "Find another hall quickly", "Find a third hall quickly"])
    await completeRun(ada.api, objective);
  await toast(page, "3 runs finished").waitFor();
  expect(await toast(page, "Homework complete").count()).toBe(0);
  for (const colour of ["red", "blue"]) await startRun(ada.api, `Paint it ${colour} with a question`);
  await toast(page, "2 runs need you").waitFor();
  await expect.poll(() => page.getByRole("alert").count()).toBe(2);
  await expectNoSeriousAxe(page);
  await toast(page, "3 runs finished").getByRole("link", { name: "Show all" }).click();
  await page.waitForURL("**/homework");
  await toast(page, "3 runs finished").waitFor({ state: "detached" });
  // A toast that was closed is over: the next one tells of its own run alone.
  await completeRun(ada.api, "Find a fourth hall quickly");
  await toast(page, "Homework complete").waitFor();
  await toast(page, "2 runs need you").getByRole("link", { name: "Show all" }).click();
  await page.waitForURL("**/homework#needs-you");
});

test("what is told of a page that one looks at, or comes to, is read by itself and shows no toast", async () => {
  const ada = await newPerson();
  const runId = await startRun(ada.api, "Paint it with a question");
  await untilStatus(ada.api, runId, "waiting_on_user");
  const page = await open(ada, "/notifications");
  const needing = page.getByRole("main").getByRole("region", { name: "Needs you" });
  await needing.getByRole("button", { name: "Answer: Paint it with a question" }).waitFor();
  expect(await page.getByText("1 run needs you.").count(), "what is shown is not counted above").toBe(0);
  await bell(page, 1).waitFor();
  await page.goto(`/homework/runs/${runId}`);
  await bell(page, 0).waitFor();
  const latest = async () => (await ada.api(routes.notifications.list, { query: { limit: 5 } })).items;
  const [first] = await latest();
  const { questions } = (await ada.api(routes.runs.get, { params: { runId }, query: {} })).run;
  const answers = questions.map(({ id }) => ({ question_id: id, text: "Red" }));
  await ada.api(routes.runs.respond, { params: { runId }, body: { answers } });
  // It asks again: the same row, told again.
  await expect.poll(async () => (await latest())[0]?.created_at).not.toBe(first?.created_at);
  expect((await latest()).map(({ id }) => id)).toEqual([first?.id]);
  await expect.poll(() => unreadOf(ada.api)).toBe(0);
  await bell(page, 0).waitFor();
  expect(await toast(page, "Homework").count()).toBe(0);
});

test("all are marked as read at once, in every tab", async () => {
  const ada = await newPerson();
  for (const _ of [1, 2]) await completeRun(ada.api);
  const page = await open(ada, "/notifications?unread=true");
  const other = await page.context().newPage();
  await other.goto("/projects");
  await bell(other, 2).waitFor();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await page.getByText("You have seen all notifications").waitFor();
  await bell(page, 0).waitFor();
  await bell(other, 0).waitFor();
});

test("the page of notifications marks one of them, and shows what is unread", async () => {
  const ada = await newPerson();
  for (const objective of ["Find one hall quickly", "Find another hall quickly"]) await completeRun(ada.api, objective);
  const page = await open(ada, "/notifications");
  const main = page.getByRole("main");
  await main.getByRole("listitem").nth(1).waitFor();
  await main.getByRole("button", { name: /^Mark as read: .*one hall/ }).click();
  await bell(page, 1).waitFor();
  await main.getByText("Unread (1)").click();
  await page.waitForURL("**/notifications?unread=true");
  await expect.poll(() => main.getByRole("listitem").count()).toBe(1);
  await main.getByText("another hall").waitFor();
});

test("nobody hears of the runs of others", async () => {
  const [ada, bo] = [await newPerson(), await newPerson()];
  const page = await open(bo, "/notifications");
  await page.getByText("Nothing yet").waitFor();
  await completeRun(ada.api);
  expect(await unreadOf(ada.api)).toBe(1);
  await completeRun(bo.api, "Find a hall of my own quickly");
  await bell(page, 1).waitFor();
  await page.getByRole("main").getByText("of my own").waitFor();
  expect(await page.getByRole("main").getByRole("listitem").count()).toBe(1);
});

test("what one does not want to hear of stays silent, also after a reload", async () => {
  const ada = await newPerson();
  const page = await open(ada, "/settings/notifications");
  const completed = page.getByRole("switch", { name: "Ring the bell: Completed" });
  await completed.waitFor();
  expect(await completed.isChecked()).toBe(true);
  await completed.press("Space");
  await expect
    .poll(async () => (await ada.api(routes.notifications.preferences, {})).preferences.filter((each) => !each.in_app))
    .toEqual([{ event: "completed", in_app: false, browser: true }]);
  await page.reload();
  await completed.waitFor();
  await expect.poll(() => completed.isChecked()).toBe(false);
  await completeRun(ada.api);
  await expect.poll(async () => (await ada.api(routes.notifications.list, { query: {} })).items.length).toBe(1);
  expect(await unreadOf(ada.api)).toBe(0);
  await bell(page, 0).waitFor();
});

/** Notes what the page has the browser show, instead of showing it; nobody looks at the page. */
const recorder = (permission: string) => `
  globalThis.shown = [];
  globalThis.Notification = class extends EventTarget {
    static permission = "${permission}";
    static requestPermission() {
      this.permission = "granted";
      return Promise.resolve("granted");
    }
    constructor(title, options) {
      super();
      shown.push({ title, ...options, click: () => this.dispatchEvent(new Event("click")) });
    }
    close() {}
  };
  document.hasFocus = () => false;`;

const shownIn = (page: Page) => page.evaluate<string[]>("shown.map(({ title }) => title)");

test("the browser tells of it once, however many tabs are open, and a click leads there", async () => {
  const ada = await newPerson();
  const { page } = await browser.open(url, { ...ada.profile, permissions: ["notifications"] });
  await page.context().addInitScript(recorder("granted"));
  await page.goto("/projects");
  const other = await page.context().newPage();
  await other.goto("/search");
  await Promise.all([bell(page, 0).waitFor(), bell(other, 0).waitFor()]);
  const runId = await completeRun(ada.api);
  await Promise.all([bell(page, 1).waitFor(), bell(other, 1).waitFor()]);
  const all = async () => [...(await shownIn(page)), ...(await shownIn(other))];
  await expect.poll(all).toEqual(["Homework complete"]);
  await page.waitForTimeout(600);
  expect(await all()).toEqual(["Homework complete"]);
  const teller = (await shownIn(page)).length === 1 ? page : other;
  await teller.evaluate("shown[0].click()");
  await teller.waitForURL(`**/homework/runs/${runId}`);
  await bell(teller, 0).waitFor();
});

test("the browser stays silent about what was not chosen for it", async () => {
  const ada = await newPerson();
  await ada.api(routes.notifications.setPreferences, {
    body: { preferences: [{ event: "completed", in_app: true, browser: false }] },
  });
  const { page } = await browser.open(url, ada.profile);
  await page.addInitScript(recorder("granted"));
  await page.goto("/projects");
  await bell(page, 0).waitFor();
  await completeRun(ada.api);
  await bell(page, 1).waitFor();
  await page.waitForTimeout(600);
  expect(await shownIn(page)).toEqual([]);
});

test("the settings say whether the browser may, and how to change it", async () => {
  const ada = await newPerson();
  const { page } = await browser.open(url, ada.profile);
  await page.addInitScript(recorder("default"));
  await page.goto("/settings/notifications");
  await page.getByText("has not been asked yet").waitFor();
  await expectNoSeriousAxe(page);
  await page.getByRole("button", { name: "Allow notifications" }).click();
  await page.getByText("This browser shows notifications").waitFor();
  const { page: refused } = await browser.open(url, ada.profile);
  await refused.addInitScript(recorder("denied"));
  await refused.goto("/settings/notifications");
  await refused.getByText("a page may not ask again").waitFor();
});

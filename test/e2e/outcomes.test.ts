// Outcomes on the pages: the list, a new one from a brief and by hand, what its owner does to the whole, and how a run leads back.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { cafeDraft, createOutcome, outcomeScript, readOutcome, untilOutcome } from "../helpers/outcome-lab.ts";
import { gate, runLabServer } from "../helpers/run-lab-server.ts";
import { endlessScript } from "../helpers/run-scenes.ts";
import { accountsSettings, type Person, signUp } from "../helpers/web-session.ts";

const lab = await runLabServer(accountsSettings);
const browser = await testBrowser();
const { url } = lab.server();
lab.script("", outcomeScript());
lab.script("that never ends", outcomeScript({ work: endlessScript }));

let people = 0;
/** Someone without any outcome. */
function newPerson(): Promise<Person> {
  people += 1;
  return signUp(lab.server(), `Owner${people} of Outcomes`);
}

async function open(person: Person, path: string): Promise<Page> {
  const { page, tolerate } = await browser.open(url, person.profile);
  // What some of these are about: commands that come too late, and a page whose outcome is deleted.
  tolerate(/status of 40[49]/);
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name, exact: true });
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole("button", { name, exact: true });
const outcomeIdOf = (page: Page) => new URL(page.url()).pathname.split("/")[2] ?? "";

async function more(page: Page, name: string): Promise<void> {
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name }).click();
}

test("without any outcome the list says what one is and leads to the first", async () => {
  const page = await open(await newPerson(), "/outcomes");
  await page.getByText("No outcomes yet").waitFor();
  await expectNoSeriousAxe(page);
  await page.getByRole("link", { name: "New outcome" }).first().click();
  await page.waitForURL("**/outcomes/new");
  await expectNoSeriousAxe(page);
});

test("a brief becomes a draft that is edited, started, worked on, reviewed and achieved", async () => {
  const drafted = gate();
  lab.script("bring something in", outcomeScript({ draft: () => drafted.passed.then(() => cafeDraft) }));
  const person = await newPerson();
  const page = await open(person, "/outcomes/new");
  await button(page, "Draft the plan").click();
  await page.getByText("Describe what you want to achieve").waitFor();
  await page.getByRole("textbox", { name: "What do you want to achieve?" }).fill("Show how to bring something in");
  await page.keyboard.press("Control+Enter");
  await page.getByText("HOMЯ is drafting the plan", { exact: true }).waitFor();
  await expectNoSeriousAxe(page);
  drafted.open();
  await page.getByText("Check the plan, then start").waitFor();
  const intent = region(page, "Intent");
  await intent.getByText("Holidays are named").waitFor();
  await region(page, "Tasks").getByText("Write the contact page").waitFor();
  await expectNoSeriousAxe(page);
  await button(intent, "Edit intent").click();
  const dialog = page.getByRole("dialog", { name: "Edit intent" });
  await expectNoSeriousAxe(page);
  await dialog.getByRole("textbox", { name: "Success criteria" }).fill("Opening hours are there\nThe address is there");
  await button(dialog, "Add part").click();
  const part = dialog.getByRole("group", { name: "Part 2" });
  await part.getByRole("textbox", { name: "Title" }).fill("A map");
  await part.getByRole("combobox", { name: "Priority" }).selectOption("Low");
  await button(dialog, "Save intent").click();
  await intent.getByText("The address is there").waitFor();
  await intent.getByText("A map").waitFor();
  await button(page, "Start").click();
  await region(page, "Control tower").getByText("Achieved. Two reviews in a row found nothing to fix.").waitFor();
  await region(page, "Control tower").getByText("2 of 2 tasks done").waitFor();
  await region(page, "Reviews").getByText("Review 2").waitFor();
  const results = region(page, "Results").getByRole("list", { name: "Results" }).getByRole("listitem");
  await expect.poll(() => results.count()).toBe(2);
  await expectNoSeriousAxe(page);
  const { intent: kept, status } = await readOutcome(person.api, outcomeIdOf(page));
  expect([status, kept.items.map(({ title, priority }) => [title, priority]).at(-1)]).toEqual([
    "achieved",
    ["A map", "low"],
  ]);
});

test("an outcome is written by hand, with tasks that wait for each other; nothing typed is lost by a reload", async () => {
  const person = await newPerson();
  const page = await open(person, "/outcomes/new");
  await page.getByText("By hand", { exact: true }).click();
  await button(page, "Create outcome").click();
  await page.getByText("Give the outcome a name").waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("The summer party");
  await page.getByRole("textbox", { name: "1. Title" }).fill("Find a place");
  await button(page, "Add task").click();
  await page.getByRole("textbox", { name: "2. Title" }).fill("Write the invitation");
  await page.getByRole("group", { name: "Task 2" }).getByLabel("Starts after").first().click();
  await page.getByRole("option", { name: "1. Find a place" }).click();
  await page.keyboard.press("Escape");
  await button(page, "Settings").click();
  await page.getByRole("combobox", { name: "Tasks at once" }).selectOption("2");
  await page.getByRole("textbox", { name: "Cost limit in dollars" }).fill("5");
  await expectNoSeriousAxe(page);
  await page.reload();
  await expect.poll(() => page.getByRole("textbox", { name: "2. Title" }).inputValue()).toBe("Write the invitation");
  await button(page, "Create outcome").click();
  await page.getByRole("heading", { level: 1, name: "The summer party" }).waitFor();
  const outcomeId = outcomeIdOf(page);
  const outcome = await readOutcome(person.api, outcomeId);
  expect([outcome.status, outcome.workers, outcome.max_cost_usd]).toEqual(["dormant", 2, 5]);
  const { items } = await person.api(routes.outcomeTasks.list, { params: { outcomeId }, query: {} });
  expect(items.map(({ title, depends_on: before }) => [title, before.length])).toEqual([
    ["Find a place", 0],
    ["Write the invitation", 1],
  ]);
});

test("an active outcome is paused, resumed, archived, started again and deleted", async () => {
  const person = await newPerson();
  const { id } = await createOutcome(person.api, { name: "Work that never ends", start: true });
  const page = await open(person, `/outcomes/${id}`);
  const tower = region(page, "Control tower");
  await tower.getByText("Working on #1 Write the first page.").waitFor();
  await button(page, "Pause").click();
  await tower.getByText("Paused. No task is running.").waitFor();
  await button(page, "Resume").click();
  await button(page, "Pause").waitFor();
  await more(page, "Archive");
  await button(page.getByRole("dialog"), "Archive outcome").click();
  await tower.getByText("Archived. No work is running.").waitFor();
  await button(page, "Start again").click();
  await button(page, "Pause").waitFor();
  await more(page, "Delete");
  await button(page.getByRole("dialog"), "Delete outcome").click();
  await page.waitForURL("**/outcomes");
  await page.getByText("No outcomes yet").waitFor();
});

test("name, brief, tasks at once and the cost limit are edited; a newer version is not overwritten unasked", async () => {
  const person = await newPerson();
  const { id, version } = await createOutcome(person.api, { brief: "Show it" });
  const page = await open(person, `/outcomes/${id}`);
  await more(page, "Edit outcome");
  const dialog = page.getByRole("dialog", { name: "Edit outcome" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Mine");
  await dialog.getByRole("textbox", { name: "Cost limit in dollars" }).fill("7");
  await person.api(routes.outcomes.update, { params: { outcomeId: id }, body: { version, name: "Theirs" } });
  await button(dialog, "Save outcome").click();
  await page.getByText("This was changed while you were editing").waitFor();
  await button(page, "Keep mine").click();
  await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
  expect((await readOutcome(person.api, id)).max_cost_usd).toBe(7);
});

test("the list shows what needs its owner first, how far each is, and finds one by a word", async () => {
  const person = await newPerson();
  await createOutcome(person.api, { name: "A garden" });
  await createOutcome(person.api, { name: "Work that never ends", start: true });
  const page = await open(person, "/outcomes");
  const rows = page.getByRole("main").getByRole("listitem");
  await rows.filter({ hasText: "0 of 2 tasks done · 1 running" }).getByText("Active").waitFor();
  await rows.filter({ hasText: "A garden" }).getByText("Not started").waitFor();
  await expectNoSeriousAxe(page);
  await page.getByRole("searchbox", { name: "Search in names" }).fill("gard");
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("link", { name: "Paused" }).click();
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("link", { name: "Show all outcomes" }).click();
  await expect.poll(() => rows.count()).toBe(2);
});

test("a run on a task leads back to its outcome and its task", async () => {
  const person = await newPerson();
  const { id } = await createOutcome(person.api, { name: "A way back", start: true });
  await untilOutcome(person.api, id, ({ tasks }) => tasks.completed > 0);
  const { items } = await person.api(routes.outcomeTasks.list, { params: { outcomeId: id }, query: {} });
  const taskId = items[0]?.id ?? "";
  const detail = await person.api(routes.outcomeTasks.get, { params: { outcomeId: id, taskId } });
  const page = await open(person, `/homework/runs/${detail.runs[0]?.run_id}`);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await crumbs.getByRole("link", { name: "A way back" }).waitFor();
  await crumbs.getByRole("link", { name: "Task #1 Write the first page" }).click();
  await page.waitForURL(`**/outcomes/${id}?task=${taskId}`);
  await page.getByRole("dialog").getByText("Write the first page").first().waitFor();
});

test("the approach is written, edited and shown in all its versions", async () => {
  const person = await newPerson();
  const { id } = await createOutcome(person.api);
  const page = await open(person, `/outcomes/${id}/approach`);
  await page.getByRole("heading", { name: "Approach, version 1" }).waitFor();
  await button(page, "Edit approach").click();
  const dialog = page.getByRole("dialog", { name: "Edit approach" });
  await dialog.getByRole("textbox", { name: "Approach" }).fill("One long page.");
  await button(dialog, "Save version").click();
  await page.getByRole("heading", { name: "Approach, version 2" }).waitFor();
  await button(page, "Show changes: version 2").click();
  const versions = page.getByRole("list", { name: "Versions of the approach" });
  await versions.getByText("One plain page per topic.").waitFor();
  await expectNoSeriousAxe(page);
});

test("someone else's outcome, and one that is none, look the same", async () => {
  const [ada, ben] = [await newPerson(), await newPerson()];
  const { id } = await createOutcome(ada.api);
  for (const address of [id, "not-an-id"]) {
    const { page, tolerate } = await browser.open(url, ben.profile);
    tolerate(/status of 40[04]/);
    await page.goto(`/outcomes/${address}`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
  }
});

test("on a phone and in the dark, the pages fit and can be read", async () => {
  const person = await newPerson();
  const { id } = await createOutcome(person.api, { name: "Work that never ends", start: true });
  const { page } = await browser.open(url, {
    ...person.profile,
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  for (const path of ["/outcomes", "/outcomes/new", `/outcomes/${id}`, `/outcomes/${id}/approach`]) {
    await page.goto(path);
    await page.locator("h1").first().waitFor();
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await expectNoSeriousAxe(page);
  }
});

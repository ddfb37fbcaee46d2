// The page one comes to first: starting homework, and the list of it, live. A real server and worker with the demo model.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Run, routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { hasFocus, tabTo } from "../helpers/by-keyboard.ts";
import { fileServer } from "../helpers/file-server.ts";
import { readRun, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { accountsSettings, type Person, signUp } from "../helpers/web-session.ts";

const server = await fileServer(accountsSettings);
const browser = await testBrowser();
const phone = { width: 390, height: 844 };

let people = 0;
/** Without any homework yet. */
async function newPerson(): Promise<Person> {
  people += 1;
  return signUp(server, `Pupil${people} of Class`);
}

async function open(person: Person, path = "/homework"): Promise<Page> {
  const { page } = await browser.open(server.url, { viewport: { width: 1280, height: 900 }, ...person.profile });
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

const words = (page: Page) => page.getByRole("textbox", { name: "What do you want done?" });
const startButton = (page: Page) => page.getByRole("button", { name: "Start homework", exact: true });
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const row = (within: Page | Locator, objective: string) => within.getByRole("listitem").filter({ hasText: objective });
const started = (page: Page) => page.getByRole("status").filter({ hasText: "Homework started" });

async function lastRun({ api }: Person): Promise<Run> {
  const { items } = await api(routes.runs.list, { query: { limit: 1 } });
  return readRun(api, items[0]?.id ?? "no run");
}

test("someone new is told what this is and which model it has, and starts a sample in one click", async () => {
  const ada = await newPerson();
  const page = await open(ada, "/");
  await page.getByRole("heading", { level: 1, name: "Hand over your first homework" }).waitFor();
  await page.getByText("This is the demo model: rules, no AI").waitFor();
  await page.getByText("save a key").waitFor();
  await expectNoSeriousAxe(page);
  await page.getByRole("button", { name: "Start a sample homework" }).click();
  await page.waitForURL(/\/homework\/runs\/[0-9a-f-]{36}$/);
  await page.getByRole("heading", { level: 1, name: /repair café/ }).waitFor();
  const run = await lastRun(ada);
  expect(new URL(page.url()).pathname).toBe(`/homework/runs/${run.id}`);
  await page.goto("/homework");
  await row(page, "repair café").waitFor();
});

test("someone new finds the composer where it stays, however late the model is known", async () => {
  const ada = await newPerson();
  const { page } = await browser.open(server.url, ada.profile);
  const known = Promise.withResolvers<void>();
  await page.route("**/api/models", async (route) => {
    await known.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/api\/models$/);
  await page.goto("/homework");
  await asked;
  expect(await words(page).isVisible()).toBe(false);
  known.resolve();
  await words(page).waitFor();
  expect(await page.getByText("This is the demo model: rules, no AI").isVisible()).toBe(true);
});

test("homework is started in words, and the page says so with a way to it", async () => {
  const ada = await newPerson();
  const page = await open(ada);
  await words(page).fill("Learn to play the guitar");
  await words(page).press("Control+Enter");
  await started(page).getByText("Learn to play the guitar").waitFor();
  expect(await words(page).inputValue()).toBe("");
  // The welcome made room for the list, and the notice stayed.
  await row(page, "Learn to play the guitar").waitFor();
  await started(page).getByRole("link", { name: "Watch it work" }).click();
  await page.waitForURL(`**/homework/runs/${(await lastRun(ada)).id}`);
});

test("advanced settings arrive at the run as they were set", async () => {
  const ada = await newPerson();
  const { id: projectId } = await ada.api(routes.projects.create, { body: { name: "Band" } });
  const page = await open(ada);
  await words(page).fill("Write a song");
  await page.getByRole("combobox", { name: "Where it works" }).selectOption("One project");
  await page.getByRole("combobox", { name: "Project", exact: true }).fill("Ban");
  await page.getByRole("option", { name: "Band" }).click();
  expect(await page.getByRole("option", { name: /Agent \(none installed\)/ }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Approvals: Autopilot" }).click();
  await page.getByLabel("Iterations").fill("4");
  await page.getByLabel("Minutes of work").fill("10");
  await page.getByLabel("Cost in dollars").fill("0.5");
  await page.getByLabel("Tokens").fill("90000");
  await page.getByLabel("Strict cost limit").check();
  await page.getByLabel("Approve the plan first").check();
  await page.getByRole("button", { name: "Add a check" }).click();
  await page.getByLabel("Title contains").fill("Chorus");
  await page.getByLabel("Minimum words").fill("120");
  await page.getByRole("button", { name: "Add a check" }).click();
  await page.getByRole("combobox", { name: "Check 2" }).click();
  await page.getByRole("option", { name: "The run made a number of things" }).click();
  await page.getByLabel("At least", { exact: true }).fill("3");
  await page.getByRole("combobox", { name: "Model" }).fill("demo/rules");
  // Closes the list of models, which would cover the button.
  await page.keyboard.press("Tab");
  await expectNoSeriousAxe(page);
  await startButton(page).click();
  await started(page).waitFor();
  const run = await lastRun(ada);
  expect(run).toMatchObject({
    objective: "Write a song",
    scope: "project",
    project_ids: [projectId],
    budgets: {
      max_iterations: 4,
      max_wall_clock_ms: 600_000,
      max_cost_usd: 0.5,
      max_total_tokens: 90_000,
      hard: true,
    },
    permissions: { write_mode: "approve_plan" },
    models: { planner: "demo/rules", executor: "demo/rules" },
  });
  expect(run.completion_criteria.filter(({ given_by }) => given_by === "user").map(({ kind }) => kind)).toEqual([
    "document_has",
    "entity_count",
  ]);
});

test("what is missing is said next to its field, also where it was folded away", async () => {
  const page = await open(await newPerson());
  await startButton(page).click();
  await page.getByText("Say what you want done", { exact: true }).waitFor();
  await words(page).fill("Write a song");
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByLabel("Iterations").fill("99999");
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByText("1 set").waitFor();
  await startButton(page).click();
  await page.getByText("At most 10,000").waitFor();
  await expect.poll(() => hasFocus(page.getByLabel("Iterations"))).toBe(true);
});

test("a draft survives a reload, and is gone once it is sent", async () => {
  const ada = await newPerson();
  const page = await open(ada);
  await words(page).fill("Half a thought");
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByLabel("Minutes of work").fill("7");
  await page.reload();
  await expect.poll(() => words(page).inputValue()).toBe("Half a thought");
  await page.getByRole("button", { name: /Advanced/ }).click();
  expect(await page.getByLabel("Minutes of work").inputValue()).toBe("7");
  await startButton(page).click();
  await started(page).waitFor();
  await page.reload();
  await row(page, "Half a thought").waitFor();
  expect(await words(page).inputValue()).toBe("");
});

test("a question of a run comes to the top by itself, with a way to the answer", async () => {
  const ada = await newPerson();
  await untilStatus(ada.api, await startRun(ada.api, "Write about bees"), "completed");
  const page = await open(ada);
  await row(section(page, "Finished"), "Write about bees").waitFor();
  expect(await section(page, "Needs you").count()).toBe(0);
  const asking = await startRun(ada.api, "Write about hives", { permissions: { write_mode: "approve_plan" } });
  const waiting = row(section(page, "Needs you"), "Write about hives");
  await waiting.getByText("Review the plan. Approve it, or say what to change.").waitFor();
  await expectNoSeriousAxe(page);
  await waiting.getByRole("link", { name: "Review plan: Write about hives" }).click();
  await page.waitForURL(`**/homework/runs/${asking}`);
});

test("someone typing keeps the focus and their words when the list changes below", async () => {
  const ada = await newPerson();
  await untilStatus(ada.api, await startRun(ada.api, "Write about bees"), "completed");
  const page = await open(ada);
  await words(page).focus();
  await page.keyboard.type("I was just");
  await startRun(ada.api, "Write about wasps", { permissions: { write_mode: "approve_plan" } });
  await row(section(page, "Needs you"), "Write about wasps").waitFor();
  await page.keyboard.type(" going to say");
  expect(await words(page).inputValue()).toBe("I was just going to say");
});

test("a row that moves to another group takes the focus along", async () => {
  const ada = await newPerson();
  const runId = await startRun(ada.api, "Write about moths", { permissions: { write_mode: "approve_plan" } });
  await untilStatus(ada.api, runId, "waiting_on_user");
  const page = await open(ada);
  await section(page, "Needs you").getByRole("link", { name: "Write about moths", exact: true }).focus();
  await ada.api(routes.runs.cancel, { params: { runId } });
  const moved = section(page, "Finished").getByRole("link", { name: "Write about moths" });
  await expect.poll(() => hasFocus(moved)).toBe(true);
});

test("groups and words are in the address, counted, and found again", async () => {
  const ada = await newPerson();
  // More than one iteration can do.
  const bread = await startRun(ada.api, "Plan the launch of a bread bakery", { budgets: { max_iterations: 1 } });
  await untilStatus(ada.api, bread, "stopped");
  await untilStatus(ada.api, await startRun(ada.api, "Bake a cake"), "completed");
  await untilStatus(
    ada.api,
    await startRun(ada.api, "Bake pizza", { permissions: { write_mode: "approve_plan" } }),
    "waiting_on_user",
  );
  const page = await open(ada);
  const filter = page.getByRole("navigation", { name: "Which homework" });
  await expect
    .poll(() => filter.getByRole("link").allTextContents())
    .toEqual(["All 3", "Needs you 1", "In progress 0", "Finished 2", "Archived"]);
  const chosen = () => filter.locator('[aria-current="page"]').allInnerTexts();
  expect(await chosen()).toEqual(["All 3"]);
  await filter.getByRole("link", { name: "Finished" }).click();
  await expect.poll(() => section(page, "Finished").getByRole("listitem").count()).toBe(2);
  expect(await chosen()).toEqual(["Finished 2"]);
  expect(await section(page, "Needs you").count()).toBe(0);
  await row(page, "bread bakery").getByText("Stopped because it used all its iterations").waitFor();
  await page.getByRole("searchbox", { name: "Search in titles and objectives" }).fill("cake");
  await page.waitForURL(/\?group=finished&q=cake$/);
  await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBe(1);
  await page.reload();
  await row(page, "Bake a cake").waitFor();
  expect(await page.getByRole("searchbox", { name: "Search in titles and objectives" }).inputValue()).toBe("cake");
  await filter.getByRole("link", { name: "In progress" }).click();
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("link", { name: "Show all homework" }).click();
  await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBe(3);
  await filter.getByRole("link", { name: "In progress" }).click();
  await page.getByText("Nothing is in progress").waitFor();
});

test("more finished homework than fits a page is loaded on demand", async () => {
  const ada = await newPerson();
  for (let place = 0; place < 27; place++) {
    const runId = await startRun(ada.api, `Old homework ${place}`);
    await ada.api(routes.runs.cancel, { params: { runId } });
  }
  const page = await open(ada, "/homework?group=finished");
  await expect.poll(() => section(page, "Finished").getByRole("listitem").count()).toBe(25);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect.poll(() => section(page, "Finished").getByRole("listitem").count()).toBe(27);
  expect(await page.getByRole("button", { name: "Load more" }).count()).toBe(0);
});

test("by keyboard alone: homework is written, set to ask first, started and opened", async () => {
  const ada = await newPerson();
  const page = await open(ada, "/projects");
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump to" }).fill("New run");
  await page.keyboard.press("Enter");
  await expect.poll(() => hasFocus(words(page))).toBe(true);
  await page.keyboard.type("Knit a scarf");
  await tabTo(page, page.getByRole("button", { name: "Advanced" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Autopilot"));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, startButton(page));
  await page.keyboard.press("Enter");
  await tabTo(page, started(page).getByRole("link", { name: "Watch it work" }));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/homework\/runs\//);
  expect((await lastRun(ada)).permissions.write_mode).toBe("approve_plan");
});

test("on a project's page homework starts in that project", async () => {
  const ada = await newPerson();
  const { id: projectId } = await ada.api(routes.projects.create, { body: { name: "Choir" } });
  const page = await open(ada, `/projects/${projectId}`);
  await page.getByRole("button", { name: "Start homework here" }).click();
  await words(page).fill("Find a room to sing in");
  await startButton(page).click();
  await started(page).waitFor();
  expect(await lastRun(ada)).toMatchObject({ scope: "project", project_ids: [projectId] });
  await page.goto(`/projects/${projectId}/homework`);
  await page.getByRole("listitem").filter({ hasText: "Find a room to sing in" }).first().waitFor();
});

test("chat mode begins a chat with what was written", async () => {
  const ada = await newPerson();
  const page = await open(ada);
  await page.getByRole("radiogroup", { name: "Homework or chat" }).getByText("Chat").click();
  await page.getByRole("textbox", { name: "What do you want to know?" }).fill("What is a repair café?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  const chatId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { messages } = await ada.api(routes.chats.get, { params: { chatId }, query: {} });
  expect(messages.items.map(({ text }) => text)).toContain("What is a repair café?");
});

test("on a phone the list is cards that fit", async () => {
  const ada = await newPerson();
  const runId = await startRun(ada.api, "Compare washing machines".repeat(40), {
    permissions: { write_mode: "approve_plan" },
  });
  await untilStatus(ada.api, runId, "waiting_on_user");
  const { page } = await browser.open(server.url, { viewport: phone, ...ada.profile });
  await page.goto("/homework");
  await section(page, "Needs you").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
  await words(page).focus();
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByRole("button", { name: "Add a check" }).click();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
  await expectNoSeriousAxe(page);
});

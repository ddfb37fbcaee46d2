// One task of an outcome, opened beside its page: reading and editing it, what it waits for, what it needs, its attempts with what HOMЯ
// saw and what their prompts said, splitting and skipping it.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe } from "../helpers/browser.ts";
import { outcomePages } from "../helpers/outcome-pages.ts";
import { gate } from "../helpers/run-lab-server.ts";
import { gated, hallScript } from "../helpers/run-scenes.ts";

const pages = await outcomePages();
const observed = {
  onTrack: true,
  alignmentScore: 88,
  quality: "needs_work",
  drift: [{ type: "scope_creep", description: "It also wrote a poem", severity: "low", evidence: "Roses are red" }],
  issues: [],
  discoveries: [
    {
      type: "constraint",
      content: "The hall can be booked on Saturdays only",
      relevantTasks: ["*"],
      source: "its second paragraph",
    },
  ],
  decisions: [],
  ambiguity: null,
  wishes: [],
  summary: "The page says what is known of the hall",
};
pages.lab.script("You observe the work on an outcome", () => JSON.stringify(observed));

const twoTasks = [
  { title: "Choose lamps", description: "Brass ones" },
  { title: "Take pictures", depends_on: [1] },
];

async function openTask(outcomeId: string, number: number): Promise<Page> {
  const task = (await pages.tasksOf(outcomeId)).find((each) => each.number === number);
  const page = await pages.open(outcomeId, `?task=${task?.id}`);
  await page
    .getByRole("dialog", { name: `Task #${number}` })
    .getByRole("heading", { level: 3 })
    .waitFor();
  return page;
}
const drawer = (page: Page) => page.getByRole("dialog", { name: /^Task #\d+$/ });
const section = (page: Page, name: string) => drawer(page).getByRole("region", { name, exact: true });
const button = (page: Page, name: string) => drawer(page).getByRole("button", { name, exact: true });

test("a task is edited: its words, its order, its attempts and its checks", async () => {
  const { id } = await pages.make(twoTasks);
  const page = await openTask(id, 1);
  await section(page, "Description").getByText("Brass ones").waitFor();
  await section(page, "Checks").getByText("None of its own").waitFor();
  await expectNoSeriousAxe(page);
  await button(page, "Edit").click();
  const dialog = page.getByRole("dialog", { name: "Edit #1 Choose lamps" });
  await dialog.getByLabel("Title").fill("Choose the lamps");
  await dialog.getByLabel("Priority").fill("20");
  await dialog.getByLabel("Attempts").fill("99");
  await dialog.getByRole("button", { name: "Add a check" }).click();
  await dialog.getByRole("combobox", { name: "Check 1" }).click();
  await page.getByRole("option", { name: "A judge agrees" }).click();
  await dialog.getByLabel("The judge agrees that").fill("Every lamp has a price");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("A whole number from 1 to 20").waitFor();
  await dialog.getByLabel("Attempts").fill("5");
  await expectNoSeriousAxe(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await drawer(page).getByText("Urgent priority").waitFor();
  await section(page, "Checks")
    .getByText(/Every lamp has a price/)
    .waitFor();
  await button(page, "Edit").click();
  const again = page.getByRole("dialog", { name: "Edit #1 Choose the lamps" });
  await again.getByRole("button", { name: /^Remove check: .*Every lamp has a price/ }).click();
  await again.getByRole("button", { name: "Save" }).click();
  await section(page, "Checks").getByText("None of its own").waitFor();
  expect((await pages.tasksOf(id))[0]).toMatchObject({
    title: "Choose the lamps",
    priority: 20,
    max_attempts: 5,
    completion_criteria: [],
  });
});

test("of two edits that meet, the second one chooses", async () => {
  const { id } = await pages.make(twoTasks);
  const page = await openTask(id, 1);
  await button(page, "Edit").click();
  const dialog = page.getByRole("dialog", { name: "Edit #1 Choose lamps" });
  await dialog.getByLabel("Title").fill("Mine");
  const [task] = await pages.tasksOf(id);
  const params = { outcomeId: id, taskId: task?.id ?? "" };
  await pages.api(routes.outcomeTasks.update, { params, body: { version: 1, title: "Theirs" } });
  await dialog.getByRole("button", { name: "Save" }).click();
  const choice = page.getByRole("dialog", { name: "This was changed while you were editing" });
  await choice.getByText("Theirs", { exact: true }).last().waitFor();
  await expectNoSeriousAxe(page);
  await choice.getByRole("button", { name: "Keep mine" }).click();
  await drawer(page).getByRole("heading", { name: "Mine" }).waitFor();
  expect((await pages.tasksOf(id))[0]?.title).toBe("Mine");
});

test("a task waits for another one, and a circle is refused in words", async () => {
  const { id } = await pages.make([...twoTasks, { title: "Open the shop" }]);
  const page = await openTask(id, 1);
  await section(page, "Needed by").getByRole("link", { name: "#2 Take pictures" }).waitFor();
  const add = async (name: string) => {
    await section(page, "Waits for").getByLabel("Task to wait for").click();
    await page.getByRole("listbox").getByRole("option", { name }).click();
    await button(page, "Add").click();
  };
  await add("#2 Take pictures");
  await section(page, "Waits for").getByText("#2 waits for #1 already: #1 cannot wait for #2").waitFor();
  await expectNoSeriousAxe(page);
  await add("#3 Open the shop");
  await section(page, "Waits for").getByRole("link", { name: "#3 Open the shop" }).waitFor();
  await drawer(page).getByText("Waits for #3").waitFor();
  await button(page, "Stop waiting for #3 Open the shop").click();
  await section(page, "Waits for").getByText("No other task").waitFor();
  await section(page, "Needed by").getByRole("link", { name: "#2 Take pictures" }).click();
  await page.getByRole("dialog", { name: "Task #2" }).waitFor();
});

test("what a task needs is given: an approval, and a document", async () => {
  const gates = [
    { kind: "human_approval" as const, label: "Go live" },
    { kind: "document_required" as const, label: "Price list" },
  ];
  const { id } = await pages.make([{ title: "Open the shop", gates }]);
  const page = await openTask(id, 1);
  await drawer(page).getByText("Will need your approval: Go live").waitFor();
  await drawer(page).getByRole("form", { name: "Go live" }).getByRole("button", { name: "Approve" }).click();
  await section(page, "Needed from you").getByText("✓ Go live: Approved").waitFor();
  const document = drawer(page).getByRole("form", { name: "Price list" });
  expect(await document.getByRole("button", { name: "Save document" }).isDisabled()).toBe(true);
  await document.getByLabel("Text or link of the document").fill("Lamp: 20 dollars");
  await expectNoSeriousAxe(page);
  await document.getByRole("button", { name: "Save document" }).click();
  await section(page, "Needed from you").getByText("✓ Price list: Lamp: 20 dollars").waitFor();
  await drawer(page).getByText("Starts when you start the outcome").waitFor();
});

test("a task is split into parts and a task that verifies them", async () => {
  const { id } = await pages.make(twoTasks);
  const page = await openTask(id, 1);
  await button(page, "Split").click();
  const dialog = page.getByRole("dialog", { name: "Split #1 Choose lamps" });
  await dialog.getByRole("button", { name: "Split task" }).click();
  await dialog.getByText("Give this part a title").first().waitFor();
  await dialog.getByLabel("Part 1: title").fill("Ceiling lamps");
  await dialog.getByLabel("Part 2: title").fill("Table lamps");
  await dialog.getByRole("button", { name: "Add part" }).click();
  await dialog.getByLabel("Part 3: title").fill("Garden lamps");
  await dialog.getByLabel("One after the other").check();
  await expectNoSeriousAxe(page);
  await dialog.getByRole("button", { name: "Split task" }).click();
  await drawer(page).getByText("Split into #3, #4, #5, #6").first().waitFor();
  const tasks = await pages.tasksOf(id);
  expect(tasks.map(({ number, status, title }) => `${number} ${status} ${title}`)).toEqual([
    "1 obsolete Choose lamps",
    "2 pending Take pictures",
    "3 pending Ceiling lamps",
    "4 pending Table lamps",
    "5 pending Garden lamps",
    "6 pending Verify: Choose lamps",
  ]);
  expect(tasks[1]?.depends_on).toEqual([tasks[5]?.id]);
  expect(tasks[3]?.depends_on).toEqual([tasks[2]?.id]);
});

test("attempts link to their runs and say what HOMЯ saw; prompts say what the worker was told", async () => {
  const work = gate();
  pages.lab.script("the one with the balcony", gated(hallScript(), { 2: work.passed }));
  const { id } = await pages.make(
    [
      { title: "Write about the hall" },
      { title: "Write about a second hall", description: "It is the one with the balcony", depends_on: [1] },
    ],
    {
      start: true,
    },
  );
  const page = await openTask(id, 1);
  const first = drawer(page).getByRole("listitem", { name: "Attempt 1" });
  await first.getByText("The page says what is known of the hall").waitFor();
  await first.getByText("On course · 88 of 100 · Needs work").waitFor();
  await first.getByRole("button", { name: "Show 1 problem, 1 discovery" }).click();
  await first.getByText("Did more than asked, low: It also wrote a poem").waitFor();
  await first.getByText("Evidence: Roses are red").waitFor();
  await first.getByText("Constraint: The hall can be booked on Saturdays only").waitFor();
  await expectNoSeriousAxe(page);
  await section(page, "Needed by").getByRole("link").click();
  const second = page.getByRole("dialog", { name: "Task #2" }).getByRole("listitem", { name: "Attempt 1" });
  await second.getByRole("button", { name: "What the worker was told" }).click();
  await second.getByRole("button", { name: "Iteration 1", exact: true }).click();
  const brief = page.getByRole("dialog", { name: /^What the worker was told: attempt 1, iteration 1/ });
  await brief
    .getByRole("region", { name: "Notes from HOMЯ" })
    .getByText(/booked on Saturdays only/)
    .first()
    .waitFor();
  await brief
    .getByRole("region", { name: "The whole text" })
    .getByText(/booked on Saturdays only/)
    .waitFor();
  await expectNoSeriousAxe(page);
  // The task ends, and its attempts come first now: who reads on is not interrupted.
  work.open();
  await second.getByText("The page says what is known of the hall").waitFor();
  await page.getByRole("dialog", { name: "Task #2" }).getByRole("link", { name: "Open result" }).waitFor();
  expect(await brief.isVisible()).toBe(true);
  // Escape closes what lies on top alone.
  await page.keyboard.press("Escape");
  await brief.waitFor({ state: "detached" });
  await second.getByRole("link", { name: "Open run" }).click();
  await page.waitForURL(/\/homework\/runs\//);
});

test("what is typed into an edit stays there when the task ends meanwhile", async () => {
  const work = gate();
  pages.lab.script("a hall with a stage", gated(hallScript(), { 2: work.passed }));
  const { id } = await pages.make([{ title: "Write about a hall with a stage" }], { start: true });
  const page = await openTask(id, 1);
  await drawer(page).getByText("Running").first().waitFor();
  await button(page, "Edit").click();
  const dialog = page.getByRole("dialog", { name: /^Edit #1/ });
  await dialog.getByLabel("Title").fill("Write about two halls");
  work.open();
  await page.getByRole("dialog", { name: "Task #1" }).getByRole("link", { name: "Open result" }).waitFor();
  expect(await dialog.getByLabel("Title").inputValue()).toBe("Write about two halls");
});

test("a running task is started over after a question, and a skipped one stays as it is", async () => {
  const work = gate();
  pages.lab.script("a slow hall", gated(hallScript(), { 1: work.passed }));
  const { id } = await pages.make([{ title: "Write about a slow hall" }], { start: true });
  const page = await openTask(id, 1);
  await drawer(page).getByText("Running").first().waitFor();
  await button(page, "Start over").click();
  const ask = page.getByRole("dialog", { name: /^Start #1/ });
  await ask.getByRole("button", { name: "Start over" }).click();
  await drawer(page).getByRole("listitem", { name: "Attempt 1" }).getByText("Canceled", { exact: true }).waitFor();
  await button(page, "Skip").click();
  await page
    .getByRole("dialog", { name: /^Skip #1/ })
    .getByRole("button", { name: "Skip task" })
    .click();
  await drawer(page).getByText("Skipped").waitFor();
  await expect.poll(() => drawer(page).getByRole("button", { name: "Edit" }).count()).toBe(0);
  work.open();
});

test("an address of a task that is not there says so", async () => {
  const { id } = await pages.make(twoTasks);
  const page = await pages.open(id, "?task=00000000-0000-7000-8000-000000000000");
  await page
    .getByRole("dialog", { name: "Task" })
    .getByText(/not found|There is nothing here/i)
    .first()
    .waitFor();
});

// The tasks of an outcome on their board and in the picture of their dependencies: why each waits, and moving them by mouse, menu and keys.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe } from "../helpers/browser.ts";
import { hasFocus, tabTo } from "../helpers/by-keyboard.ts";
import { outcomePages } from "../helpers/outcome-pages.ts";
import { gate } from "../helpers/run-lab-server.ts";
import { gated, hallScript } from "../helpers/run-scenes.ts";

const pages = await outcomePages();
const phone = { width: 390, height: 844 };

const board = (page: Page) => page.getByRole("region", { name: "Task board" });
const column = (page: Page, name: string) => board(page).getByRole("region", { name, exact: true });
const card = (within: Page | Locator, number: number) =>
  within.getByRole("listitem").filter({ hasText: new RegExp(`^#${number} `) });
const linkOf = (page: Page, number: number) => card(board(page), number).getByRole("link").first();
const namesIn = async (list: Locator) =>
  (await list.getByRole("listitem").allTextContents()).map((text) => /#\d+/.exec(text)?.[0]);

async function chooseFromMenu(page: Page, number: number, item: string): Promise<void> {
  await card(board(page), number)
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

const threeTasks = [
  { title: "Choose lamps" },
  { title: "Take pictures" },
  { title: "Open the shop", depends_on: [1, 2] },
];

test("every column says why its tasks wait", async () => {
  const { outcomeId } = await pages.insert({ name: "Lamps in rows" });
  const page = await pages.open(outcomeId, "/tasks");
  await card(column(page, "Completed"), 1).waitFor();
  await card(column(page, "Waiting for you"), 2).getByText("Waits for your answer").waitFor();
  await card(column(page, "Failed"), 3).getByText("1 of 3 attempts failed").waitFor();
  await card(column(page, "Queued"), 4).getByText("Needs your approval: Say yes").waitFor();
  await page.getByText("1 of 4 tasks completed").waitFor();
  await expectNoSeriousAxe(page);
});

test("dependencies and an outcome that is not started hold tasks up", async () => {
  const { id } = await pages.make(threeTasks);
  const page = await pages.open(id, "/tasks");
  await card(board(page), 3).getByText("Waits for #1 and #2").waitFor();
  await card(board(page), 1).getByText("Starts when you start the outcome").waitFor();
});

test("arrow keys go from card to card, and with Shift they move a card", async () => {
  const { id } = await pages.make(threeTasks);
  const page = await pages.open(id, "/tasks");
  await tabTo(page, linkOf(page, 1));
  await page.keyboard.press("ArrowDown");
  expect(await hasFocus(linkOf(page, 2))).toBe(true);
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(() => namesIn(column(page, "Queued"))).toEqual(["#2", "#1", "#3"]);
  await expect.poll(() => hasFocus(linkOf(page, 2))).toBe(true);
  await page.getByRole("status").getByText("#2 Take pictures: priority 99").waitFor({ state: "attached" });
  await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(() => namesIn(column(page, "Queued"))).toEqual(["#1", "#3", "#2"]);
  expect((await pages.tasksOf(id)).map(({ priority }) => priority)).toEqual([100, 101, 100]);
});

test("a card's menu moves it and sets its priority", async () => {
  const { id } = await pages.make(threeTasks);
  const page = await pages.open(id, "/tasks");
  await chooseFromMenu(page, 3, "Move up");
  await expect.poll(() => namesIn(column(page, "Queued"))).toEqual(["#3", "#1", "#2"]);
  await chooseFromMenu(page, 2, "Urgent (10)");
  await card(board(page), 2).getByText("Urgent priority").waitFor();
  await expect.poll(() => namesIn(column(page, "Queued"))).toEqual(["#2", "#3", "#1"]);
});

test("a card is dragged before another one, and out of the way to skip it", async () => {
  const { id } = await pages.make(threeTasks);
  const page = await pages.open(id, "/tasks");
  await card(board(page), 2).dragTo(card(board(page), 1), { targetPosition: { x: 20, y: 8 } });
  await expect.poll(() => namesIn(column(page, "Queued"))).toEqual(["#2", "#1", "#3"]);
  // The place to drop it is there only while something is dragged.
  const from = await card(board(page), 1).boundingBox();
  if (!from) throw new Error("no card");
  await page.mouse.move(from.x + 20, from.y + from.height - 6);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + from.height + 10, { steps: 4 });
  const target = await column(page, "Skipped").boundingBox();
  if (!target) throw new Error("no place to drop");
  await page.mouse.move(target.x + 40, target.y + 40, { steps: 4 });
  await page.mouse.up();
  const dialog = page.getByRole("dialog", { name: "Skip #1 Choose lamps?" });
  await dialog.getByLabel("Reason (optional)").fill("We have them already");
  await expectNoSeriousAxe(page);
  await dialog.getByRole("button", { name: "Skip task" }).click();
  await card(column(page, "Skipped"), 1).getByText("We have them already").waitFor();
  await card(board(page), 3).getByText("Waits for #2").waitFor();
});

test("a failed task is tried again", async () => {
  const { outcomeId } = await pages.insert({ name: "Try again", status: "paused" });
  const page = await pages.open(outcomeId, "/tasks");
  await chooseFromMenu(page, 3, "Try again");
  await card(column(page, "Queued"), 3).getByText("The outcome is paused").waitFor();
});

test("a change from elsewhere is shown at once, and work moves through the columns", async () => {
  const work = gate();
  pages.lab.script("a hall by the river", gated(hallScript(), { 1: work.passed }));
  const { id } = await pages.make([
    { title: "Write about a hall by the river" },
    { title: "Write about a second hall" },
  ]);
  const page = await pages.open(id, "/tasks");
  await card(board(page), 1).getByText("Starts when you start the outcome").waitFor();
  await pages.api(routes.outcomes.start, { params: { outcomeId: id } });
  await card(board(page), 2).getByText("Waits for a free worker").waitFor();
  await card(column(page, "Running"), 1).getByRole("link", { name: "Open run of #1" }).waitFor();
  work.open();
  await card(column(page, "Completed"), 1).waitFor();
  await card(column(page, "Completed"), 2).waitFor();
});

test("on a phone the columns are lists below each other", async () => {
  const { outcomeId } = await pages.insert({ name: "On a phone" });
  const page = await pages.open(outcomeId, "/tasks", phone);
  const [queued, failed] = [await column(page, "Queued").boundingBox(), await column(page, "Failed").boundingBox()];
  expect(queued?.x).toBe(failed?.x);
  // What needs someone comes first.
  expect(queued?.y).toBeGreaterThan(failed?.y ?? 0);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await expectNoSeriousAxe(page);
});

test("a task is added with what it waits for, what it needs and a check", async () => {
  const { id } = await pages.make(threeTasks);
  const page = await pages.open(id, "/tasks");
  await page.getByRole("button", { name: "Add task" }).click();
  const dialog = page.getByRole("dialog", { name: "Add task" });
  await dialog.getByRole("button", { name: "Add task" }).click();
  await dialog.getByText("Give the task a title").waitFor();
  await dialog.getByLabel("Title").fill("Send the first order");
  await dialog.getByLabel("Description").first().fill("By post");
  await dialog.getByLabel("Waits for").click();
  await page.getByRole("option", { name: "#3 Open the shop" }).click();
  await dialog.getByLabel("Title").click();
  await dialog.getByRole("button", { name: "Add a need" }).click();
  await dialog.getByLabel("What", { exact: true }).fill("Price list is final");
  await dialog.getByRole("button", { name: "Add a check" }).click();
  await dialog.getByLabel("Minimum words").fill("100");
  await expectNoSeriousAxe(page);
  await dialog.getByRole("button", { name: "Add task" }).click();
  await card(column(page, "Queued"), 4).getByText("Waits for #3").waitFor();
  const added = (await pages.tasksOf(id)).at(-1);
  expect(added).toMatchObject({
    title: "Send the first order",
    description: "By post",
    gates: [{ kind: "human_approval", label: "Price list is final", given: null }],
    completion_criteria: [{ kind: "document_has", target: { words_at_least: 100 } }],
  });
});

/** Each waits for up to two earlier ones; the last one for none. */
const fifty = Array.from({ length: 50 }, (_, at) => ({
  title: `Step ${at + 1} of a long way to a shop with many rooms`,
  depends_on: [...new Set([at - 2, at - 6])].filter((place) => place >= 1 && at < 49),
}));

test("fifty tasks are a picture whose nodes are links, reached by keyboard, and a table", async () => {
  const { id } = await pages.make(fifty);
  const page = await pages.open(id, "/tasks");
  await page.getByText("Dependencies", { exact: true }).click();
  const graph = page.getByRole("region", { name: "Dependency graph" });
  await expect.poll(() => graph.getByRole("link").count()).toBe(49);
  await expectNoSeriousAxe(page);
  const node = graph.getByRole("link", { name: /^#9 Waiting for others .*, waits for #2 and #6$/ });
  await tabTo(page, node);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Task #9" }).waitFor();
  expect(new URL(page.url()).searchParams.get("view")).toBe("graph");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => hasFocus(node)).toBe(true);
  await page.getByRole("button", { name: "Show dependencies as a table" }).click();
  const rows = page.getByRole("region", { name: "Dependencies as a table" }).getByRole("row");
  expect(await rows.count()).toBe(51);
  expect(await rows.nth(9).textContent()).toContain("#2 and #6");
  await page.getByRole("region", { name: "No dependencies" }).getByRole("link").first().waitFor();
  await expectNoSeriousAxe(page);
});

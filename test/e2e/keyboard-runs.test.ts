// Without a mouse: everything one does with a run, from its first question to its report, by keys alone. Nothing is clicked or
// focused for the person, and nothing they do leaves them without a place on the page.

import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { hasFocus, press, tabTo, write } from "../helpers/by-keyboard.ts";
import { call } from "../helpers/planner-scenario.ts";
import { gate, readRun, runLabServer, startRun, untilRun, untilStatus } from "../helpers/run-lab-server.ts";
import { askingScript, gated, hallScript } from "../helpers/run-scenes.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer();
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Halls" } });
lab.script("", hallScript());

async function open(path: string): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

const pageOf = (runId: string, tab = "") => `/homework/runs/${runId}${tab}`;
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const button = (inside: Page | Locator, name: string | RegExp) => inside.getByRole("button", { name, exact: true });
const link = (inside: Page | Locator, name: string | RegExp) => inside.getByRole("link", { name, exact: true });
const field = (inside: Page | Locator, name: string | RegExp) => inside.getByRole("textbox", { name });
const says = (page: Page, words: string | RegExp) =>
  page
    .getByRole("region", { name: /^(?:Now|What happened)$/ })
    .getByText(words)
    .waitFor();
/** A run that stopped has a result too. */
async function hasResult(page: Page): Promise<void> {
  await page.getByText("Completed", { exact: true }).first().waitFor();
  await page.getByRole("article", { name: "Result" }).waitFor();
}
const titlesIn = async () =>
  (await api(routes.task.list, { params: { projectId }, query: {} })).items.map(({ title }) => title);

/** What was pressed may be gone by now; the keyboard still is somewhere, and in here where that is said. */
async function keepsFocus(place: Page | Locator): Promise<void> {
  const isThere = async () =>
    (await place.locator("*:focus").count()) === 1 || ("and" in place && (await hasFocus(place)));
  await expect.poll(isThere, { message: `the focus was lost: ${String(place)}` }).toBe(true);
}

/** Walks an open menu to one of its items, and takes it. */
async function choose(page: Page, item: Locator): Promise<void> {
  await item.waitFor();
  await keepsFocus(page.getByRole("menu"));
  for (let steps = 0; steps < 20 && !(await hasFocus(item)); steps++) await page.keyboard.press("ArrowDown");
  expect(await hasFocus(item), `${String(item)} is reached with arrows`).toBe(true);
  await page.keyboard.press("Enter");
}

/** More than any dialog has, so that one comes round at least once. */
const stopsInside = 14;
/** So long things on the page give the focus to each other. */
const settleMs = 80;

/**
 * Opens a dialog: the keyboard is in it, Tab does not lead out of it, Escape leaves it and gives the focus back to what opened
 * it. Then opens it again.
 */
async function openDialog(page: Page, opener: Locator, name: string, menuItem?: Locator): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name });
  const openIt = async () => {
    await press(page, opener);
    if (menuItem) await choose(page, menuItem);
    await dialog.waitFor();
    await expect.poll(() => dialog.locator(":focus").count(), { message: `in ${name}` }).toBe(1);
  };
  await openIt();
  for (const key of ["Shift+Tab", ...Array.from({ length: stopsInside }, () => "Tab")]) {
    await page.keyboard.press(key);
    expect(await dialog.locator(":focus").count(), `${key} stays in ${name}`).toBe(1);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => hasFocus(opener), { message: `back from ${name}` }).toBe(true);
  await page.waitForTimeout(settleMs);
  expect(await hasFocus(opener), `still there after ${name}`).toBe(true);
  await openIt();
  return dialog;
}

test("questions are answered by option and in words", async () => {
  const questions = [
    { text: "Which side of town?", options: ["north", "south"] },
    { text: "How many people?", options: [] },
  ];
  lab.script("asked hall", askingScript(questions, hallScript()));
  const runId = await startRun(api, "Find an asked hall");
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(pageOf(runId));
  const panel = region(page, "The run needs you");
  // The options are one stop before the words, at the last of them.
  await write(page, field(panel, "More about it, or another answer"), "near the river");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowLeft");
  expect(await panel.getByRole("radio", { name: "north" }).isChecked()).toBe(true);
  await write(page, field(panel, "Your answer"), "twenty people and a dog");
  await press(page, button(panel, "Send 2 answers"));
  await panel.waitFor({ state: "detached" });
  await keepsFocus(page);
  const { messages } = await untilStatus(api, runId, "completed");
  expect(messages.map(({ text }) => text).join()).toMatch(/north.*near the river.*twenty people and a dog/s);
});

test("a plan is sent back with a wish, and then approved", async () => {
  const held = gate();
  lab.script("planned hall", gated(hallScript(3), { 2: held.passed }));
  const runId = await startRun(api, "Find a planned hall", { permissions: { write_mode: "approve_plan" } });
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(pageOf(runId));
  const panel = region(page, "The run needs you");
  await press(page, button(panel, "Request changes"));
  await write(page, field(panel, "What should be different?"), "also compare the prices");
  await press(page, button(panel, "Send changes"));
  await panel.waitFor({ state: "detached" });
  await keepsFocus(page);
  held.open();
  await untilRun(api, runId, ({ status, iteration }) => status === "waiting_on_user" && iteration === 2);
  await press(page, button(panel, "Approve plan"));
  await hasResult(page);
  await keepsFocus(page);
  expect((await readRun(api, runId)).messages.map(({ text }) => text).join()).toContain("also compare the prices");
});

test("one change is rejected with a note, and the rest approved one by one", async () => {
  lab.script("tasks to decide on", ({ role, iteration }) => {
    if (role !== "planner") return "It asked before it wrote.";
    const tool_calls = ["first", "second"].map((which) =>
      call("create_task", { title: `The ${which} task`, content: "as shown", project_id: projectId }),
    );
    if (iteration === 1) return { plan: { steps: [] }, tool_calls };
    return { plan: { steps: [] }, questions: [{ text: "What else?", options: [] }] };
  });
  const permissions = { write_mode: "per_write" } as const;
  const runId = await startRun(api, "Make tasks to decide on", { project_ids: [projectId], permissions });
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(pageOf(runId));
  const changes = page.getByRole("article", { name: /^Change / });
  const second = changes.filter({ hasText: "The second task" });
  await press(page, second.getByText("Details"));
  await second.getByRole("region", { name: "State" }).waitFor();
  await write(page, field(second, "Feedback (optional)"), "one is enough");
  await press(page, button(second, "Reject"));
  await second.waitFor({ state: "detached" });
  await keepsFocus(region(page, "Proposed changes"));
  const first = changes.filter({ hasText: "The first task" });
  await press(page, button(first, "Approve"));
  await first.waitFor({ state: "detached" });
  await keepsFocus(page);
  const { items } = await api(routes.changes.list, { params: { runId }, query: { state: "pending" } });
  // The run's own pages wait for a yes as well.
  if (items.length > 0) await press(page, button(page, /^Approve( all \d+)?$/));
  await untilRun(api, runId, ({ status, iteration }) => status === "waiting_on_user" && iteration === 2);
  expect(await titlesIn()).toEqual(["The first task"]);
  await api(routes.runs.cancel, { params: { runId } });
});

test("a run is told something, paused and resumed", async () => {
  const held = gate();
  lab.script("told hall", gated(hallScript(), { 1: held.passed }));
  const runId = await startRun(api, "Find a told hall");
  const page = await open(pageOf(runId));
  await says(page, "The run is working on iteration 1 of 20.");
  const messages = region(page, "Guidance");
  await write(page, field(messages, "Your guidance"), "mind the stairs");
  await press(page, button(messages, "Send"));
  await messages.getByText("Pending", { exact: true }).waitFor();
  await write(page, field(messages, "Your guidance"), "and the doors");
  await page.keyboard.press("Control+Enter");
  await messages.getByText("and the doors").waitFor();
  await keepsFocus(messages);
  const controls = page.getByRole("group", { name: "Controls of the run" });
  await press(page, button(controls, "Pause"));
  await says(page, "The run is paused.");
  await keepsFocus(controls);
  held.open();
  await press(page, button(controls, "Resume"));
  await hasResult(page);
  await keepsFocus(controls);
  expect((await readRun(api, runId)).messages.map(({ text }) => text)).toEqual(["mind the stairs", "and the doors"]);
});

test("a run that used up its iterations gets more, and what it wrote is taken back", async () => {
  lab.script("short hall", hallScript(2));
  const runId = await startRun(api, "Find a short hall", { budgets: { max_iterations: 1 } });
  await untilStatus(api, runId, "stopped");
  const page = await open(pageOf(runId));
  const controls = page.getByRole("group", { name: "Controls of the run" });
  const resume = await openDialog(page, button(controls, "Resume…"), "Resume this run");
  await write(page, field(resume, "Iterations"), "7");
  await page.keyboard.press("Enter");
  await resume.waitFor({ state: "detached" });
  await hasResult(page);
  await keepsFocus(controls);
  expect((await readRun(api, runId)).max_iterations).toBe(7);
  const undoItem = page.getByRole("menuitem", { name: /^Undo/ });
  const undo = await openDialog(page, button(page, "More controls"), "Take back what this run wrote", undoItem);
  await undo.getByText("Nothing has been changed yet.").waitFor();
  await undo.getByRole("listitem").filter({ hasText: "The hall" }).waitFor();
  await press(page, button(undo, /^Take back \d+ things?$/));
  await undo.waitFor({ state: "detached" });
  await keepsFocus(controls);
  const { items } = await api(routes.runParts.outputs, { params: { runId }, query: {} });
  expect(items.filter(({ title }) => title === "The hall")).toMatchObject([{ is_gone: true }]);
});

test("the pill leads to a run by keyboard; and canceling asks first", async () => {
  const held = gate();
  lab.script("held hall", gated(hallScript(), { 1: held.passed }));
  const runId = await startRun(api, "Find a held hall");
  await untilStatus(api, runId, "running");
  const page = await open("/projects");
  await press(page, link(page, "1 running. Open the run"));
  await page.waitForURL(`**${pageOf(runId)}`);
  await keepsFocus(page);
  const controls = page.getByRole("group", { name: "Controls of the run" });
  const cancelItem = page.getByRole("menuitem", { name: /^Cancel run/ });
  const question = await openDialog(page, button(controls, "More controls"), "Cancel this run?", cancelItem);
  expect((await readRun(api, runId)).status).toBe("running");
  await press(page, button(question, "Cancel run"));
  await says(page, "The run was canceled in iteration 1.");
  await keepsFocus(controls);
  expect((await readRun(api, runId)).status).toBe("canceled");
  held.open();
});

/** For tests that only look at one. */
const finished = startRun(api, "Find a finished hall").then(async (runId) => {
  await untilStatus(api, runId, "completed");
  return runId;
});

test("every tab of a run is reached, opened and used", async () => {
  const page = await open(pageOf(await finished));
  const tab = (name: string) => link(page.getByRole("navigation", { name: "Run" }), name);
  const openTab = async (name: string) => {
    await press(page, tab(name));
    await expect.poll(() => tab(name).getAttribute("aria-current")).toBe("page");
    await keepsFocus(tab(name));
  };
  await openTab("Activity");
  const first = button(page, /^Iteration 1\b/);
  await tabTo(page, first);
  for (const isOpen of ["true", "false"]) {
    await page.keyboard.press("Enter");
    await expect.poll(() => first.getAttribute("aria-expanded")).toBe(isOpen);
  }
  await openTab("Sources");
  await press(page, page.getByRole("switch", { name: "Show working notes" }), "Space");
  await tabTo(page, page.getByRole("tree"));
  for (const key of ["End", "Enter"]) await page.keyboard.press(key);
  await page.waitForURL(/document=/);
  await openTab("Result");
  const trust = region(page, "Can I trust it?");
  await press(page, trust.locator("summary").first());
  await trust
    .getByText(/^Iteration \d+:/)
    .first()
    .waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, button(page, "Download as Markdown"))]);
  expect(readFileSync(await file.path(), "utf8")).toMatch(/^# Homework complete: Find a finished hall\n/);
  await openTab("Activity");
  await press(page, page.getByRole("switch", { name: "Show raw events" }), "Space");
  await write(page, field(page, "Text"), "Created: ");
  await press(page, button(page, /^1\b.*Created: /));
  await region(page, "Event 1 as JSON").getByText("run_created").waitFor();
  await openTab("Details");
});

test("in its activity a run is forked from an iteration, with another objective", async () => {
  const runId = await finished;
  const page = await open(pageOf(runId, "/activity"));
  await press(page, button(page, /^Iteration 1\b/));
  const fork = await openDialog(page, button(page, "Fork from iteration 1…"), "Fork this run");
  expect(await field(fork, "Go on from iteration").inputValue()).toBe("1");
  await write(page, field(fork, "Objective"), "Find another finished hall");
  await press(page, button(fork, "Fork"));
  await page.getByRole("heading", { level: 1, name: "Find another finished hall" }).waitFor();
  await keepsFocus(page);
  const forkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await readRun(api, forkId)).toMatchObject({ forked_from: { run_id: runId, iteration: 1 } });
  await untilStatus(api, forkId, "completed");
});

test("a run is asked about, and what the chat wants to change gets a yes", async () => {
  lab.script("How far is it from the station?", () => "Not far at all.");
  lab.script("Then please make a task of it: walk there once", ({ turn }) =>
    turn > 1
      ? "It is on the list."
      : { toolCalls: [{ name: "create_task", args: { project_id: projectId, title: "Walk there" } }] },
  );
  const thanks = "Thank you; that is all I wanted to know about it";
  lab.script(thanks, () => "You are welcome.");
  const page = await open(pageOf(await finished));
  const askItem = page.getByRole("menuitem", { name: /^Ask a question/ });
  const ask = await openDialog(page, button(page, "More controls"), "Ask about this run", askItem);
  await write(page, field(ask, "Your question"), "How far is it from the station?");
  await press(page, button(ask, "Start chat"));
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  const answers = page.getByRole("article", { name: "Answer" });
  await answers.getByText("Not far at all.").waitFor();
  await keepsFocus(page);
  await write(page, field(page, "Your message"), "Then please make a task of it: walk there once");
  await page.keyboard.press("Enter");
  await press(page, button(page, /^Approve: /));
  await answers.getByText("It is on the list.").waitFor();
  await keepsFocus(answers);
  expect(await titlesIn()).toContain("Walk there");
  await write(page, field(page, "Your message"), thanks);
  await press(page, button(page, "Send"));
  await answers.getByText("You are welcome.").waitFor();
  await keepsFocus(page.getByRole("form"));
});

const unreadOf = async () => (await api(routes.notifications.list, { query: { limit: 1 } })).unread_count;

test("the bell is opened and followed, one notification is marked, and a choice is kept", async () => {
  // Two that nobody has looked at.
  for (const objective of ["Find a hall far away", "Find a hall nearby"])
    await untilStatus(api, await startRun(api, objective), "completed");
  const unread = await unreadOf();
  const page = await open("/notifications");
  const bell = button(page, /^Notifications(, \d+ unread)?$/);
  await press(page, bell);
  // Escape is heard by what has the focus.
  await keepsFocus(page.getByRole("menu"));
  await page.keyboard.press("Escape");
  await expect.poll(() => hasFocus(bell)).toBe(true);
  const mark = page
    .getByRole("main")
    .getByRole("button", { name: /^Mark as read: / })
    .first();
  await press(page, mark);
  await expect.poll(unreadOf).toBe(unread - 1);
  await keepsFocus(page.getByRole("main").getByRole("listitem").first());
  await press(page, bell);
  // The one that was marked is not among them any more.
  const fresh = page.getByRole("menuitem", { name: /Unread: / });
  await expect.poll(() => fresh.count()).toBeLessThan(unread);
  await choose(page, fresh.first());
  await page.waitForURL("**/homework/runs/*");
  await keepsFocus(page);
  await expect.poll(unreadOf).toBe(unread - 2);
  await page.goto("/settings/notifications");
  const choice = page.getByRole("switch", { name: "Ring the bell: Failed" });
  await press(page, choice, "Space");
  await expect
    .poll(async () => (await api(routes.notifications.preferences, {})).preferences.filter((each) => !each.in_app))
    .toMatchObject([{ event: "failed" }]);
  await keepsFocus(choice);
  await page.reload();
  await expect.poll(() => choice.isChecked()).toBe(false);
});

/** One more page of the list than the first. */
async function fillTheList(): Promise<void> {
  const { items } = await api(routes.runs.list, { query: { limit: 50 } });
  for (let runs = items.length; runs < 30; runs++) {
    const runId = await startRun(api, `Old homework ${runs}`);
    await api(routes.runs.cancel, { params: { runId } });
  }
}

test("the list is narrowed by group and by a word, and more of it loaded", async () => {
  await fillTheList();
  const page = await open("/homework");
  const rows = region(page, "Finished").getByRole("listitem");
  await press(page, link(page.getByRole("navigation", { name: "Which homework" }), /^Finished/));
  await page.waitForURL(/group=finished$/);
  await expect.poll(() => rows.count()).toBe(25);
  await press(page, button(page, "Load more"));
  await expect.poll(() => rows.count()).toBeGreaterThan(25);
  await keepsFocus(page.getByRole("group", { name: "The end of the list" }));
  await write(page, page.getByRole("searchbox", { name: "Search in titles and objectives" }), "finished hall");
  await page.waitForURL(/group=finished&q=finished\+hall$/);
  await expect.poll(() => rows.count()).toBe(2);
  await press(page, link(rows.last(), "Find a finished hall"));
  await page.waitForURL(`**${pageOf(await finished)}`);
  await keepsFocus(page);
});

// What a person does to a run on its page: answering, approving, steering, pausing, resuming, canceling and undoing; and what
// the page says when someone else was faster.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Run, routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { call, inProject } from "../helpers/planner-scenario.ts";
import { readRequest, type SlowScript, working } from "../helpers/role-script.ts";
import { gate, readRun, runLabServer, startRun, untilRun, untilStatus } from "../helpers/run-lab-server.ts";
import { askingScript, endlessScript, gated, hallScript } from "../helpers/run-scenes.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer();
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
lab.script("", hallScript());

async function open(runId: string): Promise<Page> {
  const { page, tolerate } = await owner.open();
  // What some of these are about: commands that come too late.
  tolerate(/status of 409/);
  await page.goto(`/homework/runs/${runId}`);
  await page.locator("h1").first().waitFor();
  return page;
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole("button", { name, exact: true });
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

async function more(page: Page, name: RegExp): Promise<Locator> {
  await button(page, "More controls").click();
  await page.getByRole("menuitem", { name }).click();
  return page.getByRole("dialog");
}

/** How many of the planner's prompts held these words, as the lab saw them. */
const prompts = (words: string) =>
  lab.lab.requests
    .filter((request) => readRequest(request).role === "planner")
    .filter(({ messages }) => messages.some(({ text }) => text.includes(words))).length;

test("several questions are answered at once, by option and in words", async () => {
  const questions = [
    { text: "Which side of town?", options: ["north", "south"] },
    { text: "How many people?", options: [] },
  ];
  lab.script("asked hall", askingScript(questions, hallScript()));
  const runId = await startRun(api, "Find an asked hall");
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(runId);
  const panel = region(page, "The run needs you");
  await panel.getByText("south", { exact: true }).click();
  const send = button(panel, "Send 2 answers");
  expect(await send.getAttribute("aria-disabled")).toBe("true");
  await panel.getByRole("textbox", { name: "Your answer" }).fill("twenty people and a dog");
  await page.reload(); // What was typed is still there.
  await expect
    .poll(() => panel.getByRole("textbox", { name: "Your answer" }).inputValue())
    .toBe("twenty people and a dog");
  await send.click();
  await panel.waitFor({ state: "detached" });
  await untilStatus(api, runId, "completed");
  await hasResult(page);
  const said = region(page, "What you said and where it went");
  await said.getByText("twenty people and a dog").waitFor();
  await said
    .getByText(/from iteration 2\b/)
    .first()
    .waitFor();
  expect(prompts("twenty people and a dog")).toBeGreaterThan(0);
});

test("a plan is sent back with a wish, asked again, and approved", async () => {
  lab.script("planned hall", hallScript(3));
  const runId = await startRun(api, "Find a planned hall", { permissions: { write_mode: "approve_plan" } });
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(runId);
  const panel = region(page, "The run needs you");
  await panel.getByText("Look for a hall and write about it").first().waitFor();
  await panel.locator("summary", { hasText: "at least 50 words" }).click();
  await panel.getByText("From the planner, for “A page about the hall”").waitFor();
  await button(panel, "Request changes").click();
  await panel.getByRole("textbox", { name: "What should be different?" }).fill("also compare the prices");
  await button(panel, "Send changes").click();
  await untilRun(api, runId, ({ status, iteration }) => status === "waiting_on_user" && iteration === 2);
  expect(prompts("also compare the prices")).toBeGreaterThan(0);
  await page.reload();
  await button(panel, "Approve plan").click();
  await untilStatus(api, runId, "completed");
  await hasResult(page);
});

test("a plan that was sent back five times is not called a run without progress", async () => {
  lab.script("often planned hall", hallScript(9));
  const runId = await startRun(api, "Find an often planned hall", { permissions: { write_mode: "approve_plan" } });
  for (let sentBack = 0; sentBack < 5; sentBack++) {
    const { questions } = await untilRun(
      api,
      runId,
      ({ status, iteration }) => status === "waiting_on_user" && iteration === sentBack + 1,
    );
    const answers = questions.map(({ id }) => ({ question_id: id, text: `Compare price ${sentBack}` }));
    await api(routes.runs.respond, { params: { runId }, body: { answers } });
  }
  await untilRun(api, runId, ({ status, iteration }) => status === "waiting_on_user" && iteration === 6);
  const page = await open(runId);
  await button(page, "Approve plan").waitFor();
  expect(await page.getByText(/No changes|no progress|repeats itself/).count()).toBe(0);
  await api(routes.runs.cancel, { params: { runId } });
});

/** Wants two tasks made, each to be approved. */
async function stagingRun(name: string): Promise<{ readonly runId: string; readonly projectId: string }> {
  const { id: projectId } = await api(routes.projects.create, { body: { name } });
  lab.script(`Make tasks in ${name}`, ({ role, iteration }) => {
    if (role !== "planner") return "It asked before it wrote.";
    const tool_calls = ["first", "second"].map((which) =>
      call("create_task", { title: `The ${which} task`, content: "as shown", project_id: projectId }),
    );
    return iteration === 1
      ? { plan: { steps: [] }, tool_calls }
      : { plan: { steps: [] }, questions: [{ text: "What else?", options: [] }] };
  });
  const runId = await startRun(api, `Make tasks in ${name}`, {
    project_ids: [projectId],
    permissions: { write_mode: "per_write" },
  });
  await untilStatus(api, runId, "waiting_on_user");
  return { runId, projectId };
}

/** The run's own pages wait for a yes as well. */
async function approveTheRest(page: Page, runId: string): Promise<void> {
  const { items } = await api(routes.changes.list, { params: { runId }, query: { state: "pending" } });
  const bar = page.getByRole("group", { name: "Your decision" });
  if (items.length > 0) await bar.getByRole("button", { name: /^Approve/ }).click();
}

const titlesIn = async (projectId: string) =>
  (await api(routes.task.list, { params: { projectId }, query: {} })).items.map(({ title }) => title);

test("changes are approved and rejected one by one, and nothing else is written", async () => {
  const { runId, projectId } = await stagingRun("one by one");
  const page = await open(runId);
  const changeOf = (title: string) =>
    page.getByRole("article").filter({ has: page.getByText(title, { exact: false }) });
  await changeOf("The first task").getByText("as shown").first().waitFor();
  expect(await titlesIn(projectId)).toEqual([]);
  const shown = await page.locator("main").innerText();
  expect(shown.match(/\b(?:type_key|state_key|\w+_id|create_task|props)\b/g), "names of columns and tools").toBeNull();
  const second = changeOf("The second task");
  await second.getByRole("textbox", { name: "Feedback (optional)" }).fill("one is enough");
  await button(second, "Reject").click();
  await second.waitFor({ state: "detached" });
  await page.getByRole("list", { name: "Decided" }).getByText("Rejected").waitFor();
  await page.reload();
  await page.getByRole("list", { name: "Decided" }).getByText("Rejected").waitFor();
  await button(changeOf("The first task"), "Approve").click();
  await changeOf("The first task").waitFor({ state: "detached" });
  await approveTheRest(page, runId);
  await untilRun(api, runId, ({ status, iteration }) => status === "waiting_on_user" && iteration === 2);
  expect(await titlesIn(projectId)).toEqual(["The first task"]);
  expect(prompts("one is enough")).toBeGreaterThan(0);
});

test("all changes are approved at once", async () => {
  const { runId, projectId } = await stagingRun("all at once");
  const page = await open(runId);
  await button(page, /^Approve all \d+$/).click();
  await untilRun(api, runId, ({ status, iteration }) => status === "waiting_on_user" && iteration === 2);
  expect((await titlesIn(projectId)).toSorted()).toEqual(["The first task", "The second task"]);
});

test("a double click decides once", async () => {
  const { runId, projectId } = await stagingRun("clicked twice");
  const page = await open(runId);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/changes")) sent.push(request.url());
  });
  await button(page, /^Approve all \d+$/).dblclick();
  await untilRun(api, runId, ({ status, iteration }) => status === "waiting_on_user" && iteration === 2);
  expect(sent).toHaveLength(1);
  expect(await page.getByText("It could not be decided").count()).toBe(0);
  expect((await titlesIn(projectId)).toSorted()).toEqual(["The first task", "The second task"]);
});

test.each([
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])("the decision is on the screen without scrolling: %o", async (viewport) => {
  lab.script("seen hall", hallScript(3));
  const runId = await startRun(api, "Find a seen hall", { permissions: { write_mode: "approve_plan" } });
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(runId);
  await page.setViewportSize(viewport);
  const approve = button(page, "Approve plan");
  await approve.waitFor();
  const isInside = async () => {
    const box = await approve.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= viewport.height && box.x + box.width <= viewport.width;
  };
  await expect.poll(isInside).toBe(true);
  expect(await page.evaluate("scrollY")).toBe(0);
  expect(await page.getByText("Look for a hall and write about it").count(), "the plan stands once").toBe(1);
  await page.goto(`/homework/runs/${runId}/details`);
  await page.getByRole("group", { name: "Your decision" }).getByRole("link", { name: "Review" }).click();
  await approve.click();
  await untilStatus(api, runId, "completed");
});

test("a message is shown as pending at once, and reaches the session under way", async () => {
  const second = gate();
  const fourth = gate();
  const longer: SlowScript = (asked) =>
    asked.role === "planner" && asked.iteration === 2
      ? [
          { tool_calls: [call("create_task", { title: "Count the steps", ...inProject(asked.prompt) })], status: null },
          { status: working("counted the steps", ["the ramp"]) },
        ]
      : endlessScript(asked);
  lab.script("steered hall", gated(longer, { 2: second.passed, 4: fourth.passed }));
  const runId = await startRun(api, "Find a steered hall");
  await untilRun(api, runId, ({ iteration }) => iteration === 2);
  const page = await open(runId);
  const messages = region(page, "Guidance");
  await messages.getByRole("textbox", { name: "Your guidance" }).fill("mind the stairs");
  await button(messages, "Send").click();
  await messages.getByText("mind the stairs").waitFor();
  await messages.getByText("Pending", { exact: true }).waitFor();
  expect(await messages.getByRole("listitem").count()).toBe(1);
  second.open();
  await messages.getByText(/^In \d+ prompts?, from iteration 2 \(planner\)$/).waitFor();
  expect(prompts("mind the stairs")).toBeGreaterThan(0);
  await api(routes.runs.cancel, { params: { runId } });
  fourth.open();
});

test("a run is paused and resumed", async () => {
  const held = gate();
  lab.script("paused hall", gated(hallScript(), { 1: held.passed }));
  const runId = await startRun(api, "Find a paused hall");
  const page = await open(runId);
  await says(page, "The run is working on iteration 1 of 20.");
  await button(page, "Pause").click();
  await says(page, "The run is paused.");
  await page.getByText("Paused", { exact: true }).first().waitFor();
  const { page: home } = await owner.open();
  await home.goto("/homework");
  const listed = home.getByRole("listitem").filter({ hasText: "Find a paused hall" });
  await listed.getByText("Paused", { exact: true }).first().waitFor();
  for (const shown of [page, listed]) expect(await shown.getByText("Stopped", { exact: true }).count()).toBe(0);
  held.open();
  await button(page, "Resume").click();
  await hasResult(page);
});

test("a run that used up its iterations is resumed with more, as suggested", async () => {
  lab.script("short hall", hallScript(2));
  const runId = await startRun(api, "Find a short hall", { budgets: { max_iterations: 1 } });
  await untilStatus(api, runId, "stopped");
  const page = await open(runId);
  await says(page, "The run stopped because it used all its iterations.");
  await button(page, "Resume…").click();
  const dialog = page.getByRole("dialog", { name: "Resume this run" });
  const iterations = dialog.getByRole("textbox", { name: "Iterations" });
  expect(await iterations.inputValue()).toBe("15");
  await dialog.getByText("1 used: all of it").waitFor();
  await iterations.fill("7");
  await button(dialog, "Resume").click();
  await dialog.waitFor({ state: "detached" });
  await untilStatus(api, runId, "completed");
  expect((await readRun(api, runId)).max_iterations).toBe(7);
});

async function heldRun(objective: string) {
  const held = gate();
  lab.script(objective, gated(hallScript(), { 1: held.passed }));
  const runId = await startRun(api, objective);
  await untilStatus(api, runId, "running");
  return { runId, held };
}

test("canceling asks first", async () => {
  const { runId, held } = await heldRun("Find a canceled hall");
  const page = await open(runId);
  const dialog = await more(page, /^Cancel run/);
  await dialog.getByText("Cancel this run?").waitFor();
  expect(await dialog.getByRole("button", { name: /cancel/i }).count()).toBe(1);
  await button(dialog, "Keep running").click();
  await dialog.waitFor({ state: "detached" });
  expect((await readRun(api, runId)).status).toBe("running");
  await button(await more(page, /^Cancel run/), "Cancel run").click();
  await says(page, "The run was canceled in iteration 1.");
  held.open();
});

/** Something happens between the click and the server hearing of it. */
async function cancelAfter(page: Page, meanwhile: () => Promise<unknown>): Promise<void> {
  await page.route("**/cancel", async (route) => {
    await meanwhile();
    await route.continue();
  });
  await button(await more(page, /^Cancel run/), "Cancel run").click();
}

test("canceling a run that completed meanwhile says that the run was faster, and shows it", async () => {
  const { runId, held } = await heldRun("Find a faster hall");
  const page = await open(runId);
  await cancelAfter(page, async () => {
    held.open();
    await untilStatus(api, runId, "completed");
  });
  await page.getByText("The run was faster: it is completed.").waitFor();
  await hasResult(page);
});

test("canceling a run that was canceled elsewhere says that someone was faster", async () => {
  const { runId, held } = await heldRun("Find a twice canceled hall");
  const page = await open(runId);
  await cancelAfter(page, () => api(routes.runs.cancel, { params: { runId } }));
  await page.getByText("Someone was faster: it was canceled in another tab or by another program.").waitFor();
  await says(page, "The run was canceled in iteration 1.");
  held.open();
});

test("undo shows what it would take back, asks about what others changed since, and does it", async () => {
  const { id: projectId } = await api(routes.projects.create, { body: { name: "undone" } });
  lab.script("undone project", ({ role, iteration, prompt }) =>
    role === "planner" && iteration === 1
      ? {
          plan: { steps: [] },
          tool_calls: ["kept", "dropped"].map((which) =>
            call("create_task", { title: `A ${which} task`, project_id: projectId }),
          ),
        }
      : role === "planner"
        ? { plan: { steps: [] }, questions: [{ text: "And now?", options: [] }] }
        : `nothing ${inProject(prompt).project_id}`,
  );
  const runId = await startRun(api, "Fill the undone project", { project_ids: [projectId] });
  await untilStatus(api, runId, "waiting_on_user");
  const { items } = await api(routes.task.list, { params: { projectId }, query: {} });
  const kept = items.find(({ title }) => title === "A kept task");
  const params = { projectId, entityId: kept?.id ?? "" };
  const { version } = await api(routes.task.get, { params });
  await api(routes.task.update, { params, body: { version, title: "A kept task, and mine now" } });

  const page = await open(runId);
  const dialog = await more(page, /^Undo/);
  await dialog.getByText("A dropped task").waitFor();
  const conflict = dialog.getByRole("region", { name: "Things others have worked on since" });
  await conflict.getByText("It was changed since").waitFor();
  const doIt = dialog.getByRole("button", { name: /^Take back \d+ thing/ });
  expect(await doIt.getAttribute("aria-disabled")).toBe("true");
  await conflict.getByRole("radio", { name: "Leave it as it is now" }).check();
  await dialog.getByText("Left as it is, as you chose").waitFor();
  expect(await titlesIn(projectId)).toHaveLength(2);
  await expect.poll(() => doIt.getAttribute("aria-disabled")).toBeNull();
  await doIt.click();
  await dialog.waitFor({ state: "detached" });
  await says(page, /The run was canceled/);
  expect(await titlesIn(projectId)).toEqual(["A kept task, and mine now"]);
});

test("a refusal says what is wrong", async () => {
  lab.script("refused hall", hallScript(2));
  const runId = await startRun(api, "Find a refused hall", { budgets: { max_iterations: 1 } });
  const stopped: Run = await untilStatus(api, runId, "stopped");
  expect(stopped.stop_reason?.type).toBe("max_iterations");
  const page = await open(runId);
  await button(page, "Resume…").click();
  const dialog = page.getByRole("dialog", { name: "Resume this run" });
  await dialog.getByRole("textbox", { name: "Iterations" }).fill("1");
  await button(dialog, "Resume").click();
  await page.getByText("It could not be resumed").waitFor();
  await page.getByText("resume it with a higher limit").first().waitFor();
});

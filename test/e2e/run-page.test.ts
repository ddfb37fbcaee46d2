// The page of a run while it works: what it says, that it stays right by itself, and what it says when something is wrong.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { cuttable } from "../helpers/cuttable.ts";
import { call, inProject, step, task } from "../helpers/planner-scenario.ts";
import { gate, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { askingScript, gated, hallScript } from "../helpers/run-scenes.ts";
import { accountsSettings, signUp } from "../helpers/web-session.ts";

const lab = await runLabServer(accountsSettings);
const anna = await signUp(lab.server(), "Anna Berg");
const bert = await signUp(lab.server(), "Bert Cole");
const browser = await testBrowser();
const { api } = anna;
lab.script("", hallScript());

async function open(runId: string, path = ""): Promise<Page> {
  const { page, tolerate } = await browser.open(lab.server().url, anna.profile);
  tolerate(/status of (404|503)|net::ERR_|ApiError: No answer/);
  await page.goto(`/homework/runs/${runId}${path}`);
  await page.locator("h1").first().waitFor();
  return page;
}

const now = (page: Page) => page.getByRole("region", { name: "Now" });

test("a run is watched from its first iteration to its end without a reload", async () => {
  const first = gate();
  const second = gate();
  lab.script("watched hall", gated(hallScript(), { 1: first.passed, 2: second.passed }));
  const runId = await startRun(api, "Find a watched hall");
  const page = await open(runId);
  await now(page).getByText("The run is working on iteration 1 of 20.").waitFor();
  await page.getByText(/Runs in the background\. You can close this tab\./).waitFor();
  await page.getByText("No plan yet").waitFor();
  await expectNoSeriousAxe(page);
  await page.evaluate("globalThis.neverReloaded = true");
  first.open();
  await now(page).getByText("The run is working on iteration 2 of 20.").waitFor();
  await page
    .getByRole("region", { name: "Plan", exact: true })
    .getByText("Look for a hall and write about it")
    .waitFor();
  await page
    .getByText("This run's document with “hall” in its title has the headings Goal, at least 50 words")
    .waitFor();
  second.open();
  const result = page.getByRole("article", { name: "Result" });
  await result.getByRole("region", { name: "The hall" }).getByRole("heading", { name: "Goal" }).waitFor();
  await result.getByRole("img", { name: "Passed" }).first().waitFor();
  await page.getByText("Completed", { exact: true }).first().waitFor();
  expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
  expect(await page.evaluate("globalThis.neverReloaded")).toBe(true);
  await expectNoSeriousAxe(page);
  const active = /\b(?:\d+m )?\d+s active\b/;
  const onPage = active.exec(await page.locator("main").innerText())?.[0];
  const { page: home } = await browser.open(lab.server().url, anna.profile);
  await home.goto("/homework");
  const row = home.getByRole("listitem").filter({ hasText: "Find a watched hall" });
  await row.waitFor();
  expect(active.exec(await row.innerText())?.[0], "list and page say the same").toBe(onPage);
  await page.getByRole("navigation", { name: "Run" }).getByRole("link", { name: "Details" }).click();
  await page.getByRole("region", { name: "Cost by model and role", exact: true }).getByText("Planning").waitFor();
});

test("steps are shown as they are done, while the iteration is still under way", async () => {
  const held = gate();
  const watched = gate();
  lab.script("stepping hall", async (asked) => {
    if (asked.role === "executor") await held.passed;
    else await watched.passed;
    if (asked.role !== "planner" || asked.iteration > 1) return hallScript()(asked);
    const tool_calls = [
      call("create_task", { title: "Measure the doors", ...inProject(asked.prompt) }),
      call("update_task", { id: "00000000-0000-7000-8000-000000000000", title: "Measure nothing" }),
    ];
    return { plan: { steps: [step("s1", "in_progress")] }, tool_calls, executor_tasks: [task("Look around", "s1")] };
  });
  const runId = await startRun(api, "Find a stepping hall");
  const page = await open(runId);
  await now(page).getByText("The run is working on iteration 1 of 20.").waitFor();
  watched.open();
  const steps = page.getByRole("list", { name: "Steps" });
  const failed = steps.getByRole("listitem").filter({ has: page.getByLabel("Failed") });
  await failed.waitFor();
  const made = steps.getByRole("listitem").filter({ hasText: "Measure the doors" });
  await made.waitFor();
  expect(await made.getByLabel("Failed").count(), "only what failed is marked").toBe(0);
  await now(page).getByText("The run is working on iteration 1 of 20.").waitFor();
  held.open();
  await api(routes.runs.cancel, { params: { runId } });
});

/** What one reads on the page, without what only the moment decides. */
async function readable(page: Page): Promise<string> {
  await page.bringToFront();
  await page.getByText("Completed", { exact: true }).first().waitFor();
  await page.getByRole("article", { name: "Result" }).getByRole("heading", { name: "Goal" }).waitFor();
  await page.getByRole("region", { name: "Cost", exact: true }).waitFor();
  const words = await page.locator("main").innerText();
  return words.replaceAll(/just now|\d+ minutes? ago/g, "a while ago");
}

async function goToTheEnd(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 4_000 });
}

test("after its connection was cut, a page shows what one shows that was never cut, and what one opened now shows", async () => {
  const gates = [gate(), gate(), gate(), gate()] as const;
  const passed = Object.fromEntries(gates.map((each, at) => [at + 1, each.passed]));
  lab.script("cut hall", gated(hallScript(3), passed));
  const runId = await startRun(api, "Find a cut hall");
  const through = await cuttable(lab.server().url);
  const cut = await browser.open(through.url, anna.profile);
  cut.tolerate(/net::ERR_|ApiError: No answer/);
  await cut.page.goto(`/homework/runs/${runId}`);
  const whole = await open(runId);
  for (const page of [cut.page, whole]) await now(page).getByText("The run is working on iteration 1 of 20.").waitFor();
  through.cut();
  gates[0].open();
  await now(whole).getByText("The run is working on iteration 2 of 20.").waitFor();
  gates[1].open();
  await now(whole).getByText("The run is working on iteration 3 of 20.").waitFor();
  through.mend();
  await now(cut.page).getByText("The run is working on iteration 3 of 20.").waitFor();
  gates[2].open();
  gates[3].open();
  await untilStatus(api, runId, "completed");
  const late = await open(runId);
  for (const page of [cut.page, whole, late]) await goToTheEnd(page);
  // The last answers that were asked for may still be on their way.
  const same = async () => {
    const expected = await readable(late);
    return [(await readable(whole)) === expected, (await readable(cut.page)) === expected];
  };
  await expect.poll(same).toEqual([true, true]);
});

test("someone else's run looks like one that is not there, on the page and by the API", async () => {
  const runId = await startRun(api, "Find a private hall");
  await open(runId);
  const { page, tolerate } = await browser.open(lab.server().url, bert.profile);
  tolerate(/status of 404/);
  await page.goto(`/homework/runs/${runId}`);
  await page.getByRole("heading", { name: "Run not found" }).waitFor();
  expect(await page.locator("main").innerText()).not.toContain("private");
  await page.getByRole("link", { name: "Go to your homework" }).click();
  await page.waitForURL("**/homework");
  const params = { runId };
  await expect(bert.api(routes.runs.get, { params, query: {} })).rejects.toMatchObject({ status: 404 });
  await expect(bert.api(routes.runs.cancel, { params })).rejects.toMatchObject({ status: 404 });
});

test("an address that is no run says so", async () => {
  const page = await open("0198c2a4-0000-7000-8000-000000000001");
  await page.getByRole("heading", { name: "Run not found" }).waitFor();
});

test("a long objective written from right to left is a short heading, and all of it on demand", async () => {
  const runId = await startRun(api, `מצא אולם מתאים לבית קפה לתיקונים\n${"שורה ".repeat(1_000)}`);
  const page = await open(runId);
  const heading = page.getByRole("heading", { level: 1 });
  expect(await heading.innerText()).toBe("מצא אולם מתאים לבית קפה לתיקונים");
  expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).direction")).toBe("rtl");
  await page.getByRole("button", { name: "Show objective" }).click();
  await page.getByRole("region", { name: "Objective" }).getByText("שורה שורה").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("while the server is away the controls say why they are off, and come back by themselves", async () => {
  lab.script("outliving hall", askingScript([{ text: "Which side?", options: ["north", "south"] }], hallScript()));
  const runId = await startRun(api, "Find an outliving hall");
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(runId);
  const send = page.getByRole("button", { name: "Send answer" });
  await page.getByRole("textbox", { name: "More about it" }).fill("typed while it was away");
  await lab.stop();
  await expect.poll(() => send.getAttribute("aria-disabled")).toBe("true");
  await send.hover();
  await page.getByRole("tooltip").getByText("The server does not answer").waitFor();
  await send.click({ force: true });
  // What is told once the server is back stays on the screen as long as the mouse rests on it.
  await page.mouse.move(0, 0);
  await lab.start();
  await expect.poll(() => send.getAttribute("aria-disabled")).toBeNull();
  expect(await page.getByRole("textbox", { name: "More about it" }).inputValue()).toBe("typed while it was away");
  await send.click();
  await untilStatus(api, runId, "completed");
  await page.getByRole("article", { name: "Result" }).waitFor();
});

test("on a phone nothing sticks out, and everything is reached by keyboard", async () => {
  lab.script("small hall", askingScript([{ text: "Which side?", options: ["north", "south"] }], hallScript()));
  const runId = await startRun(api, "Find a small hall");
  await untilStatus(api, runId, "waiting_on_user");
  const page = await open(runId);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("heading", { name: "The run needs you" }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await expectNoSeriousAxe(page);
  await page.getByRole("radio", { name: "north" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("if it is free");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Send answer");
  await page.keyboard.press("Enter");
  await untilStatus(api, runId, "completed");
});

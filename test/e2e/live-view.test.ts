// The live view, opened from any page: several runs at once, live figures, and the quick ways to stop one.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { call, pageRun, step, task } from "../helpers/planner-scenario.ts";
import type { SlowScript } from "../helpers/role-script.ts";
import { gate, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { accountsSettings, signUp } from "../helpers/web-session.ts";

const lab = await runLabServer(accountsSettings);
const browser = await testBrowser();

type Gate = ReturnType<typeof gate>;

/** Sends two executors out, of which the second waits, and then ends when it is let. */
const held =
  (executor: Gate, end: Gate): SlowScript =>
  async (asked) => {
    const { role, iteration, prompt, turn } = asked;
    if (role === "executor" && prompt.includes("Look at the roof") && turn > 0) await executor.passed;
    if (role === "planner" && iteration === 1)
      return {
        plan: { steps: [step("s1", "in_progress")] },
        executor_tasks: [task("Look at the floor", "s1"), task("Look at the roof", "s1")],
        tool_calls: [call("create_project", { name: "Halls" })],
      };
    if (role === "planner" && iteration > 1) await end.passed;
    return pageRun(asked);
  };

let people = 0;
async function newPerson() {
  people += 1;
  return signUp(lab.server(), `Watcher${people} of Runs`);
}

const dialog = (page: Page) => page.getByRole("dialog", { name: "Homework, live" });
const indicator = (page: Page) => page.getByRole("button", { name: /Open the live view$/ });
const figure = async (page: Page, name: string) =>
  (await dialog(page)
    .getByRole("region", { name: "Used so far" })
    .getByText(name, { exact: true })
    .locator("..")
    .textContent()) ?? "";

test("two runs side by side, with live figures, branches and notes", async () => {
  const ada = await newPerson();
  const [executor, end] = [gate(), gate()];
  lab.script("the tall hall", held(executor, end));
  lab.script("the small hall", held(executor, end));
  const { page } = await browser.open(lab.server().url, ada.profile);
  await page.goto("/projects");
  await startRun(ada.api, "Look at the tall hall");
  const small = await startRun(ada.api, "Look at the small hall");
  await expect.poll(() => indicator(page).textContent()).toContain("2 running");
  await indicator(page).click();
  const view = dialog(page);
  await view.getByRole("tab", { name: /the tall hall *Running/ }).click();
  await view.getByText("Look at the floor").first().waitFor();
  await view.getByText("Look at the roof").first().waitFor();
  await expect.poll(() => figure(page, "Tokens")).toMatch(/Tokens[1-9]/);
  await expectNoSeriousAxe(page);
  const before = await figure(page, "Tokens");

  executor.open();
  await expect.poll(() => figure(page, "Tokens")).not.toBe(before);
  await view.getByText("Iteration 2 of").first().waitFor();
  await view.getByRole("region", { name: "Its latest notes" }).getByText(/./).nth(1).waitFor();
  await view.getByRole("tab", { name: /the small hall *Running/ }).waitFor();

  end.open();
  await untilStatus(ada.api, small, "completed", "stopped", "failed");
  await view.getByRole("tab", { name: /the small hall *(Completed|Stopped|Failed)/ }).waitFor();
  await view.getByRole("tab", { name: /the tall hall *(Completed|Stopped|Failed)/ }).waitFor();
  await indicator(page).waitFor({ state: "detached" });
});

test("a run is canceled from the live view after asking, and Escape only leaves the question", async () => {
  const ada = await newPerson();
  const never = gate();
  lab.script("the old hall", held(never, never));
  const { page } = await browser.open(lab.server().url, ada.profile);
  const runId = await startRun(ada.api, "Look at the old hall");
  await page.goto("/search");
  await indicator(page).click();
  const view = dialog(page);
  await view.getByRole("button", { name: "Cancel", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Cancel this homework?" });
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await view.getByText("Iteration 1 of").first().waitFor();
  await view.getByRole("button", { name: "Cancel", exact: true }).click();
  await question.getByRole("button", { name: "Cancel the homework" }).click();
  await view.getByRole("tab", { name: /the old hall *Canceled/ }).waitFor();
  await untilStatus(ada.api, runId, "canceled");
  expect(await view.getByRole("button", { name: "Pause" }).count()).toBe(0);
  never.open();
});

test("a run is paused from the live view, and the link leads to its page", async () => {
  const ada = await newPerson();
  const never = gate();
  lab.script("the new hall", held(never, never));
  const { page } = await browser.open(lab.server().url, ada.profile);
  const runId = await startRun(ada.api, "Look at the new hall");
  await page.goto("/projects");
  await indicator(page).click();
  await dialog(page).getByRole("button", { name: "Pause" }).click();
  await untilStatus(ada.api, runId, "stopped");
  await dialog(page)
    .getByRole("tab", { name: /the new hall *Stopped/ })
    .waitFor();
  await dialog(page).getByRole("link", { name: "Open its page" }).click();
  await page.waitForURL(`**/homework/runs/${runId}`);
  await dialog(page).waitFor({ state: "detached" });
  never.open();
});

test("by keyboard and on a phone: opened, walked and left, with the focus back where it was", async () => {
  const ada = await newPerson();
  const never = gate();
  lab.script("hall of pots", held(never, never));
  lab.script("hall of pans", held(never, never));
  const pots = await startRun(ada.api, "Look at the hall of pots");
  const pans = await startRun(ada.api, "Look at the hall of pans");
  const phone = { width: 390, height: 844 };
  const { page } = await browser.open(lab.server().url, { ...ada.profile, viewport: phone });
  await page.goto("/projects");
  await indicator(page).focus();
  await page.keyboard.press("Enter");
  const tabs = dialog(page).getByRole("tab");
  await tabs.nth(1).waitFor();
  await expect.poll(() => dialog(page).locator(":focus").count()).toBe(1);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
  await expectNoSeriousAxe(page);
  await tabs.first().focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => tabs.nth(1).getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await expect.poll(() => indicator(page).and(page.locator(":focus")).count()).toBe(1);
  for (const runId of [pots, pans]) await ada.api(routes.runs.cancel, { params: { runId } });
  never.open();
});

test("a signed-out visitor of a run's page signs in and is back on it", async () => {
  const ada = await newPerson();
  const never = gate();
  lab.script("hall of keys", held(never, never));
  const runId = await startRun(ada.api, "Look at the hall of keys");
  const { page, tolerate } = await browser.open(lab.server().url);
  tolerate(/status of 401/);
  await page.goto(`/homework/runs/${runId}/activity`);
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByRole("textbox", { name: "Password" }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**/homework/runs/${runId}/activity`);
  await ada.api(routes.runs.cancel, { params: { runId } });
  never.open();
});

test("a session that ends while one watches a run leads to signing in, and back", async () => {
  const ada = await newPerson();
  const never = gate();
  lab.script("hall of doors", held(never, never));
  const runId = await startRun(ada.api, "Look at the hall of doors");
  const { page, tolerate } = await browser.open(lab.server().url, ada.profile);
  tolerate(/status of 401/);
  await page.goto(`/homework/runs/${runId}`);
  await indicator(page).waitFor();
  await page.context().clearCookies();
  // The run goes on, so the page may notice by itself before the click.
  void indicator(page)
    .click()
    .catch(() => {});
  await page.waitForURL("**/sign-in?**");
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByRole("textbox", { name: "Password" }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**/homework/runs/${runId}`);
  await ada.api(routes.runs.cancel, { params: { runId } });
  never.open();
});

test("a server that goes away and comes back: the live view goes on by itself", async () => {
  const ada = await newPerson();
  const [executor, end] = [gate(), gate()];
  lab.script("hall of storms", held(executor, end));
  const runId = await startRun(ada.api, "Look at the hall of storms");
  const { page, tolerate } = await browser.open(lab.server().url, ada.profile);
  tolerate(/net::ERR_|status of 503|ApiError: No answer/);
  await page.goto("/projects");
  await indicator(page).click();
  const view = dialog(page);
  await view.getByText("Look at the roof").first().waitFor();
  executor.open();
  await lab.stop();
  await page.getByRole("alert").filter({ hasText: "The server does not answer" }).first().waitFor();
  await expect.poll(() => view.getByRole("button", { name: "Pause" }).isDisabled()).toBe(true);
  end.open();
  await lab.start();
  await untilStatus(ada.api, runId, "completed", "stopped", "failed");
  await view.getByRole("tab", { name: /hall of storms *(Completed|Stopped|Failed)/ }).waitFor();
  await page.getByRole("alert").filter({ hasText: "does not answer" }).first().waitFor({ state: "detached" });
});

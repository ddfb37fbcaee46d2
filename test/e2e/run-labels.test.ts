// What one does to a run that has ended, and what one calls it: rename, archive, run again, ask about it. And how questions read.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { hasFocus, press } from "../helpers/by-keyboard.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { gate, readRun, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { askingScript, gated } from "../helpers/run-scenes.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer();
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Halls" } });
lab.script("", pageRun);

async function open(path: string): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

const objective = "Find a hall\nwith a stage and a kitchen";
const settings = { project_ids: [projectId], judge: false, budgets: { max_iterations: 7 }, time_zone: "Europe/Vienna" };
const ended = startRun(api, objective, settings).then(async (runId) => {
  await untilStatus(api, runId, "completed");
  return runId;
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const pencil = (page: Page) => page.getByRole("button", { name: "Rename run" });
const field = (page: Page) => page.getByRole("textbox", { name: "Title of the run" });
const more = (page: Page, name: RegExp) => page.getByRole("menuitem", { name });

async function choose(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name: "More controls" }).click();
  await more(page, name).click();
}

test("a run is renamed in place by keyboard; Escape leaves it, and an empty title is the first one", async () => {
  const runId = await ended;
  const page = await open(`/homework/runs/${runId}`);
  await press(page, pencil(page));
  await expect.poll(() => hasFocus(field(page))).toBe(true);
  expect(await field(page).inputValue()).toBe("Find a hall");
  await expectNoSeriousAxe(page);
  await page.keyboard.type("The big hall");
  await page.keyboard.press("Enter");
  await heading(page, "The big hall").waitFor();
  await expect.poll(() => hasFocus(pencil(page))).toBe(true);
  await expect.poll(async () => (await readRun(api, runId)).title).toBe("The big hall");
  await expect.poll(() => page.title()).toContain("The big hall");

  await press(page, pencil(page));
  await expect.poll(() => hasFocus(field(page))).toBe(true);
  await page.keyboard.type("Something else");
  await page.keyboard.press("Escape");
  await heading(page, "The big hall").waitFor();
  await expect.poll(() => hasFocus(pencil(page))).toBe(true);

  await page.keyboard.press("Enter");
  await expect.poll(() => hasFocus(field(page))).toBe(true);
  await page.keyboard.press("Delete");
  await page.keyboard.press("Enter");
  await heading(page, "Find a hall").waitFor();
  expect((await readRun(api, runId)).title).toBe("Find a hall");
});

test("a run is archived and brought back; home lists it under Archived", async () => {
  const runId = await startRun(api, "Find a hall to put away");
  await untilStatus(api, runId, "completed");
  const page = await open(`/homework/runs/${runId}`);
  await choose(page, /^Archive/);
  await page.getByRole("alert").filter({ hasText: "The run is archived" }).waitFor();
  expect((await readRun(api, runId)).is_archived).toBe(true);
  await page.goto("/homework?group=finished");
  const row = page.getByRole("main").getByRole("link", { name: "Find a hall to put away" });
  await page.getByRole("region", { name: "Finished" }).waitFor();
  expect(await row.count()).toBe(0);
  await page.getByRole("link", { name: "Archived" }).click();
  await page.waitForURL("**/homework?group=archived");
  await page.getByRole("region", { name: "Archived" }).getByRole("listitem").first().waitFor();
  expect(await page.getByRole("link", { name: "Archived" }).getAttribute("aria-current")).toBe("page");
  await expectNoSeriousAxe(page);
  await row.click();
  await choose(page, /^Unarchive/);
  await expect.poll(async () => (await readRun(api, runId)).is_archived).toBe(false);
  await page.goto("/homework?group=archived");
  await page.getByText("Nothing is archived").waitFor();
});

test("a run that works is neither archived nor run again, and canceling has no second cancel", async () => {
  const held = gate();
  lab.script("held hall", gated(pageRun, { 1: held.passed }));
  const runId = await startRun(api, "Find a held hall");
  await untilStatus(api, runId, "running");
  const page = await open(`/homework/runs/${runId}`);
  await page.getByRole("button", { name: "More controls" }).click();
  await more(page, /^Cancel run/).waitFor();
  expect(await more(page, /^(Archive|Run again)/).count()).toBe(0);
  await more(page, /^Cancel run/).click();
  const question = page.getByRole("dialog", { name: "Cancel this run?" });
  await question.waitFor();
  const labels = await question.getByRole("button").allTextContents();
  expect(labels.filter((label) => label !== "")).toEqual(["Keep running", "Cancel run"]);
  await question.getByRole("button", { name: "Cancel run" }).click();
  await untilStatus(api, runId, "canceled");
  held.open();
});

test("a run is run again with the same objective and settings", async () => {
  const runId = await ended;
  const page = await open(`/homework/runs/${runId}`);
  await choose(page, /^Run again/);
  await page.waitForURL((url) => /\/runs\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(runId));
  const again = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const kept = ({ ...run }: Awaited<ReturnType<typeof readRun>>) => ({
    objective: run.objective,
    engine: run.engine,
    scope: run.scope,
    project_ids: run.project_ids,
    budgets: run.budgets,
    permissions: run.permissions,
    judge: run.judge,
    time_zone: run.time_zone,
  });
  expect(kept(await readRun(api, again))).toEqual(kept(await readRun(api, runId)));
  expect((await readRun(api, again)).forked_from).toBeNull();
});

test("a fork names its project, in its header and its settings", async () => {
  const { id: forkId } = await api(routes.runs.fork, { params: { runId: await ended }, body: { iteration: 1 } });
  const page = await open(`/homework/runs/${forkId}/details`);
  await page.getByRole("link", { name: "Halls", exact: true }).waitFor();
  await page.getByRole("region", { name: "Settings" }).getByText("Halls", { exact: true }).waitFor();
});

test("Enter sends a question about a run, and Shift+Enter begins a new line", async () => {
  lab.script("How far is it", () => "Not far at all.");
  const page = await open(`/homework/runs/${await ended}`);
  await page.getByRole("button", { name: "More controls" }).click();
  await page.getByRole("menuitem", { name: /^Ask a question/ }).click();
  const asked = page.getByRole("textbox", { name: "Your question" });
  await expect.poll(() => hasFocus(asked)).toBe(true);
  await page.keyboard.type("How far is it");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("from the station?");
  expect(await asked.inputValue()).toBe("How far is it\nfrom the station?");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await page.getByRole("article", { name: "Answer" }).getByText("Not far at all.").waitFor();
});

test("a question reads as it was meant: on its page, in the list, in the bell and in its toast", async () => {
  lab.script(
    "grey hall",
    askingScript([{ text: "Shall it be **grey** or `blue`?", options: ["**grey**", "blue"] }], pageRun),
  );
  const page = await open("/projects");
  const runId = await startRun(api, "Paint the grey hall");
  const said = "Shall it be grey or blue?";
  await page.getByRole("alert").filter({ hasText: said }).waitFor();
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await page.getByRole("menuitem").filter({ hasText: said }).waitFor();
  await page.goto("/notifications");
  await page.getByRole("main").getByText(said).first().waitFor();
  await page.goto("/homework");
  await page.getByRole("main").getByText(said).waitFor();
  await page.goto(`/homework/runs/${runId}`);
  const panel = page.getByRole("region", { name: "The run needs you" });
  await panel.locator("strong").filter({ hasText: "grey" }).waitFor();
  await expect.poll(() => panel.getByRole("radio", { name: "grey", exact: true }).count()).toBe(1);
  expect(await page.getByRole("main").getByText("**").count()).toBe(0);
  await api(routes.runs.cancel, { params: { runId } });
});

// The morning test: someone comes back to twelve runs. What needs them, what it cost and whether the checks hold is on the first screen,
// on a desk and on a phone, and every result is one click away. The model lab holds those at work still.

import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import type { RouteResult } from "../../src/protocol/route.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { gate, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer({ HOMEWORK_MAX_CONCURRENT_RUNS_PER_USER: "2" });
const { profile, api } = await ownerSession(lab.server());
const browser = await testBrowser();
const never = gate();
lab.script("hall", pageRun);
lab.script("tower", async (asked) => {
  await never.passed;
  return pageRun(asked);
});

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const finished = ["Find hall 1", "Find hall 2", "Find hall 3", "Find hall 4", "Find hall 5"];
const asking = ["Furnish hall 6", "Furnish hall 7"];
const approved = { permissions: { write_mode: "approve_plan" } } as const;

beforeAll(async () => {
  for (const objective of finished) await untilStatus(api, await startRun(api, objective), "completed");
  for (const objective of asking) await untilStatus(api, await startRun(api, objective, approved), "waiting_on_user");
  const paused = await startRun(api, "Climb tower 1");
  await api(routes.runs.pause, { params: { runId: paused } });
  const canceled = await startRun(api, "Climb tower 2");
  await api(routes.runs.cancel, { params: { runId: canceled } });
  for (const tower of ["Climb tower 3", "Climb tower 4"]) await untilStatus(api, await startRun(api, tower), "running");
  await startRun(api, "Climb tower 5");
});

/** Someone who was last here before any of it; the server would need half an hour to believe that. */
async function open(viewport: { readonly width: number; readonly height: number }): Promise<Page> {
  const { page } = await browser.open(lab.server().url, { ...profile, viewport });
  const news = {
    since: "2026-01-01T18:00:00.000Z",
    finished: 5,
    completed: 5,
    stopped: 0,
    failed: 0,
    needs_you: 2,
    cost_micro_usd: 4_120_000,
    unpriced_calls: 0,
  };
  for (const path of ["visit", "news"])
    await page.route(`**/api/homework/${path}`, (route) => route.fulfill({ json: news }));
  await page.route("**/api/homework/home", async (route) => {
    const home = (await (await route.fetch()).json()) as RouteResult<typeof routes.runParts.home>;
    const earlier = { items: [], next_cursor: null };
    await route.fulfill({ json: { ...home, news, finished_since: home.finished, finished: earlier } });
  });
  await page.goto("/homework");
  await section(page, "Earlier").or(section(page, "Finished since your last visit")).first().waitFor();
  return page;
}

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const row = (within: Locator, title: string) => within.getByRole("listitem").filter({ hasText: title });

/** All of it is seen without scrolling. */
async function expectSeen(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  const box = await what.boundingBox();
  const { height } = page.viewportSize() ?? desk;
  expect({ what: String(what), end: (box?.y ?? height) + (box?.height ?? 1) }).toEqual({
    what: String(what),
    end: expect.toSatisfy((end: number) => end <= height),
  });
}

test.each([
  ["a desk", desk],
  ["a phone", phone],
])("on %s the first screen says what needs me, what it cost and whether the checks hold", async (_, viewport) => {
  const page = await open(viewport);
  const fresh = section(page, "Finished since your last visit");
  await expectSeen(page, page.getByText(/^Since .*: 2 need you, 5 completed, \$4\.12 spent in all$/));
  for (const title of asking)
    await expectSeen(page, row(section(page, "Needs you"), title).getByRole("link", { name: `Review plan: ${title}` }));
  const newest = fresh.getByRole("listitem").first();
  await expectSeen(page, newest);
  const done = row(fresh, "Find hall 5");
  await expectSeen(page, done.getByText(/^Made 1 document/));
  await expectSeen(page, done.getByRole("img", { name: /^(\d+) of \1 checks? passed$/ }));
  await done.locator(".check-ring-passed").waitFor();
  const drawn = "getComputedStyle(document.querySelector('.check-ring-passed')).stroke";
  expect(await page.evaluate(drawn)).toMatch(/^rgb/);
  await expectSeen(page, done.getByText(/^(?:\$0\.\d\d|less than \$0\.01)$/));
  await expectSeen(page, page.getByText("Approvals: Autopilot", { exact: true }));
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
  await expectNoSeriousAxe(page);
});

test("one click leads to any result, and what was looked at is not new any more", async () => {
  const page = await open(desk);
  for (const title of finished) {
    const fresh = section(page, "Finished since your last visit");
    await row(fresh, title).getByRole("img", { name: "New" }).waitFor();
    await fresh.getByRole("link", { name: title, exact: true }).click();
    await page.waitForURL(/\/homework\/runs\//);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.goBack();
    await row(fresh, title).getByRole("img", { name: "New" }).waitFor({ state: "detached" });
  }
});

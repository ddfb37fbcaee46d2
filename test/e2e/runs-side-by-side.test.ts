// Several runs at once in the list: which is at work, which waits its turn, how far each is. The model lab holds them still.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { gate, runLabServer, startRun, untilRun, untilStatus } from "../helpers/run-lab-server.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer({ HOMEWORK_MAX_CONCURRENT_RUNS_PER_USER: "2" });
const { profile, api } = await ownerSession(lab.server());
const browser = await testBrowser();
const second = gate();
const first = gate();

lab.script("red hall", async (asked) => {
  if (asked.role === "planner" && asked.iteration === 2) await first.passed;
  return pageRun(asked);
});
lab.script("blue hall", async (asked) => {
  await second.passed;
  return pageRun(asked);
});
lab.script("green hall", pageRun);

const row = (page: Page, objective: string) => page.getByRole("listitem").filter({ hasText: objective });

test("two at work and one in line are told apart, and each goes its way without a reload", async () => {
  const red = await startRun(api, "Find the red hall");
  const blue = await startRun(api, "Find the blue hall");
  const green = await startRun(api, "Find the green hall");
  await untilRun(api, red, ({ iteration }) => iteration === 2);
  const { page } = await browser.open(lab.server().url, profile);
  await page.goto("/homework");
  const active = page.getByRole("region", { name: "In progress", exact: true });
  await row(page, "green hall").getByText("Starts next").waitFor();
  // Who is at work comes before who waits.
  expect(await active.getByRole("listitem").last().textContent()).toContain("green hall");
  for (const hall of ["red hall", "blue hall"]) await row(page, hall).getByText("Running").waitFor();
  await active.getByRole("list", { name: "Queued 1" }).getByRole("link", { name: "Find the green hall" }).waitFor();
  await expectNoSeriousAxe(page);

  first.open();
  await untilStatus(api, red, "completed");
  const finished = page.getByRole("region", { name: "Finished", exact: true });
  await finished.getByRole("listitem").filter({ hasText: "red hall" }).getByText("Completed").waitFor();
  await untilStatus(api, green, "completed");
  await finished.getByRole("listitem").filter({ hasText: "green hall" }).waitFor();
  await active.getByRole("listitem").filter({ hasText: "blue hall" }).waitFor();
  await expect.poll(() => active.getByRole("listitem").count()).toBe(1);
  second.open();
  await untilStatus(api, blue, "completed");
  await active.waitFor({ state: "detached" });
  await expect.poll(() => finished.getByRole("listitem").count()).toBe(3);
});

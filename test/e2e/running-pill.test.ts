// The header's pill, on every page: how much runs, how much needs the user, and where a click leads.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { hasFocus } from "../helpers/by-keyboard.ts";
import { pageRun } from "../helpers/planner-scenario.ts";
import { gate, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { askingScript, gated } from "../helpers/run-scenes.ts";
import { accountsSettings, signUp } from "../helpers/web-session.ts";

const lab = await runLabServer(accountsSettings);
const browser = await testBrowser();

const never = gate();
lab.script("held hall", gated(pageRun, { 1: never.passed }));
lab.script("asked hall", askingScript([{ text: "Which side of town?", options: ["north", "south"] }], pageRun));
afterAll(never.open);

let people = 0;
async function newPerson() {
  people += 1;
  return signUp(lab.server(), `Watcher${people} of Runs`);
}

const pill = (page: Page, words: string) => page.getByRole("banner").getByRole("link", { name: words });

test("one question: the pill leads to it, also from another run's page", async () => {
  const ada = await newPerson();
  const held = await startRun(ada.api, "Look at the held hall");
  await untilStatus(ada.api, held, "running");
  const { page } = await browser.open(lab.server().url, ada.profile);
  await page.goto("/projects");
  await pill(page, "1 running. Open the run").click();
  await page.waitForURL(`**/homework/runs/${held}`);
  const asked = await startRun(ada.api, "Look at the asked hall");
  await pill(page, "1 running · 1 needs you. Open the question").click();
  await page.waitForURL(`**/homework/runs/${asked}#needs-you`);
  await page.getByRole("region", { name: "The run needs you" }).getByText("Which side of town?").waitFor();
  await expectNoSeriousAxe(page);
  for (const runId of [held, asked]) await ada.api(routes.runs.cancel, { params: { runId } });
  await pill(page, "")
    .filter({ hasText: /running|need/ })
    .waitFor({ state: "detached" });
});

test("several: the pill leads to home, with the focus on those that need the user; on a phone too", async () => {
  const ada = await newPerson();
  const held = [];
  for (const place of ["north", "south"]) held.push(await startRun(ada.api, `Look at the held hall in the ${place}`));
  const phone = { width: 390, height: 844 };
  const { page } = await browser.open(lab.server().url, { ...ada.profile, viewport: phone });
  await page.goto("/projects");
  await pill(page, "2 running. Go to home").click();
  await page.waitForURL("**/homework");
  const asked = [];
  for (const place of ["north", "south"]) asked.push(await startRun(ada.api, `Look at the asked hall in the ${place}`));
  await page.goto("/homework?group=finished");
  await pill(page, "2 running · 2 need you. Go to home").click();
  await page.waitForURL("**/homework#needs-you");
  await expect.poll(() => hasFocus(page.getByRole("heading", { name: "Needs you", exact: true }))).toBe(true);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
  await expectNoSeriousAxe(page);
  for (const runId of [...held, ...asked]) await ada.api(routes.runs.cancel, { params: { runId } });
});

test("a signed-out visitor of a run's page signs in and is back on it", async () => {
  const ada = await newPerson();
  const runId = await startRun(ada.api, "Look at the held hall");
  const { page, tolerate } = await browser.open(lab.server().url);
  tolerate(/status of 401/);
  await page.goto(`/homework/runs/${runId}/activity`);
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByRole("textbox", { name: "Password" }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**/homework/runs/${runId}/activity`);
  await ada.api(routes.runs.cancel, { params: { runId } });
});

test("a session that ends while one watches a run leads to signing in, and back", async () => {
  const ada = await newPerson();
  const runId = await startRun(ada.api, "Look at the held hall");
  const { page, tolerate } = await browser.open(lab.server().url, ada.profile);
  tolerate(/status of 401/);
  await page.goto(`/homework/runs/${runId}`);
  await pill(page, "1 running").waitFor();
  await page.context().clearCookies();
  // The run goes on, so the page may notice by itself before the click.
  void page
    .getByRole("link", { name: "Activity" })
    .click()
    .catch(() => {});
  await page.waitForURL("**/sign-in?**");
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByRole("textbox", { name: "Password" }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(new RegExp(`/homework/runs/${runId}(/activity)?$`));
  await ada.api(routes.runs.cancel, { params: { runId } });
});

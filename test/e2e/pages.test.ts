// Every page, in light and dark, without a mouse and on a phone: nothing wrong in the console (the browser helper listens),
// nothing that keeps people out (axe), nothing that Tab does not reach, nothing to scroll sideways.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { fileServer } from "../helpers/file-server.ts";
import { walkWithTab } from "../helpers/keyboard-walk.ts";
import { startSampleLab } from "../helpers/sample-lab.ts";
import { profileOf, type SamplePage, samplePages, type Visitor, visitors } from "../helpers/sample-pages.ts";
import { fillSampleWorld } from "../helpers/sample-world.ts";
import { inShare } from "../helpers/shares.ts";
import { accountsSettings } from "../helpers/web-session.ts";

const lab = await startSampleLab();
afterAll(lab.close);
const server = await fileServer({ ...accountsSettings, ...lab.settings });
const world = await fillSampleWorld(server);
const browser = await testBrowser();
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

/** The browser's own line about an answer that the page expects: nobody is signed in, there is no such project. */
const expectedAnswers = /status of (401 .*\/api\/me|404 .*\/api\/(projects|homework\/runs|outcomes)\/0{8}-)/;

const pages = samplePages(world);
/** Each is loaded and read in the light; how it is in the dark and without a mouse takes as long again. */
const lookedAtTwice = new Set(inShare(pages));
const titles = new Map<string, string>();

async function openAs(as: Visitor) {
  const opened = await browser.open(server.url, { viewport: desktop, ...profileOf(world, as) });
  opened.tolerate(expectedAnswers);
  return opened.page;
}

/** Shown whole: no grey shapes left. */
async function visit(page: Page, { path }: SamplePage): Promise<void> {
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
}

/** As many tabs as there are processors on a small machine. */
const lanes = 2;

type Check = (page: Page, sample: SamplePage, isFirst: boolean) => Promise<void>;

async function checkEach(as: Visitor, check: Check): Promise<void> {
  const left = pages.filter((sample) => sample.as === as);
  const [first] = left;
  const walk = async () => {
    const page = await openAs(as);
    for (let sample = left.shift(); sample; sample = left.shift()) {
      await visit(page, sample);
      await check(page, sample, sample === first);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, left.length) }, walk));
}

test.for(visitors)(
  "the pages that %s sees are accessible in light and dark, reached by keyboard, and fit a phone",
  (as) =>
    checkEach(as, async (page, sample, isFirst) => {
      const { path } = sample;
      const withoutShell = !isFirst;
      titles.set(path.replace(/\?(?!bin|q).*/, ""), (await page.title()).replace(/^\(\d+\) /, ""));
      await expectNoSeriousAxe(page, { withoutShell });
      if (lookedAtTwice.has(sample)) {
        await page.emulateMedia({ colorScheme: "dark" });
        await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
        await expectNoSeriousAxe(page, { withoutShell, onlyRules: ["color-contrast"] }); // Nothing else is another in the dark.
        await page.emulateMedia({ colorScheme: "light" });
      }
      await page.setViewportSize(phone);
      // Pictures are drawn anew for the width.
      const width = () => page.evaluate("document.documentElement.scrollWidth");
      await expect.poll(width, { message: `${path} scrolls sideways` }).toBe(phone.width);
      await page.setViewportSize(desktop);
      if (!lookedAtTwice.has(sample)) return;
      const { missed, unseen } = await walkWithTab(page);
      expect({ missed, unseen }, `${path} without a mouse`).toEqual({ missed: [], unseen: [] });
    }),
);

test("no two pages have the same title", () => {
  const seen = [...titles.values()];
  expect(seen.length).toBeGreaterThan(20);
  const twice = seen.filter((title, index) => seen.indexOf(title) !== index);
  expect([...new Set(twice)]).toEqual(["Not found · Homework"]);
  expect(seen.filter((title) => !title.endsWith("Homework"))).toEqual([]);
});

test("a page that begins dark is dark before its scripts run", async () => {
  const { page, tolerate } = await browser.open(server.url, { colorScheme: "dark", ...world.ada.profile });
  tolerate(/net::ERR_FAILED .*\/assets\//);
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto("/projects", { waitUntil: "commit" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: "attached" });
});

test("on a phone the navigation opens, leads on, and closes again", async () => {
  const { page } = await browser.open(server.url, { viewport: phone, ...world.ada.profile });
  await page.goto("/projects");
  const settings = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" });
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  expect(await settings.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Open the navigation" }).click();
  await expectNoSeriousAxe(page);
  await settings.click();
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  await settings.waitFor({ state: "hidden" });
});

/** The element lies within the width of the screen as a whole. */
const liesInside = (page: Page, locator: ReturnType<Page["locator"]>) =>
  expect
    .poll(async () => {
      const box = await locator.first().boundingBox();
      const width = page.viewportSize()?.width ?? 0;
      return box !== null && box.x >= 0 && box.x + box.width <= width;
    })
    .toBe(true);

test("on a phone the chosen tab is in sight, also of tabs that come late and when the phone is turned", async () => {
  const { page } = await browser.open(server.url, { viewport: phone, ...world.ada.profile });
  const chosen = page.locator('.tab-links [aria-current="page"]');
  for (const [path, name] of [
    ["/settings/audit", "Audit"],
    [`/projects/${world.project.id}/history`, "History"],
  ] as const) {
    await page.goto(path);
    await chosen.filter({ hasText: name }).waitFor();
    await liesInside(page, chosen);
  }
  await page.setViewportSize(desktop);
  await page.setViewportSize(phone);
  await liesInside(page, chosen);
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Goals" }).click();
  await chosen.filter({ hasText: "Goals" }).waitFor();
  await liesInside(page, chosen);
});

test("on a phone the rows of tables are cards: each figure has its name, and buttons are in sight", async () => {
  const { page } = await browser.open(server.url, { viewport: phone, ...world.ada.profile });
  await page.goto("/settings/quotas");
  await liesInside(page, page.getByRole("button", { name: "Edit quota of Dora Iversen" }));
  const cost = page.getByRole("row").filter({ hasText: "Dora Iversen" }).locator('[data-label="Spent, last 30 days"]');
  await liesInside(page, cost);
  await page.goto("/settings/all-runs");
  await liesInside(page, page.getByRole("button", { name: "End the run of Dora Iversen" }));
  const waiting = page.getByRole("region", { name: "Dora Iversen" });
  await waiting.getByText("Waits for Dora").first().waitFor();
  expect(await waiting.getByText("Needs you").count()).toBe(0);
});

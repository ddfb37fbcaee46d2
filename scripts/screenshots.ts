// `node scripts/screenshots.ts OUTDIR`: a picture of every page in light, dark and on a phone, for looking at by hand.
// The pages must be built. Names say what they show: `project-tasks.dark.png`.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { obtainChromium } from "../test/helpers/find-chromium.ts";
import { startSampleLab } from "../test/helpers/sample-lab.ts";
import { profileOf, type SamplePage, samplePages } from "../test/helpers/sample-pages.ts";
import { fillSampleWorld } from "../test/helpers/sample-world.ts";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../test/helpers/served.ts";
import { accountsSettings } from "../test/helpers/web-session.ts";

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

/** A page that still asks for something after this long is shown as it is. */
const settleLimitMs = 5_000;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("say where to put the pictures: node scripts/screenshots.ts OUTDIR");
mkdirSync(folder, { recursive: true });
const data = makeDataFolder();
const lab = await startSampleLab();
const server = { ...(await startServer(data, { settings: { ...accountsSettings, ...lab.settings } })), data };
const { path: executablePath } = await obtainChromium();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const world = await fillSampleWorld(server);
  for (const sample of samplePages(world)) await takeAll(sample, profileOf(world, sample.as), folder);
} finally {
  await browser.close();
  await stopServer(server);
  await lab.close();
  await removeDataFolder(data);
}

async function takeAll(sample: SamplePage, profile: BrowserContextOptions, into: string): Promise<void> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: desktop,
    reducedMotion: "reduce",
    ...profile,
  });
  const page = await context.newPage();
  const take = (look: string) =>
    page.screenshot({ path: path.join(into, `${sample.name}.${look}.png`), fullPage: true });
  await page.goto(sample.path);
  await settle(page);
  await take("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await take("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(phone);
  await take("phone");
  await context.close();
}

/** Loaded, and nothing grey left where something is still to come. */
async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page
    .locator('main [aria-busy="true"]')
    .first()
    .waitFor({ state: "detached", timeout: settleLimitMs })
    .catch(() => {});
  await page.evaluate("document.fonts.ready");
}

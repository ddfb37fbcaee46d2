// How long someone new needs to their first result: a fresh `homework serve` without any key, its login link in a browser, one click
// on the sample, until the result of the finished run is on the page to read. The demo model answers at once, so this is all ours.

import { type Browser, chromium } from "playwright-core";
import { obtainChromium } from "../test/helpers/find-chromium.ts";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../test/helpers/served.ts";
import { loginLink } from "../test/helpers/web-session.ts";

export type FirstResult = {
  /** Until the first page can be used. */
  readonly firstPageMs: number;
  /** From opening the link until the result is on the page. */
  readonly resultMs: number;
};

/** Only a failure takes so long. */
const limitMs = 300_000;

export async function measureFirstResult(): Promise<FirstResult> {
  const data = makeDataFolder();
  const server = await startServer(data);
  const { path: executablePath } = await obtainChromium();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    return await readFirstResult(browser, await loginLink(server));
  } finally {
    await browser.close();
    await stopServer(server);
    await removeDataFolder(data);
  }
}

async function readFirstResult(browser: Browser, link: string): Promise<FirstResult> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(limitMs);
  const began = performance.now();
  await page.goto(link);
  const sample = page.getByRole("button", { name: "Start a sample homework" });
  await sample.waitFor();
  const firstPageMs = performance.now() - began;
  await sample.click();
  await page.getByRole("article", { name: "Result" }).locator(".primary-output .markdown").first().waitFor();
  return { firstPageMs: Math.round(firstPageMs), resultMs: Math.round(performance.now() - began) };
}

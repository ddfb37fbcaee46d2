// A real browser for a test file, and pages that fail their test for anything a user could see in the console:
// errors, violations of the content security policy, and requests to any other origin than the one under test.

import { mkdirSync } from "node:fs";
import path from "node:path";
import type { AxeResults } from "axe-core";
import axe from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, expect, inject, onTestFinished } from "vitest";
import { isPlain, openProfile, profilePool, type TakenProfile } from "./browser-profiles.ts";
import { patienceMs } from "./patience.ts";
import { environmentBeyondFile, startBeyondFile } from "./test-processes.ts";

export type TestBrowser = {
  /**
   * A page in a profile without cookies or storage of another test, closed and judged when the test ends; only the cache may be warm.
   * `origin` is the only one it may talk to.
   */
  readonly open: (origin: string, options?: BrowserContextOptions) => Promise<TestPage>;
  /** The same, of a browser that has never been at this origin. */
  readonly openCold: (origin: string, options?: BrowserContextOptions) => Promise<TestPage>;
  /** A profile whose pages many tests use one after the other: its cache is warm, so they load three times as fast. */
  readonly profile: (origin: string, options?: BrowserContextOptions) => Promise<SharedProfile>;
  readonly browser: Browser;
};

export type SharedProfile = {
  /** A page closed and judged when the test ends. */
  readonly open: () => Promise<TestPage>;
};

export type TestPage = {
  readonly page: Page;
  /** Problems that this test is about and that must not fail it, e.g. the 404 it provokes. */
  readonly tolerate: (problem: RegExp) => void;
  /** What has gone wrong so far and was not tolerated. */
  readonly problems: () => readonly string[];
};

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // Pages of one profile share a process, and so what it has compiled: the second one loads in half the time.
  "--process-per-site",
  // Nothing but this machine can be found, whatever a page asks for.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** One for each worker: what it has loaded and compiled for one file is there for the next, whose server has the same address. */
let launched: Promise<Browser> | undefined;
const profiles = profilePool(async (origin, options) => newContext(await browserOfWorker(), origin, options));

async function browserOfWorker(): Promise<Browser> {
  if (launched && !(await launched).isConnected()) launched = undefined;
  launched ??= startBeyondFile(() => {
    const executablePath = inject("chromiumPath");
    if (!executablePath) throw new Error("browser tests belong to the project `browser` (see vitest.config.ts)");
    return chromium.launch({ executablePath, args: flags, env: environmentBeyondFile() });
  });
  return launched;
}

/** Call it at the top of a file: `const browser = await testBrowser();` */
export async function testBrowser(): Promise<TestBrowser> {
  const browser = await browserOfWorker();
  const atTheEnd: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of atTheEnd) await end();
    await profiles.closeOldest();
  });
  const openCold: TestBrowser["open"] = async (origin, options) =>
    openPage(await newContext(browser, origin, options), origin, (page) => page.context().close());
  return {
    browser,
    openCold,
    open: async (origin, options = {}) => {
      if (!isPlain(options)) return openCold(origin, options);
      const used = await profiles.take(origin, options);
      return openPage(used.context, origin, used.giveBack);
    },
    profile: async (origin, options = {}) => {
      const { context, giveBack } = isPlain(options)
        ? await profiles.take(origin, options)
        : await makeProfile(origin, options);
      atTheEnd.push(giveBack);
      return { open: () => openPage(context, origin, (page) => page.close()) };
    },
  };
}

async function makeProfile(origin: string, options: BrowserContextOptions): Promise<TakenProfile> {
  const { context } = await openProfile(await newContext(await browserOfWorker(), origin, options));
  return { context, giveBack: () => context.close() };
}

async function newContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  // Nothing moves, so that nothing has to be waited for.
  const context = await browser.newContext({ baseURL: origin, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patienceMs);
  return context;
}

/** `close` ends what goes away with the test: the page, or the whole profile. */
async function openPage(
  context: BrowserContext,
  origin: string,
  close: (page: Page) => Promise<void>,
): Promise<TestPage> {
  const page = await context.newPage();
  const found = await watch(page, origin);
  const tolerated: RegExp[] = [];
  const problems = () => found.filter((problem) => !tolerated.some((pattern) => pattern.test(problem)));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await keepScreenshot(page, task.name);
    await close(page);
    expect(problems(), `the page said this during the test "${task.name}"`).toEqual([]);
  });
  return { page, problems, tolerate: (problem) => tolerated.push(problem) };
}

/** Shapes that pulse while something loads are drawn sixty times a second, whatever a person wants to see move. */
const standStill = `{
  const still = new CSSStyleSheet();
  still.replaceSync("*, ::before, ::after { animation: none !important }");
  document.adoptedStyleSheets.push(still);
}`;

/** Everything that goes wrong on the page, in plain words, as it happens. */
async function watch(page: Page, origin: string): Promise<readonly string[]> {
  const found: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") found.push(`console error: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => found.push(`uncaught error: ${error.message}`));
  page.on("crash", () => found.push("the page crashed"));
  const request = (url: string) => {
    if (isForeign(url, origin)) found.push(`request to a foreign origin: ${url}`);
  };
  page.on("request", (sent) => request(sent.url()));
  page.on("websocket", (socket) => request(socket.url()));
  await page.exposeBinding("reportCspViolation", (_source, what: string) => found.push(`CSP violation: ${what}`));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    reportCspViolation(event.effectiveDirective + " blocked " + event.blockedURI))`);
  await page.addInitScript(standStill);
  return found;
}

function isForeign(url: string, origin: string): boolean {
  const { protocol, host } = new URL(url);
  return !["data:", "blob:", "about:"].includes(protocol) && host !== new URL(origin).host;
}

/** What axe never finds serious; looking for it takes as long as for the rest. */
export const neverSerious: readonly string[] = [
  "aria-allowed-role",
  "aria-deprecated-role",
  "empty-heading",
  "empty-table-header",
  "form-field-multiple-labels",
  "heading-order",
  "image-redundant-alt",
  "landmark-banner-is-top-level",
  "landmark-complementary-is-top-level",
  "landmark-contentinfo-is-top-level",
  "landmark-main-is-top-level",
  "landmark-no-duplicate-banner",
  "landmark-no-duplicate-contentinfo",
  "landmark-no-duplicate-main",
  "landmark-one-main",
  "landmark-unique",
  "page-has-heading-one",
  "presentation-role-conflict",
  "region",
  "skip-link",
  "table-duplicate-name",
];

const shell = [".mantine-AppShell-header", ".mantine-AppShell-navbar"];

export type AxeOptions = {
  /** Where the rest was checked already. */
  readonly onlyRules?: readonly string[];
  /** Header and navigation are the same on every page, and take as long as a page itself. */
  readonly withoutShell?: boolean;
};

/** Fails for accessibility problems that keep people from using the page (axe: serious and critical). */
export async function expectNoSeriousAxe(
  page: Page,
  { onlyRules, withoutShell = false }: AxeOptions = {},
): Promise<void> {
  // As a debugger's evaluation, which the page's content security policy does not cover; a script tag it would block. It ends with nothing:
  // an answer is copied whole, and axe is large.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(`${axe.source}; undefined`);
  const rules = onlyRules
    ? { runOnly: onlyRules }
    : { rules: Object.fromEntries(neverSerious.map((rule) => [rule, { enabled: false }])) };
  // No rule of these reads style sheets or media, which axe would fetch once more.
  const options = { resultTypes: ["violations"], preload: false, ...rules };
  const context = { exclude: withoutShell ? shell : [] };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`,
  );
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const lines = serious.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  if (lines.length > 0) throw new Error(`not accessible: ${page.url()}\n  ${lines.join("\n  ")}`);
}

async function keepScreenshot(page: Page, testName: string): Promise<void> {
  mkdirSync("test-results", { recursive: true });
  const file = path.join("test-results", `${testName.replaceAll(/\W+/g, "-").toLowerCase().slice(0, 80)}.png`);
  // A page that crashed cannot be photographed, and the test has failed already.
  await page.screenshot({ path: file }).then(
    () => process.stderr.write(`what the page looked like: ${file}\n`),
    () => {},
  );
}

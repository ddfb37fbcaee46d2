// The pages in a real browser: how long someone new needs to a first result; what the first page fetches and when it can be used; and on a run of 1,000 iterations, 10,000 events and
// 1,000 documents, when its page can be used, how smoothly its timeline and events scroll, and how long an event takes to the screen.
// Compared with a run of 10 iterations, and with scrolling a page that does nothing. Limits are judged at the end.

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { startNotifier } from "../src/db/notifier.ts";
import { configSchema } from "../src/main/config-schema.ts";
import { realEnv } from "../src/main/env.ts";
import { openInstallation } from "../src/main/open-database.ts";
import { openJobQueue } from "../src/queue/pg-boss-queue.ts";
import type { RunStore } from "../src/runs/ports/run-store.ts";
import { changesChannel } from "../src/store/notification/topics.ts";
import { runStore } from "../src/store/run/run-store.ts";
import { obtainChromium } from "../test/helpers/find-chromium.ts";
import { makeEntry } from "../test/helpers/make-entry.ts";
import type { Served } from "../test/helpers/served.ts";
import { ownerSession, type WebSession } from "../test/helpers/web-session.ts";
import { figuresOf, msText, ratio, report } from "./figures.ts";
import { asSuperuser } from "./fill.ts";
import { measureFirstResult } from "./first-result.ts";
import { type FilledRun, fillRun } from "./web-fill.ts";

const large = { iterations: 1_000, events: 10_000, documents: 1_000 };
const small = { iterations: 10, events: 100, documents: 10 };
const loads = 30;
const events = 60;
const scrollMs = 4_000;
const limitMs = 30_000;
/** What the pages promise. */
const most = {
  firstResultMs: 30_000,
  requests: 15,
  scriptKB: 250,
  firstPageMs: 1_000,
  runPageMs: 1_200,
  eventMs: 100,
} as const;
const leastFps = 50;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Promises that were not kept, told at the end. */
const broken: string[] = [];

function judge(what: string, figure: number, limit: number, isKept = figure <= limit): string {
  if (!isKept) broken.push(`${what}: ${figure}, limit ${limit}`);
  return isKept ? "kept" : "NOT KEPT";
}

type World = { readonly browser: Browser; readonly session: WebSession; readonly server: Served };

export async function benchWeb(server: Served, data: string): Promise<void> {
  if (!existsSync("web/dist/index.html")) throw new Error("build the pages first: npm run build");
  const opened = await openInstallation({ config: configSchema.parse({ data }), logger: silent, say: () => {} });
  const queue = await openJobQueue(opened.db, () => {});
  const hints = startNotifier(opened.db, changesChannel, realEnv);
  const store = runStore(opened.db, queue, hints.tell);
  const { path: executablePath } = await obtainChromium();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const world = { browser, server, session: await ownerSession(server) };
    const few = await asSuperuser(data, (admin) => fillRun(server, store, admin, small));
    const many = await asSuperuser(data, (admin) => fillRun(server, store, admin, large));
    await reportFirstResult();
    await reportFirstPage(world);
    await reportLoads(world, few, many);
    await reportScrolling(world, many);
    await reportEvents(world, store, many);
    if (broken.length > 0) {
      process.stderr.write(`Not kept: ${broken.join("; ")}\n`);
      process.exitCode = 1;
    }
  } finally {
    await browser.close();
    await hints.close();
    await queue.close();
    await opened.close();
  }
}

const newContext = ({ browser, server, session }: World): Promise<BrowserContext> =>
  browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 }, ...session.profile });

async function withPage<T>(world: World, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await newContext(world);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

const pageOf = ({ id }: FilledRun, tab = "") => `/homework/runs/${id}${tab}`;

/** Where each page can be used: this is on it, and the browser has nothing left to do. */
const ready = {
  "": 'nav a[aria-current="page"]',
  "/activity": "[data-iteration]",
  "/activity?events=true": "button.event-row",
} as const;
type Tab = keyof typeof ready;

/**
 * Until something is seen on the page and the main thread is free to answer. Each frame is looked at: a locator of Playwright looks less and
 * less often, up to half a second later.
 */
function usableMs(page: Page, selector: string): Promise<number> {
  return page.evaluate<number>(`new Promise((done, fail) => (function look() {
    if (document.querySelector(${JSON.stringify(selector)})?.checkVisibility())
      requestIdleCallback(() => done(performance.now()));
    else if (performance.now() > ${limitMs}) fail(new Error("It was not seen in ${limitMs} ms."));
    else requestAnimationFrame(look);
  })())`);
}

/** From an empty cache. */
async function loadMs(world: World, run: FilledRun, tab: Tab): Promise<number> {
  return withPage(world, async (page) => {
    await page.goto(pageOf(run, tab), { waitUntil: "commit" });
    return usableMs(page, `main ${ready[tab]}`);
  });
}

/** Signed in, with runs, from an empty cache: all that is fetched until it can be used and no request but the stream is under way. */
async function fetchedFirst(world: World): Promise<{ readonly requests: number; readonly kB: number }> {
  return withPage(world, async (page) => {
    let requests = 0;
    const sizes: Promise<number>[] = [];
    page.on("request", () => {
      requests += 1;
    });
    page.on("response", (response) => {
      if (response.url().endsWith(".js")) sizes.push(response.body().then((body) => gzipSync(body).length));
    });
    await page.goto("/homework");
    await page.locator(firstPageReady).first().waitFor({ timeout: limitMs });
    await sleep(settledMs);
    return { requests, kB: Math.round((await sumOf(sizes)) / 100) / 10 };
  });
}

const sumOf = async (sizes: readonly Promise<number>[]) =>
  (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);

/** A run of the list can be opened. */
const firstPageReady = "main section li a";
/** What comes by itself comes within this. */
const settledMs = 3_000;

async function firstPageMs(world: World): Promise<number> {
  return withPage(world, async (page) => {
    await page.goto("/homework", { waitUntil: "commit" });
    return usableMs(page, firstPageReady);
  });
}

async function reportFirstResult(): Promise<void> {
  const { firstPageMs: openedMs, resultMs } = await measureFirstResult();
  report("someone new, demo model, from opening the printed link", {
    "first page can be used": `${openedMs} ms`,
    "first result is read": `${resultMs} ms (at most ${most.firstResultMs}): ${judge("first result, ms", resultMs, most.firstResultMs)}`,
  });
}

async function reportFirstPage(world: World): Promise<void> {
  const { requests, kB } = await fetchedFirst(world);
  const times: number[] = [];
  await firstPageMs(world);
  for (let n = 0; n < loads; n++) times.push(await firstPageMs(world));
  const interactive = figuresOf(times);
  report("first page, signed in, empty cache", {
    requests: `${requests} (at most ${most.requests}): ${judge("requests of the first page", requests, most.requests)}`,
    "JavaScript, gzipped": `${kB} kB (at most ${most.scriptKB}): ${judge("kB of JavaScript", kB, most.scriptKB)}`,
    "until it can be used": `${msText(interactive)} (p95 at most ${most.firstPageMs}): ${judge("first page, p95 ms", interactive.p95, most.firstPageMs)}`,
  });
}

async function reportLoads(world: World, few: FilledRun, many: FilledRun): Promise<void> {
  const scripts = await firstScripts(world, many);
  const timesOf = async (run: FilledRun, tab: Tab) => {
    await loadMs(world, run, tab);
    const times: number[] = [];
    for (let n = 0; n < loads; n++) times.push(await loadMs(world, run, tab));
    return figuresOf(times);
  };
  const overview = await timesOf(many, "");
  const timeline = await timesOf(many, "/activity");
  const log = await timesOf(many, "/activity?events=true");
  const overviewOfFew = await timesOf(few, "");
  report("run page, cold cache, until it can be used", {
    "1,000 iterations": `${msText(overview)} (p95 at most ${most.runPageMs}): ${judge("run page, p95 ms", overview.p95, most.runPageMs)}`,
    "its timeline": msText(timeline),
    "its events": msText(log),
    "10 iterations": msText(overviewOfFew),
    "1,000 : 10 iterations": ratio(overview.p50, overviewOfFew.p50),
    ...scripts,
  });
}

/** What is fetched until the page can be used, and what comes afterwards by itself, gzipped. */
async function firstScripts(world: World, run: FilledRun): Promise<Readonly<Record<string, unknown>>> {
  return withPage(world, async (page) => {
    const sizes = new Map<string, Promise<number>>();
    page.on("response", (response) => {
      if (response.url().endsWith(".js"))
        sizes.set(
          response.url(),
          response.body().then((body) => gzipSync(body).length),
        );
    });
    const kB = async () =>
      Math.round((await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0) / 100) / 10;
    await page.goto("/homework");
    await page.locator("main h1").first().waitFor({ timeout: limitMs });
    const first = await kB();
    await page.goto(pageOf(run), { waitUntil: "commit" });
    await page.locator(`main ${ready[""]}`).first().waitFor({ timeout: limitMs });
    const withRun = await kB();
    await sleep(3_000);
    const all = await Promise.all([...sizes].map(async ([url, size]) => [url.split("/").at(-1), await size] as const));
    const largest = all.sort(([, one], [, other]) => other - one).slice(0, 5);
    return {
      "JavaScript of the first page, gzipped": `${first} kB`,
      "with the run page": `${withRun} kB`,
      "with what the run page loads afterwards": `${await kB()} kB`,
      "largest files": largest.map(([name, size]) => `${name} ${Math.round(size / 100) / 10} kB`).join(", "),
    };
  });
}

type Frames = { readonly fps: number; readonly p95: number; readonly slow: number };

/** The middle one of three: a few frames less are the machine's. */
async function scrolledOften(world: World, open: (page: Page) => Promise<void>): Promise<Frames> {
  const all: Frames[] = [];
  for (let time = 0; time < 3; time++)
    all.push(
      await withPage(world, async (page) => {
        await open(page);
        return scrolled(page);
      }),
    );
  return all.sort((one, other) => one.fps - other.fps)[1] as Frames;
}

/** Turns the wheel over the middle of the page and takes the times between frames. */
async function scrolled(page: Page): Promise<Frames> {
  await page.mouse.move(640, 500);
  await page.evaluate(`globalThis.frames_ = []; (function frame(at) {
    globalThis.frames_.push(at); globalThis.frame_ = requestAnimationFrame(frame); })(performance.now())`);
  for (let began = performance.now(); performance.now() - began < scrollMs; ) {
    await page.mouse.wheel(0, 240);
    await sleep(16);
  }
  const at = await page.evaluate<number[]>("cancelAnimationFrame(globalThis.frame_), globalThis.frames_");
  const times = at.slice(1).map((time, n) => time - (at[n] ?? time));
  const total = times.reduce((sum, time) => sum + time, 0);
  return {
    fps: Math.round((times.length / total) * 10_000) / 10,
    p95: figuresOf(times).p95,
    slow: times.filter((time) => time > 50).length,
  };
}

const still = `document.body.innerHTML = Array.from({ length: 1000 }, (_, n) => "<p>Line " + n + "</p>").join("")`;
const framesText = ({ fps, p95, slow }: Frames) => `${fps} fps, p95 ${p95} ms a frame, ${slow} over 50 ms`;

async function reportScrolling(world: World, run: FilledRun): Promise<void> {
  const floor = await scrolledOften(world, async (page) => {
    await page.goto("/healthz");
    await page.evaluate(still);
  });
  const timeline = await scrolledOften(world, async (page) => {
    await page.goto(pageOf(run, "/activity"));
    await page.locator(ready["/activity"]).first().waitFor({ timeout: limitMs });
  });
  const log = await scrolledOften(world, async (page) => {
    await page.goto(pageOf(run, "/activity?events=true"));
    await page.locator(ready["/activity?events=true"]).first().waitFor({ timeout: limitMs });
    await page.getByRole("region", { name: "Events of this run" }).evaluate((box) => box.scrollTo(0, 0));
  });
  report("scrolling a run of 1,000 iterations and 10,000 events", {
    timeline: `${framesText(timeline)} (at least ${leastFps} fps): ${judge("scrolling, fps", timeline.fps, leastFps, timeline.fps >= leastFps)}`,
    events: framesText(log),
    "a page that does nothing": framesText(floor),
    "timeline : nothing": ratio(timeline.fps, floor.fps),
  });
}

async function reportEvents(world: World, store: RunStore<unknown>, run: FilledRun): Promise<void> {
  const log = await eventsToScreen(world, store, run, "/activity?events=true", "event-log");
  const overview = await eventsToScreen(world, store, run, "", "overview");
  const p95s = figuresOf([...log, ...overview]).p95;
  report("from an event's write until it is on the screen", {
    "event log": msText(figuresOf(log)),
    overview: msText(figuresOf(overview)),
    "p95 of both": `${p95s} ms (at most ${most.eventMs}): ${judge("event to screen, p95 ms", p95s, most.eventMs)}`,
    "events not seen": 2 * events - log.length - overview.length,
  });
}

/** The page notes when each word of ours is first in its text; both clocks are this machine's. */
async function eventsToScreen(
  world: World,
  store: RunStore<unknown>,
  run: FilledRun,
  tab: Tab,
  mark: string,
): Promise<readonly number[]> {
  return withPage(world, async (page) => {
    await page.goto(pageOf(run, tab));
    await page.locator(`main ${ready[tab]}`).first().waitFor({ timeout: limitMs });
    await sleep(2_000);
    await page.evaluate(`globalThis.seen_ = {}; new MutationObserver(() => {
      for (const [word] of document.querySelector("main").textContent.matchAll(/seen-${mark}-\\d+-end/g)) globalThis.seen_[word] ??= Date.now();
    }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
    const wroteAt = new Map<string, number>();
    for (let n = 0; n < events; n++) {
      const summary = `seen-${mark}-${n}-end`;
      const key = `bench:${mark}:${n}`;
      const event = { type: "entry_recorded" as const, iteration: run.lease.iteration, entry: key, summary };
      wroteAt.set(summary, Date.now());
      await store.recordEntry(run.lease, makeEntry(event));
      await sleep(150);
    }
    await sleep(1_000);
    const seen = await page.evaluate<Record<string, number>>("globalThis.seen_");
    return [...wroteAt].flatMap(([word, at]) => (seen[word] === undefined ? [] : [seen[word] - at]));
  });
}

// The timeline, the events and the sources of a run that the demo model works on: opened one by one, linked to, followed to the end.

import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { type RunEvent, routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { patienceMs } from "../helpers/patience.ts";
import { untilStatus } from "../helpers/run-lab-server.ts";
import { failedPage, insertSources, openedPage, search } from "../helpers/sample-sources.ts";
import { removeDataFolder, startServer, stopServer } from "../helpers/served.ts";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { ownerSession } from "../helpers/web-session.ts";

const data = copyUsedDataFolder();
const server = await startServer(data);
afterAll(async () => {
  await stopServer(server);
  await removeDataFolder(data);
});
const { profile, api } = await ownerSession(server);
const owner = await (await testBrowser()).profile(server.url, { ...profile, acceptDownloads: true });

const handOver = async (objective: string): Promise<string> =>
  (await api(routes.runs.create, { body: { objective } })).run_id;

const read = (runId: string, query: Parameters<typeof api<typeof routes.runs.get>>[1]["query"] = {}) =>
  api(routes.runs.get, { params: { runId }, query });

/** Waits until it has come to its end; longer than any test does. */
async function completed(runId: string): Promise<string> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 100) {
    if ((await read(runId)).run.status === "completed") return runId;
    await sleep(100);
  }
  throw new Error(`run ${runId} did not come to its end: ${(await read(runId)).run.status}`);
}

const done = await completed(await handOver("Plan the launch of a neighbourhood repair café"));
const { iterations, events } = await read(done, {
  include_iterations: "true",
  include_events: "true",
  limit: 200,
});
const all = iterations?.items ?? [];
const told: readonly RunEvent[] = events?.items ?? [];

async function open(path: string): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(`/homework/runs/${path}`);
  await page.locator("h1").first().waitFor();
  return page;
}

const list = (page: Page) => page.getByRole("list", { name: "Iterations" });
const header = (page: Page, number: number) => page.locator(`#iteration-${number} > * > button`);
const isOpen = (page: Page, number: number) => header(page, number).getAttribute("aria-expanded");
const log = (page: Page) => page.getByRole("region", { name: "Events of this run" });
const row = (page: Page, seq: number) => log(page).getByRole("button", { name: new RegExp(`^${seq}\\b`) });

test("iterations stand newest first with their summaries, the newest one open, and can be turned round", async () => {
  const page = await open(`${done}/activity`);
  const cards = list(page).locator("li");
  await cards.first().waitFor();
  const numbers = () => page.locator("[data-iteration]").evaluateAll((all) => all.map((one) => one.dataset.iteration));
  expect(await numbers()).toEqual(all.map(({ iteration }) => String(iteration)));
  for (const { iteration, summary } of all)
    expect(await header(page, iteration).textContent()).toContain(summary.slice(0, 60));
  expect(await isOpen(page, all.length)).toBe("true");
  await page.getByText("Oldest first").click();
  await expect.poll(numbers).toEqual(all.map(({ iteration }) => String(iteration)).toReversed());
});

test("an opened iteration says why it continued, who did what, and what came of each step", async () => {
  const page = await open(`${done}/activity`);
  await header(page, 1).click();
  const body = page.locator("#iteration-1-body");
  await body.getByText("Why it continued:").waitFor();
  await body.getByText("Who did what when").click();
  // Executors worked side by side, each with what it was sent to do.
  const { items } = await api(routes.runParts.entries, {
    params: { runId: done, iteration: 1 },
    query: { limit: 200 },
  });
  const titles = [...new Set(items.flatMap(({ lane_title: title }) => (title === null ? [] : [title])))];
  expect(titles.length).toBeGreaterThan(1);
  for (const title of titles)
    await body.getByRole("region", { name: new RegExp(`^Executor \\d+: ${title}$`) }).waitFor();
  await body.getByRole("button", { name: "Show as a table" }).click();
  await body.getByRole("columnheader", { name: "Began after" }).waitFor();
  const tool = items.find(({ args, kind }) => args !== null && kind === "tool");
  const entry = body
    .locator("button.entry-row")
    .filter({ hasText: tool?.summary ?? "nothing" })
    .first();
  // A person reads words; the tool's name is in the details.
  expect(await entry.textContent()).not.toContain(tool?.tool ?? "");
  await entry.click();
  await body.getByText(`Tool: ${tool?.tool}`).waitFor();
  await body.getByRole("region", { name: "Arguments" }).first().waitFor();
  expect(await body.getByRole("region", { name: "Result" }).first().textContent()).not.toBe("");
});

test("the platform's own notes are there for who asks", async () => {
  const page = await open(`${done}/activity#iteration-1`);
  const body = page.locator("#iteration-1-body");
  await body.getByRole("region", { name: "Planner" }).waitFor();
  const note = body.locator(".entry-row").filter({ hasText: "Opened the workspace" });
  expect(await note.count()).toBe(0);
  await page.getByRole("switch", { name: "Show the platform's own notes" }).click();
  await note.first().waitFor();
});

test("what an iteration made is a link to it", async () => {
  const page = await open(`${done}/activity#iteration-1`);
  const made = page.locator("#iteration-1-body").getByRole("group", { name: "What it made or changed" });
  await made.getByRole("link").first().click();
  await page.waitForURL(/\/projects\//);
});

test("an address with an iteration opens it, and keys go from one to the next", async () => {
  const page = await open(`${done}/activity#iteration-1`);
  await expect.poll(() => isOpen(page, 1)).toBe("true");
  const focused = () => page.evaluate<string>("document.activeElement?.dataset.iteration ?? ''");
  await expect.poll(focused).toBe("1");
  await page.keyboard.press("ArrowUp");
  await expect.poll(focused).toBe("2");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("1");
  await page.keyboard.press("Home");
  await expect.poll(focused).toBe(String(all.length));
  await page.keyboard.press("End");
  await expect.poll(focused).toBe("1");
  await page.keyboard.press("Enter");
  await expect.poll(() => isOpen(page, 1)).toBe("false");
});

test("every event is listed in words, as it is on demand, found by text and type, and can be downloaded", async () => {
  const page = await open(`${done}/activity?events=true`);
  await page.getByText(`${told.length} events`).waitFor();
  // Nothing more comes, so it is read from its beginning.
  await row(page, 1).waitFor();
  expect(await page.getByRole("switch", { name: "Follow the end" }).count()).toBe(0);
  await page.getByRole("textbox", { name: "Text" }).fill("repair café");
  await page.getByRole("combobox", { name: "Types" }).click();
  await page.getByRole("option", { name: "Run created" }).click();
  await page.keyboard.press("Escape");
  await page.getByText(`1 found of ${told.length}`).waitFor();
  const created = row(page, told.find(({ type }) => type === "run_created")?.seq ?? 0);
  expect(await created.textContent()).toContain("Created: Plan the launch");
  await created.click();
  const raw = log(page).getByRole("region", { name: /as JSON/ });
  expect(JSON.parse((await raw.textContent()) ?? "")).toEqual(told.find(({ type }) => type === "run_created"));
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByText("Download all").click()]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(told);
});

test("new events come by themselves, and the end is followed until one scrolls up", async () => {
  const { run_id: runId } = await api(routes.runs.create, {
    body: { objective: "Compare three ways to heat an old house", permissions: { write_mode: "approve_plan" } },
  });
  const { questions, last_seq: asked } = await untilStatus(api, runId, "waiting_on_user");
  const page = await open(`${runId}/activity?events=true`);
  await row(page, asked).waitFor();
  const answers = questions.map(({ id, options }) => ({ question_id: id, text: options[0] ?? "yes" }));
  await api(routes.runs.respond, { params: { runId }, body: { answers } });
  await log(page)
    .getByText(/^Completed:/)
    .waitFor();
  const last = (await read(runId)).run.last_seq;
  await row(page, last).waitFor();
  const follow = page.getByRole("switch", { name: "Follow the end" });
  expect(await follow.isChecked()).toBe(true);
  await log(page).hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(() => follow.isChecked()).toBe(false);
  await follow.click();
  await expect.poll(() => follow.isChecked()).toBe(true);
  await row(page, last).waitFor();
});

test("the timeline of a run at work shows each iteration as it begins", async () => {
  const runId = await handOver("Find out what a small greenhouse needs");
  const page = await open(`${runId}/activity`);
  await completed(runId);
  const last = (await read(runId)).run.iteration;
  await header(page, last).getByText("Done", { exact: true }).waitFor();
  await header(page, 1).getByText("Done", { exact: true }).waitFor();
});

test.each(["activity#iteration-1", "activity?events=true"])(
  "%s can be used by everyone, in both schemes",
  async (tab) => {
    const page = await open(`${done}/${tab}`);
    await page.locator("[data-iteration], button.event-row").first().waitFor();
    await expectNoSeriousAxe(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectNoSeriousAxe(page, { onlyRules: ["color-contrast"] });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  },
);

const webPages = (page: Page) => page.getByRole("region", { name: "Web pages" });

test("a run that opened no pages says so", async () => {
  const page = await open(`${done}/sources`);
  await webPages(page).getByText("This run opened no web pages.").waitFor();
});

const address = "https://halls.example/river?day=saturday";
const sources = [
  openedPage(address, "River <b>Hall</b>"),
  failedPage("https://gone.example/", "the server answered 404"),
  failedPage("javascript:alert(1)", "it is no web address"),
  search("halls nearby", [address]),
  openedPage(address, "River <b>Hall</b>"),
  ...Array.from({ length: 6 }, (_, n) => openedPage(`https://many.example/${n}`, `Page ${n}`)),
];

test("sources name the pages that were opened, with safe links, and quietly those that were not", async () => {
  const runId = await completed(await handOver("Plan a visit to the river hall"));
  await insertSources(data, runId, sources);
  const page = await open(`${runId}/sources`);
  const pages = webPages(page);
  const link = pages.getByRole("link", { name: "River <b>Hall</b>" });
  await link.waitFor();
  const [href, rel] = [await link.getAttribute("href"), await link.getAttribute("rel")];
  expect([href, rel]).toEqual([address, "noopener noreferrer"]);
  await pages.getByText("halls.example/river?day=saturday · opened 2 times").waitFor();
  expect(await pages.getByRole("link", { name: "Page 5" }).count(), "a long list is folded").toBe(0);
  await pages.getByRole("button", { name: "Show all 7 pages" }).click();
  await pages.getByRole("link", { name: "Page 5" }).waitFor();
  const failed = pages.getByText("Not opened: the server answered 404");
  expect(await failed.isVisible(), "what failed is folded").toBe(false);
  await pages.getByText("2 pages could not be opened").click();
  await failed.waitFor();
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  await pages.getByText("1 search", { exact: true }).click();
  await pages.getByText("halls nearby").waitFor();
  await expectNoSeriousAxe(page);
  await page.goto(`/homework/runs/${runId}`);
  await page.getByRole("region", { name: "Sources" }).getByText("7 web pages").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download as Markdown" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toContain("## Sources\n\n- [River \\<b\\>Hall");
});

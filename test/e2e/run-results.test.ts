// What came of a run, as its page shows it: outputs with what changed in each, the tree of its documents while it grows and
// afterwards, search in them, the scratchpad, and the report on the screen, on paper and as a file.

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { call, hallWords, inProject, madeBefore, pageCheck, step } from "../helpers/planner-scenario.ts";
import { doneStatus, praise, type SlowScript, working } from "../helpers/role-script.ts";
import { gate, runLabServer, startRun, untilRun, untilStatus } from "../helpers/run-lab-server.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer();
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Repair café" } });

const oldLines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of the old plan.`);
const newLines = oldLines.with(19, "Line 20 of the new plan, in the big hall.");
const makeOldPlan = () =>
  api(routes.document.create, {
    params: { projectId },
    body: { title: "The old plan", content: oldLines.join("\n") },
  });

type Scene = { readonly planId: string; readonly gates?: Readonly<Record<number, Promise<void>>> };

const closing = {
  summary: "You get a page about a **hall** in your street, and the old plan brought up to date.",
  primary_output: "The hall",
  open_questions: ["Who fetches the key?"],
  unsure: ["Whether the rent stays as it is"],
};

/** Begins a branch with a note, changes a document that was there, makes one, links the two, and says that it is done. */
const resultsScript =
  ({ planId, gates = {} }: Scene): SlowScript =>
  async ({ role, iteration, prompt }) => {
    if (role === "judge") return praise(prompt);
    if (role !== "planner") return "unexpected";
    await gates[iteration];
    const promised = { deliverables: [{ id: "d1", title: "A page about the hall" }], checks: [pageCheck] };
    if (iteration === 1)
      return {
        status: working("began to look for halls"),
        plan: { steps: [step("s1", "in_progress")] },
        ...promised,
        tool_calls: [
          call("start_branch", { title: "Halls nearby", about: "Which halls are there?", branch_id: "halls" }),
          call("write_note", { title: "The church hall", content: `# Found\n\n${hallWords}` }),
        ],
      };
    if (iteration === 2)
      return {
        status: working("wrote the page"),
        plan: { steps: [step("s1", "in_progress")] },
        ...promised,
        tool_calls: [
          call("create_document", { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) }),
          call("update_document", { id: planId, content: newLines.join("\n"), state: "published" }),
        ],
      };
    return { status: { ...doneStatus, ...closing }, plan: { steps: [step("s1", "done", madeBefore(prompt))] } };
  };

async function finishedRun(name: string): Promise<string> {
  const { id: planId } = await makeOldPlan();
  lab.script(name, resultsScript({ planId }));
  const runId = await startRun(api, `Find a ${name}`, { project_ids: [projectId] });
  await untilStatus(api, runId, "completed");
  return runId;
}
const finished = await finishedRun("quiet hall");

async function open(path: string, runId = finished): Promise<Page> {
  const { page } = await owner.open();
  await page.goto(`/homework/runs/${runId}/${path}`);
  await page.locator("h1").first().waitFor();
  return page;
}
const region = (page: Page, name: string) => page.getByRole("region", { name });
const rowOf = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title });

test("outputs are sorted by what was done, and lead to their pages", async () => {
  const page = await open("outputs");
  await region(page, "Created").getByRole("link", { name: "The hall", exact: true }).waitFor();
  await region(page, "Changed").getByRole("link", { name: "The old plan" }).waitFor();
  expect(await page.getByText("Scratchpad", { exact: true }).count(), "the run's own pages are hidden").toBe(0);
  await page.getByText("in iteration 2").first().waitFor();
  await page.getByRole("switch", { name: "Show working notes" }).check({ force: true });
  await page.getByRole("link", { name: "Scratchpad" }).waitFor();
  await expectNoSeriousAxe(page);
  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Link" }).click();
  await page.getByText(/contains The church hall/).waitFor();
  expect(await page.getByRole("link", { name: "The old plan" }).count(), "of another kind").toBe(0);
});

test("an output opens what changed in it, field by field, with unchanged lines folded", async () => {
  const page = await open("outputs");
  await rowOf(page, "The old plan").getByRole("button", { name: "Show what changed" }).click();
  const content = region(page, "Content");
  await content.locator("del", { hasText: "Line 20 of the old plan." }).waitFor();
  await content.locator("ins", { hasText: "Line 20 of the new plan, in the big hall." }).waitFor();
  expect(await content.locator("mark").allTextContents()).toContain("old");
  expect(await content.getByText("Line 10 of the old plan.").count()).toBe(0);
  await content.getByRole("button", { name: "Show 16 unchanged lines" }).click();
  await content.getByText("Line 10 of the old plan.").waitFor();
  await region(page, "State").locator("ins", { hasText: "published" }).waitFor();
  await expectNoSeriousAxe(page);
});

test("what someone deletes afterwards is struck out", async () => {
  const runId = await finishedRun("struck hall");
  const page = await open("outputs", runId);
  const href = await page.getByRole("link", { name: "The hall", exact: true }).getAttribute("href");
  const entityId = href?.split("/").at(-1) ?? "";
  await api(routes.document.remove, { params: { projectId, entityId } });
  await page.reload();
  await rowOf(page, "Gone since").locator("s", { hasText: "The hall" }).waitFor();
});

test("the tree of documents grows while the run works, and new ones are marked until they are read", async () => {
  const second = gate();
  const first = gate();
  const { id: planId } = await makeOldPlan();
  lab.script("growing hall", resultsScript({ planId, gates: { 1: first.passed, 2: second.passed } }));
  const runId = await startRun(api, "Find a growing hall", { project_ids: [projectId] });
  const page = await open("research", runId);
  await untilRun(api, runId, ({ status }) => status === "running");
  first.open();
  const note = page.getByRole("treeitem", { name: /The church hall/ });
  await note.waitFor();
  second.open();
  const late = page.getByRole("treeitem", { name: /^The hall/ });
  await late.getByText("New").waitFor();
  await late.click();
  await page.getByRole("article").getByRole("heading", { name: "The hall" }).waitFor();
  expect(await late.getByText("New").count()).toBe(0);
  await untilStatus(api, runId, "completed");
});

test("the tree is walked by keyboard, and a document has an address", async () => {
  const page = await open("research");
  const tree = page.getByRole("tree", { name: "Documents of this run" });
  await tree.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  expect(await page.getByRole("treeitem").count(), "the branch is closed").toBeLessThan(3);
  await page.keyboard.press("ArrowRight");
  const note = page.getByRole("treeitem", { name: /The church hall/ });
  await note.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("article").getByText("The hall is free on Saturdays").first().waitFor();
  expect(await note.getAttribute("aria-selected")).toBe("true");
  await expectNoSeriousAxe(page);
  await page.reload();
  await page.getByRole("article").getByRole("heading", { name: "The church hall" }).waitFor();
  await page.getByRole("link", { name: "Open its own page" }).click();
  await page.waitForURL(/\/projects\/.*\/documents\//);
});

test("full-text search finds what this run wrote, with the words marked, and nothing of another run", async () => {
  await finishedRun("other hall");
  const page = await open("research");
  await page.getByRole("searchbox", { name: "Search in what this run has written" }).fill("Saturdays");
  const found = region(page, "Found");
  await found.locator("mark", { hasText: "Saturdays" }).first().waitFor();
  expect(await found.getByRole("button", { name: /The church hall/ }).count()).toBe(1);
  await found.getByRole("button", { name: /The church hall/ }).click();
  await page.getByRole("article").getByRole("heading", { name: "The church hall" }).waitFor();
  await expectNoSeriousAxe(page);
  expect(page.url()).toMatch(/document=.*q=Saturdays|q=Saturdays.*document=/);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("tree").waitFor();
});

test("the report begins with the result, then tells what stays open, was checked and changed", async () => {
  const page = await open("report");
  const report = page.getByRole("article", { name: "Report" });
  await report.getByRole("heading", { name: "Homework complete: Find a quiet hall" }).waitFor();
  await report.getByText(/^The run is done\. \d of \d checks passed\.$/).waitFor();
  await report.getByText("You get a page about a hall in your street").waitFor();
  await report.locator("strong", { hasText: "hall" }).waitFor();
  const parts = ["Result", "Open questions", "Not certain", "Checks", "What changed", "Cost"];
  expect((await report.getByRole("heading", { level: 3 }).allInnerTexts()).slice(0, parts.length)).toEqual(parts);
  expect(await report.getByRole("link").first().innerText()).toBe("The hall");
  for (const line of [...closing.open_questions, ...closing.unsure]) await report.getByText(line).waitFor();
  await report.getByRole("img", { name: "passed" }).first().waitFor();
  await report.getByText(/\d+ words[^(]*\(at least 50\)/).waitFor();
  await expectNoSeriousAxe(page);
  const link = report.getByRole("link", { name: "The old plan" }).first();
  await link.click();
  await page.waitForURL(/\/projects\/.*\/documents\//);
});

test("before the end there is no report yet, and the page says when; then it appears by itself", async () => {
  const first = gate();
  const { id: planId } = await makeOldPlan();
  lab.script("later hall", resultsScript({ planId, gates: { 1: first.passed } }));
  const runId = await startRun(api, "Find a later hall", { project_ids: [projectId] });
  const page = await open("report", runId);
  await page.getByText("The report is written at the end").waitFor();
  await expectNoSeriousAxe(page);
  first.open();
  await page.getByRole("article", { name: "Report" }).waitFor();
});

test("the report is taken away as Markdown", async () => {
  const page = await open("report");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download as Markdown" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("homework-complete-find-a-quiet-hall.md");
  const text = readFileSync(await download.path(), "utf8");
  expect(text).toMatch(/^# Homework complete: Find a quiet hall\n/);
  expect(text).toMatch(/\[The old plan\]\(http:\/\/[^)]*\/projects\/[^)]*\/documents\/[^)]*\)/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByText("The report is in the clipboard").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
});

test("on paper there is only the report, in black on white, with addresses that can be read", async () => {
  const page = await open("report");
  await page.getByRole("article", { name: "Report" }).getByRole("link", { name: "The old plan" }).first().waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const shown = await page.locator("body").innerText();
  expect(shown).toMatch(/^Completed\s+Homework complete: Find a quiet hall/);
  expect(shown).not.toMatch(/Download as Markdown|Timeline|Settings/);
  expect(shown).toMatch(new RegExp(`${lab.server().url}/projects/${projectId}/documents/[0-9a-f-]{36}`));
  expect(await page.evaluate(`getComputedStyle(document.querySelector(".report")).color`)).toBe("rgb(0, 0, 0)");
});

test("a document of two megabytes is shown part by part, and the page can be used", async () => {
  const paragraph = `${"A long paragraph about halls. ".repeat(30)}\n\n`;
  const content = paragraph.repeat(Math.ceil(2_000_000 / paragraph.length));
  const workspace = await api(routes.runs.get, {
    params: { runId: finished },
    query: { include_workspace: "true" },
  });
  const note = workspace.workspace?.documents.find(({ title }) => title === "The church hall");
  if (!note) throw new Error("the run has no note");
  const params = { projectId: note.project_id, entityId: note.id };
  const { version } = await api(routes.document.get, { params });
  await api(routes.document.update, { params, body: { version, content } });
  const page = await open(`research?document=${note.id}`);
  await page.getByRole("button", { name: /^Show more \(\d+ more parts\)/ }).waitFor();
  await page.getByRole("searchbox").fill("hall");
  await region(page, "Found").getByRole("button").first().waitFor();
});

test("at the width of a phone tree and document are below each other and nothing scrolls sideways", async () => {
  const page = await open("research");
  await page.setViewportSize({ width: 390, height: 844 });
  const tree = await page.getByRole("tree").boundingBox();
  const article = await page.getByRole("article").boundingBox();
  expect(article?.y).toBeGreaterThan((tree?.y ?? 0) + (tree?.height ?? 0) - 1);
  for (const tab of ["research", "outputs", "report"]) {
    await page.goto(`/homework/runs/${finished}/${tab}`);
    await page.getByRole("main").getByText("The hall", { exact: true }).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab).toBe(true);
  }
});

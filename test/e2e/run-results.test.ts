// What came of a run, as its page shows it: outputs with what changed in each, the tree of its documents while it grows and
// afterwards, search in them, the scratchpad, and the report on the screen, on paper and as a file.

import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
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
          call("link", { src_id: planId, rel: "supports", dst_id: madeBefore(prompt)[0] }),
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

test("the result stands on the first screen, rendered, and other outputs below it by kind", async () => {
  const page = await open("");
  await page.setViewportSize({ width: 1280, height: 800 });
  const primary = region(page, "The hall");
  await primary.getByRole("heading", { name: "Goal" }).waitFor();
  const top = async () => (await primary.getByRole("heading", { name: "Goal" }).boundingBox())?.y ?? 0;
  await expect.poll(top).toBeLessThan(700);
  await region(page, "Everything else").getByRole("link", { name: "The old plan" }).waitFor();
  expect(await page.getByText("Scratchpad", { exact: true }).count(), "the run's own pages are hidden").toBe(0);
  await expectNoSeriousAxe(page);
  const link = region(page, "Everything else").getByText(/^The old plan supports /);
  expect(await link.isVisible(), "links are folded").toBe(false);
  await page.locator("summary", { hasText: "Links" }).click();
  await link.waitFor();
});

test("an output opens what changed in it, field by field, with unchanged lines folded", async () => {
  const page = await open("");
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
  const page = await open("", runId);
  const hrefOf = (name: string) => page.getByRole("link", { name, exact: true }).first().getAttribute("href");
  for (const name of ["The old plan", "The hall"]) {
    const entityId = (await hrefOf(name))?.split("/").at(-1) ?? "";
    await api(routes.document.remove, { params: { projectId, entityId } });
  }
  await page.reload();
  await rowOf(page, "Deleted").locator("s", { hasText: "The old plan" }).waitFor();
  await page.getByText("Deleted since the run ended").waitFor();
});

test("what is undone says so, its checks no longer count, and it can be restored", async () => {
  const runId = await finishedRun("undone hall");
  const page = await open("", runId);
  await region(page, "Can I trust it?").getByRole("img", { name: "Passed" }).first().waitFor();
  await api(routes.runs.undo, { params: { runId }, query: { dry_run: "false" }, body: {} });
  await page.reload();
  await page.getByRole("alert").getByText("Its checks no longer apply.").waitFor();
  expect(await page.getByRole("img", { name: "Passed" }).count()).toBe(0);
  expect(await page.getByText(/^Completed$|\d checks/).count(), "its header does not praise it").toBe(0);
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await region(page, "Can I trust it?").getByRole("img", { name: "Passed" }).first().waitFor();
  expect(await page.getByText("Its checks no longer apply.").count()).toBe(0);
});

test("the tree of documents grows while the run works, and new ones are marked until they are read", async () => {
  const second = gate();
  const first = gate();
  const { id: planId } = await makeOldPlan();
  lab.script("growing hall", resultsScript({ planId, gates: { 1: first.passed, 2: second.passed } }));
  const runId = await startRun(api, "Find a growing hall", { project_ids: [projectId] });
  const page = await open("sources", runId);
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
  const page = await open("sources");
  const tree = page.getByRole("tree", { name: "Documents of this run" });
  const working = page.getByRole("switch", { name: "Show working notes" });
  await working.click();
  await tree.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  expect(await page.getByRole("treeitem").count(), "the branch is closed").toBeLessThan(3);
  await page.keyboard.press("ArrowRight");
  const note = page.getByRole("treeitem", { name: /The church hall/ });
  await note.waitFor();
  await working.click();
  await tree.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("article").getByText("The hall is free on Saturdays").first().waitFor();
  expect(await note.getAttribute("aria-selected")).toBe("true");
  await expectNoSeriousAxe(page);
  await page.reload();
  await page.getByRole("article").getByRole("heading", { name: "The church hall" }).waitFor();
  await page.getByRole("link", { name: "Open", exact: true }).click();
  await page.waitForURL(/\/projects\/.*\/documents\//);
});

test("full-text search finds what this run wrote, with the words marked, and nothing of another run", async () => {
  await finishedRun("other hall");
  const page = await open("sources");
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

test("the result begins with the summary; beside it stand checks with their evidence, open questions and cost", async () => {
  const page = await open("");
  const result = page.getByRole("article", { name: "Result" });
  await result.getByText("You get a page about a hall in your street").waitFor();
  await result.locator("strong", { hasText: "hall" }).waitFor();
  for (const line of [...closing.open_questions, ...closing.unsure]) await result.getByText(line).waitFor();
  const trust = region(page, "Can I trust it?");
  await trust.getByText(/^\d of \d passed$/).waitFor();
  await trust.getByRole("img", { name: "Passed" }).first().waitFor();
  const evidence = trust.getByText(/\d+ words[^(]*\(at least 50\)/);
  expect(await evidence.isVisible()).toBe(false);
  await trust.locator("summary", { hasText: "at least 50 words" }).click();
  await evidence.waitFor();
  await trust.locator("summary", { hasText: "A judge agrees" }).first().click();
  await trust.locator("blockquote").first().waitFor();
  await region(page, "Cost").getByText("Cost by model, limits and charts").waitFor();
  await expectNoSeriousAxe(page);
});

test("addresses that tabs had before lead to the tab of today", async () => {
  const page = await open("report");
  const leadsTo = async (old: string, now: RegExp) => {
    await page.goto(`/homework/runs/${finished}/${old}`);
    await page.waitForURL(now);
  };
  await leadsTo("report", new RegExp(`${finished}$`));
  await leadsTo("outputs", new RegExp(`${finished}$`));
  await leadsTo("research?q=hall", /\/sources\?q=hall$/);
  await leadsTo("timeline#iteration-1", /\/activity#iteration-1$/);
  await leadsTo("events", /\/activity\?events=true$/);
});

test("before the end the page shows how far the run is; then the result appears by itself", async () => {
  const first = gate();
  const { id: planId } = await makeOldPlan();
  lab.script("later hall", resultsScript({ planId, gates: { 1: first.passed } }));
  const runId = await startRun(api, "Find a later hall", { project_ids: [projectId] });
  const page = await open("", runId);
  await region(page, "Now").waitFor();
  expect(await page.getByRole("article", { name: "Result" }).count()).toBe(0);
  await expectNoSeriousAxe(page);
  first.open();
  await page.getByRole("article", { name: "Result" }).waitFor();
});

test("everything is taken away as one archive, working notes in a folder of their own", async () => {
  const page = await open("");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download everything (zip)" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const files = unzipSync(readFileSync(await download.path()));
  const names = Object.keys(files);
  expect(names).toEqual(expect.arrayContaining(["The hall.md", "The old plan.md", "Report.md"]));
  expect(names.filter((name) => name.startsWith("Working notes/"))).toContain("Working notes/The church hall.md");
  expect(names).not.toContain("The church hall.md");
  expect(new TextDecoder().decode(files["The hall.md"])).toContain(hallWords);
});

test("the report is taken away as Markdown", async () => {
  const page = await open("");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download as Markdown" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Homework complete - Find a quiet hall.md");
  const text = readFileSync(await download.path(), "utf8");
  expect(text).toMatch(/^# Homework complete: Find a quiet hall\n/);
  expect(text).toMatch(/\[The old plan\]\(http:\/\/[^)]*\/projects\/[^)]*\/documents\/[^)]*\)/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByText("Copied to the clipboard").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
});

test("on paper there is a document: the title, its date, the summary, the output, then checks and cost; nothing to press", async () => {
  const page = await open("");
  await page.getByText("You get a page about a hall").first().waitFor();
  await region(page, "The hall").getByRole("heading", { name: "Goal" }).waitFor();
  await region(page, "Everything else").getByRole("link", { name: "The old plan" }).waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const shown = await page.locator("body").innerText();
  const day = new Intl.DateTimeFormat("en", { dateStyle: "long" }).format(new Date());
  const inOrder = [
    day,
    "Find a quiet hall",
    "You get a page about a hall",
    "The hall",
    hallWords.slice(0, 30),
    "The old plan",
    "Checks",
  ];
  const places = [...inOrder, "Who fetches the key?", "Cost"].map((words) => shown.lastIndexOf(words));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(Math.min(...places)).toBeGreaterThan(-1);
  expect(shown).not.toMatch(/Can I trust it|Download as Markdown|Show what changed|Activity\n|Settings|Rename/);
  expect(await page.locator("button:visible, nav:visible, input:visible").count()).toBe(0);
  expect(shown).toContain(`${lab.server().url}/homework/runs/${finished}`);
  const look = await page.evaluate(`(() => {
    const of = (selector) => getComputedStyle(document.querySelector(selector));
    return [of(".report").color, of(".report .prose").fontFamily, of(".printed-title").fontFamily];
  })()`);
  expect(look).toEqual(["rgb(0, 0, 0)", ...Array(2).fill(expect.stringContaining("Source Serif"))]);
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
  const page = await open(`sources?document=${note.id}`);
  await page.getByRole("button", { name: /^Show more \(\d+ more parts\)/ }).waitFor();
  await page.getByRole("searchbox").fill("hall");
  await region(page, "Found").getByRole("button").first().waitFor();
});

test("at the width of a phone tree and document are below each other and nothing scrolls sideways", async () => {
  const page = await open("sources");
  await page.setViewportSize({ width: 390, height: 844 });
  const tree = await page.getByRole("tree").boundingBox();
  const article = await page.getByRole("article").boundingBox();
  expect(article?.y).toBeGreaterThan((tree?.y ?? 0) + (tree?.height ?? 0) - 1);
  for (const tab of ["sources", "", "details"]) {
    await page.goto(`/homework/runs/${finished}/${tab}`);
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab).toBe(true);
  }
});

test("a task that a run made is ticked in its result", async () => {
  const script: SlowScript = async ({ role, iteration, prompt }) => {
    if (role === "judge") return praise(prompt);
    if (role !== "planner") return "unexpected";
    if (iteration > 1) return { status: doneStatus, plan: { steps: [step("s1", "done", madeBefore(prompt))] } };
    return {
      status: working("wrote the page"),
      plan: { steps: [step("s1", "in_progress")] },
      deliverables: [{ id: "d1", title: "A page about the hall" }],
      checks: [pageCheck],
      tool_calls: [
        call("create_document", { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) }),
        call("create_task", { title: "Fetch the key", ...inProject(prompt) }),
      ],
    };
  };
  lab.script("hall with a key", script);
  const runId = await startRun(api, "Find a hall with a key", { project_ids: [projectId] });
  await untilStatus(api, runId, "completed");
  const page = await open("", runId);
  const tick = page.getByRole("checkbox", { name: "Done: Fetch the key" });
  await tick.click();
  const readState = async () => {
    const { items } = await api(routes.task.list, { params: { projectId }, query: {} });
    return items.find(({ title }) => title === "Fetch the key")?.state_key;
  };
  await expect.poll(readState).toBe("done");
  await expect.poll(() => tick.isChecked()).toBe(true);
  await expectNoSeriousAxe(page);
  // Somebody who has become a viewer of the project meanwhile sees it, and cannot change it.
  const project = await api(routes.projects.get, { params: { projectId } });
  await page.route(`**/api/projects/${projectId}`, (route) => route.fulfill({ json: { ...project, role: "viewer" } }));
  await page.reload();
  await expect.poll(() => tick.isChecked()).toBe(true);
  expect(await tick.isDisabled()).toBe(true);
});

// A document is read like a page: lines one can read, a table of contents, who wrote it with the way to the run; and it is
// edited where it is read.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { call, hallWords, inProject, madeBefore, pageCheck, step } from "../helpers/planner-scenario.ts";
import { doneStatus, praise, type SlowScript, working } from "../helpers/role-script.ts";
import { runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { ownerSession } from "../helpers/web-session.ts";

const lab = await runLabServer();
const { profile, api } = await ownerSession(lab.server());
const owner = await (await testBrowser()).profile(lab.server().url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Repair café" } });

const sections = ["Goal", "The room", "What it costs", "Getting there"];
const paper = sections.map((name, index) => `${index > 1 ? "##" : "#"} ${name}\n\n${hallWords}\n`).join("\n");

/** Writes one paper of four sections. */
const script: SlowScript = async ({ role, iteration, prompt }) => {
  if (role === "judge") return praise(prompt);
  if (role !== "planner") return "unexpected";
  if (iteration === 1)
    return {
      status: working("wrote the page"),
      plan: { steps: [step("s1", "in_progress")] },
      deliverables: [{ id: "d1", title: "A page about the hall" }],
      checks: [pageCheck],
      tool_calls: [call("create_document", { title: "The hall", content: paper, ...inProject(prompt) })],
    };
  return { status: doneStatus, plan: { steps: [step("s1", "done", madeBefore(prompt))] } };
};

lab.script("hall with a view", script);
const runId = await startRun(api, "Find a hall with a view", { project_ids: [projectId] });
await untilStatus(api, runId, "completed");
const documents = await api(routes.document.list, { params: { projectId }, query: {} });
const hall = documents.items.find(({ title }) => title === "The hall");
if (!hall) throw new Error("the run wrote no document");
const hallPath = `/projects/${projectId}/documents/${hall.id}`;

async function open(path: string): Promise<Page> {
  const { page, tolerate } = await owner.open();
  tolerate(/status of 409/);
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}
const contents = (page: Page) => page.getByRole("navigation", { name: "Contents" });

test("a document is a page with its contents beside it, and lines of at most 72 characters or so", async () => {
  const page = await open(hallPath);
  await contents(page).getByRole("link").first().waitFor();
  expect(await contents(page).getByRole("link").allTextContents()).toEqual(sections);
  const { width } = (await page.getByRole("article", { name: "The hall" }).boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThan(400);
  expect(width).toBeLessThan(640);
  await contents(page).getByRole("link", { name: "Getting there" }).click();
  await expect.poll(() => page.evaluate("location.hash")).toBe("#section-getting-there");
  await expect.poll(() => page.getByRole("heading", { name: "Getting there" }).isVisible()).toBe(true);
  await expectNoSeriousAxe(page);
});

test("on a phone the contents are folded above the text", async () => {
  const page = await open(hallPath);
  await page.setViewportSize({ width: 390, height: 844 });
  const first = contents(page).getByRole("link", { name: "Goal" });
  await contents(page).getByText("Contents", { exact: true }).waitFor();
  await expect.poll(() => first.isVisible()).toBe(false);
  await contents(page).getByText("Contents", { exact: true }).click();
  await first.waitFor();
});

test("a document says which run wrote it, and leads there", async () => {
  const page = await open(hallPath);
  await page.getByRole("button", { name: /^History of this/ }).click();
  const inHistory = page.getByRole("link", { name: "A run" }).first();
  expect(await inHistory.getAttribute("href")).toBe(`/homework/runs/${runId}`);
  const authors = page.getByRole("region", { name: "Authors" });
  await authors.getByRole("link", { name: "Find a hall with a view" }).click();
  await page.waitForURL(`**/homework/runs/${runId}`);
});

test("a document of two headings has no contents", async () => {
  const { id } = await api(routes.document.create, {
    params: { projectId },
    body: { title: "Short", content: "# One\n\nwords\n\n# Two\n\nmore words" },
  });
  const page = await open(`/projects/${projectId}/documents/${id}`);
  await page.getByRole("heading", { name: "Two" }).waitFor();
  expect(await contents(page).count()).toBe(0);
});

test("Edit opens the text for writing, and Done shows the page again", async () => {
  const { id } = await api(routes.document.create, {
    params: { projectId },
    body: { title: "Minutes", content: "as it was" },
  });
  const page = await open(`/projects/${projectId}/documents/${id}`);
  await page.getByRole("article").getByText("as it was").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Content (markdown)" }).fill("as it is");
  await page.getByText("Unsaved changes").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Everything is saved").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("article").getByText("as it is").waitFor();
  await page
    .getByRole("region", { name: "Authors" })
    .getByText(/^Written by /)
    .waitFor();
});

const field = (page: Page) => page.getByRole("textbox", { name: "Content (markdown)" });
const hasFocus = (page: Page) => field(page).evaluate((element) => element.ownerDocument.activeElement === element);

async function openForWriting(title: string, content: string): Promise<Page> {
  const { id } = await api(routes.document.create, { params: { projectId }, body: { title, content } });
  const page = await open(`/projects/${projectId}/documents/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => hasFocus(page)).toBe(true);
  return page;
}

test("the editor is fetched when someone begins to write, takes the focus, and is usable in light and dark", async () => {
  const { id } = await api(routes.document.create, {
    params: { projectId },
    body: {
      title: "Looks",
      content: "# One\n\nIt is **two**, _three_ and `four`, [five](https://six.example).\n\n> seven",
    },
  });
  const { page } = await owner.open();
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  await page.goto(`/projects/${projectId}/documents/${id}`);
  await page.getByRole("article").getByText("seven").waitFor();
  const editorsFetched = () => fetched.filter((url) => url.includes("/markdown-field")).length;
  expect(editorsFetched()).toBe(0);
  await page.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => hasFocus(page)).toBe(true);
  expect(editorsFetched()).toBeGreaterThan(0);
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find" }).waitFor();
  await expectNoSeriousAxe(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await expectNoSeriousAxe(page, { onlyRules: ["color-contrast"] });
});

test("words are formatted with keys and buttons, and that is undone, also after a look at the preview", async () => {
  const page = await openForWriting("Formatting", "roof");
  const button = (name: string) => page.getByRole("group", { name: "Formatting" }).getByRole("button", { name });
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+b");
  await expect.poll(() => field(page).innerText()).toBe("**roof**");
  await button("Italic").click();
  await expect.poll(() => field(page).innerText()).toBe("**_roof_**");
  await button("Checklist").click();
  await expect.poll(() => field(page).innerText()).toBe("- [ ] **_roof_**");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("wall");
  await expect.poll(() => field(page).innerText()).toBe("- [ ] **_roof_**\n- [ ] wall");
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.getByRole("checkbox").nth(1).waitFor();
  await page.getByRole("tab", { name: "Write" }).click();
  await field(page).focus();
  await expect.poll(() => hasFocus(page)).toBe(true);
  for (let steps = 0; steps < 12; steps++) await page.keyboard.press("Control+z");
  await expect.poll(() => field(page).innerText()).toBe("roof");
  await page.getByText("Everything is saved").waitFor();
});

test("Tab leaves the editor and changes nothing", async () => {
  const page = await openForWriting("Tab", "as it was");
  await page.keyboard.press("Tab");
  await expect.poll(() => hasFocus(page)).toBe(false);
  expect(await field(page).innerText()).toBe("as it was");
});

test("a text that is not saved is still there after a reload", async () => {
  const page = await openForWriting("Draft", "as it was");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" and more");
  await page.getByText("Unsaved changes").waitFor();
  await page.reload();
  await expect.poll(() => field(page).innerText()).toBe("as it was and more");
});

test("where the editor cannot be fetched, a plain field takes its place", async () => {
  const { page, tolerate } = await owner.open();
  tolerate(/net::ERR_FAILED .*\/markdown-field/);
  await page.route(/\/assets\/markdown-field.*/, (route) => route.abort());
  const { id } = await api(routes.document.create, {
    params: { projectId },
    body: { title: "Plain", content: "as it was" },
  });
  await page.goto(`/projects/${projectId}/documents/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await field(page).fill("as it is");
  expect(await field(page).evaluate((element) => element.tagName)).toBe("TEXTAREA");
  await page.keyboard.press("Control+s");
  await page.getByText("Everything is saved").waitFor();
});

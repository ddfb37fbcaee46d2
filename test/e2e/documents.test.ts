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

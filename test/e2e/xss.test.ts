// Hundreds of payloads as what a model writes, in every field of a run that a page shows: objective, progress, plan, checks,
// questions, titles, documents, scratchpad, steps, errors, report. They are shown as text and do nothing: no dialog, no request
// to elsewhere, nothing for the content security policy to stop (the browser helper fails a test for the last two).

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Run, routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { call, inProject, step } from "../helpers/planner-scenario.ts";
import { type ScriptedEnd, type SlowScript, working } from "../helpers/role-script.ts";
import { readRun, runLabServer, startRun, untilStatus } from "../helpers/run-lab-server.ts";
import { ownerSession } from "../helpers/web-session.ts";
import { packed, xssPayloads } from "../helpers/xss-payloads.ts";

/** All of them, each a paragraph. */
const everything = xssPayloads.join("\n\n");
const lines = packed(1_900);
const titles = packed(390).map((title) => title.replaceAll(/\s+/g, " "));
const summaries = packed(3_900);
/** The most a planner may ask for at once, but for the two that go wrong. */
const callsAtOnce = 6;
const rounds = 2;

const status = (iteration: number): ScriptedEnd => ({
  ...working(summaries[iteration % summaries.length] ?? "", [...lines, `round ${iteration}`]),
  summary: summaries[0] ?? "",
  primary_output: titles[0] ?? "",
  open_questions: [...lines],
  unsure: [...lines],
  honoured: lines.slice(0, 1).map((how) => ({ message: how, how })),
});

const promised = {
  plan: { steps: lines.map((title, index) => ({ ...step(`s${index}`, "in_progress"), title })) },
  deliverables: lines.map((title, index) => ({ id: `d${index}`, title })),
  checks: lines.map((heading, index) => ({
    id: `c${index}`,
    deliverable_id: `d${index}`,
    kind: "document_has" as const,
    title_like: titles[index] ?? "",
    headings: [heading],
  })),
};

/** Every round makes a few documents, and errors. */
const writes: SlowScript = ({ role, iteration, prompt, turn }) => {
  if (role === "chat") return talks(turn);
  if (role === "executor" && turn === 0)
    return { toolCalls: [{ name: "write_note", args: { title: titles[0] ?? "", content: everything } }] };
  if (role !== "planner") return everything.slice(0, 6_000);
  const made = titles.slice((iteration - 1) * callsAtOnce, iteration * callsAtOnce);
  const begin = {
    ...promised,
    tool_calls: [
      ...made.map((title, index) =>
        call("create_document", { title, content: index === 0 ? everything : title, ...inProject(prompt) }),
      ),
      call((titles[iteration] ?? "x").slice(0, 190), { [titles[1] ?? "x"]: everything.slice(0, 2_000) }),
      call("update_task", { id: titles[2] ?? "", title: titles[3] ?? "" }),
    ],
    executor_tasks: iteration === 1 ? [{ title: lines[0] ?? "", instructions: lines[1] ?? "", step_id: "s0" }] : [],
    status: null,
  };
  return [begin, { status: status(iteration) }];
};

/** Says all of them, and wants to write some. */
const talks = (turn: number): ReturnType<SlowScript> =>
  turn === 0
    ? {
        text: everything,
        toolCalls: titles
          .slice(0, 3)
          .map((title) => ({ name: "create_task", args: { project_id: projectId, title, description: everything } })),
      }
    : everything;

const asks: SlowScript = ({ role, iteration }) =>
  role === "planner"
    ? {
        status: status(iteration),
        ...promised,
        questions: lines.slice(0, 5).map((text, index) => ({
          text,
          options: lines.slice(index === 0 ? 0 : 5, index === 0 ? 8 : 9),
        })),
      }
    : everything.slice(0, 6_000);

const lab = await runLabServer();
lab.script("", writes);
lab.script("Ask me first", asks);
const { profile, api } = await ownerSession(lab.server());
const { id: projectId } = await api(routes.projects.create, { body: { name: titles[0] ?? "" } });
const more = { project_ids: [projectId], budgets: { max_iterations: rounds } };
const written = await startRun(api, everything, more);
await api(routes.runs.steer, { params: { runId: written }, body: { message: everything } });
const asking = await startRun(api, `Ask me first\n\n${everything}`, more);
await untilSettled(written, "stopped");
await untilSettled(asking, "waiting_on_user");
await giveLongTitles();
const owner = await (await testBrowser()).profile(lab.server().url, profile);

/** So much text takes its time on a busy machine; each try waits as long as other tests do. */
async function untilSettled(runId: string, status: Run["status"]): Promise<void> {
  const tries = 4;
  for (let left = tries; left > 1; left--) if (await untilStatus(api, runId, status).catch(() => null)) return;
  await untilStatus(api, runId, status);
}

/** A tool's titles are short; with what a person may write, a few titles hold all of them. */
async function giveLongTitles(): Promise<void> {
  const { workspace } = await api(routes.runs.get, {
    params: { runId: written },
    query: { include_workspace: "true" },
  });
  const made = workspace?.documents.filter(({ type_key: type }) => !type.startsWith("document.homework")) ?? [];
  for (const [index, words] of summaries.entries()) {
    const params = { projectId, entityId: made[index]?.id ?? "" };
    const { version } = await api(routes.document.get, { params });
    await api(routes.document.update, { params, body: { version, title: words.replaceAll(/\s+/g, " ") } });
  }
}

const dialogs: string[] = [];

/** Elements, handlers and addresses that only a payload could have brought. */
const brought = `(() => {
  const all = [...document.querySelectorAll("main *, [role=dialog] *")];
  const tags = "script,iframe,frame,object,embed,applet,base,meta,link,video,audio,track,math,template,portal,form form," +
    "svg image,svg use,svg script,svg foreignObject,svg animate,svg set,style:not([nonce])";
  const isBad = (element) => element.matches(tags)
    || element.getAttributeNames().some((name) => name.startsWith("on") || ["srcdoc", "formaction", "ping"].includes(name))
    || /localhost:9|expression|behavior/.test(element.getAttribute("style") ?? "")
    || ["href", "src", "srcset", "poster", "background", "action", "xlink:href"].some((name) => {
      const value = element.getAttribute(name);
      if (value === null) return false;
      const address = URL.parse(value, location.href);
      if (name === "href") return !["http:", "https:", "mailto:"].includes(address?.protocol ?? "");
      return address?.origin !== location.origin;
    });
  return all.filter(isBad).map((element) => element.outerHTML.slice(0, 200));
})()`;

async function open(path: string): Promise<Page> {
  const { page, tolerate } = await owner.open();
  // Pictures that are said to be on this very server, and are not.
  tolerate(/status of 404/);
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

/** Nothing grey is left where something is still to come; the live stream never ends, so the network tells nothing. */
async function settled(page: Page): Promise<void> {
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
}

/** What makes the page scroll sideways. */
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.children.length === 0)
  .map((one) => one.tagName + "." + one.className + " in " + one.parentElement.className + ": " + one.textContent.slice(0, 80))
  .slice(0, 5)`;

async function expectInert(page: Page): Promise<void> {
  await page.locator("main").getByText("alert(1)").locator("visible=true").first().waitFor();
  await settled(page);
  expect(await page.evaluate(brought)).toEqual([]);
  expect(await page.evaluate(tooWide)).toEqual([]);
  expect(dialogs).toEqual([]);
}

test("a conversation, and what it wants to write, do nothing", async () => {
  const { id: chatId } = await api(routes.chats.create, { body: { title: titles[0]?.slice(0, 190) ?? "" } });
  const page = await open(`/chat/${chatId}`);
  await page.getByRole("textbox", { name: "Your message" }).fill(everything.slice(0, 19_000));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: /^Approve all/ }).waitFor();
  await expectInert(page);
  await page.getByRole("button", { name: /^Approve all/ }).click();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.getByText("(done)").first().waitFor();
  await expectInert(page);
  await page.goto("/chat");
  await page.getByRole("list", { name: "Conversations" }).waitFor();
  await expectInert(page);
});

test("the bell does nothing", async () => {
  const page = await open("/homework");
  await page
    .getByRole("button", { name: /notification/i })
    .first()
    .click();
  await page.getByRole("menu").waitFor();
  expect(await page.evaluate(brought)).toEqual([]);
  expect(dialogs).toEqual([]);
});

test("there are more than 300 of them, and no two are the same", () => {
  expect(new Set(xssPayloads).size).toBe(xssPayloads.length);
  expect(xssPayloads.length).toBeGreaterThan(300);
});

test("they stand in every field of a run that pages show", async () => {
  const { progress, plan, deliverables, completion_criteria: checks, report } = await readRun(api, written);
  const { primary_output: primary, open_questions: open, unsure, messages } = report ?? {};
  const fields = { progress, plan, deliverables, checks, primary, open, unsure, how: messages?.map(({ how }) => how) };
  const without = Object.entries(fields).filter(([, value]) => !JSON.stringify(value ?? null).includes("alert(1)"));
  expect(without).toEqual([]);
});

const pages = {
  "the list of runs": "/homework",
  notifications: "/notifications",
  "the result of a run that has stopped": `/homework/runs/${written}`,
  "the result of a run that asks": `/homework/runs/${asking}`,
};

test.for(Object.entries(pages))("%s does nothing", async ([, path]) => {
  await expectInert(await open(path));
});

test("the timeline with its steps, arguments, results and errors does nothing", async () => {
  const page = await open(`/homework/runs/${written}/activity`);
  await page.locator("[data-iteration]").first().waitFor();
  for (const header of (await page.locator('[data-iteration][aria-expanded="false"]').all()).slice(0, 3))
    await header.click();
  await settled(page);
  for (const button of (await page.locator('main [aria-expanded="false"]:visible').all()).slice(0, 12))
    await button.click();
  await expectInert(page);
});

test("the event log does nothing", async () => {
  const page = await open(`/homework/runs/${written}/activity?events=true`);
  await page.locator("main").getByText("alert(1)").first().waitFor();
  for (const button of (await page.locator('main [aria-expanded="false"]').all()).slice(0, 8)) await button.click();
  await expectInert(page);
});

test("outputs and what changed in them do nothing", async () => {
  const page = await open(`/homework/runs/${written}`);
  await page.getByRole("region", { name: "Everything else" }).waitFor();
  for (let left = 3; left > 0; left--) await page.getByRole("button", { name: "Show what changed" }).nth(left).click();
  await page.locator("ins", { hasText: "alert(1)" }).first().waitFor();
  await expectInert(page);
});

test("the tree of documents, a document of all of them, and what is found in them do nothing", async () => {
  const page = await open(`/homework/runs/${written}/sources`);
  await page.getByRole("article").getByText("{{alert(1)}}").first().waitFor();
  await expectInert(page);
  await page.getByRole("switch", { name: "Show working notes" }).check({ force: true });
  await page.getByRole("treeitem", { name: "Scratchpad" }).first().click();
  await page
    .getByRole("article")
    .getByRole("heading", { name: /^Scratchpad/ })
    .waitFor();
  await expectInert(page);
  await page.getByRole("searchbox").fill("alert");
  await page.locator("mark").first().waitFor();
  await expectInert(page);
});

test("the report does nothing, on the screen and on paper", async () => {
  const page = await open(`/homework/runs/${written}`);
  await page.getByRole("article", { name: "Result" }).waitFor();
  await expectInert(page);
  await page.emulateMedia({ media: "print" });
  await expectInert(page);
});

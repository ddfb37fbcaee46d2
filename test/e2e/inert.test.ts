// What people write is shown as text and does nothing: no dialog, no request to elsewhere, nothing for the content
// security policy to stop (the browser helper fails a test for the last two).

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Entity, routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { fileServer } from "../helpers/file-server.ts";
import { ownerSession } from "../helpers/web-session.ts";

/** Would be asked for the reader's secret if anything here worked. */
const elsewhere = "http://localhost:9";

const payloads: readonly string[] = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//localhost:9/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  '"><script>alert(1)</script>',
  "'; alert(1); //",
  "{{alert(1)}} <%= alert(1) %>",
  "<img src=x onerror=alert(1)>",
  `<img src="${elsewhere}/pixel.png">`,
  `<img srcset="${elsewhere}/pixel.png 2x" src=x>`,
  `<picture><source srcset="${elsewhere}/pixel.png"><img></picture>`,
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  `<svg><image href="${elsewhere}/a.svg"/><use href="${elsewhere}/b.svg#x"/></svg>`,
  "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
  "<iframe src=javascript:alert(1)></iframe>",
  `<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>`,
  `<object data="${elsewhere}/o.swf"></object><embed src="${elsewhere}/e.swf">`,
  "<body onload=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  "<input autofocus onfocus=alert(1)>",
  `<style>@import "${elsewhere}/s.css"; * { background: url(${elsewhere}/b.png) }</style>`,
  `<div style="background: url(${elsewhere}/d.png); position: fixed; inset: 0">cover</div>`,
  `<link rel=stylesheet href="${elsewhere}/l.css"><link rel=prefetch href="${elsewhere}/p">`,
  `<base href="${elsewhere}/"><meta http-equiv=refresh content="0;url=${elsewhere}/">`,
  `<form action="${elsewhere}"><button formaction=javascript:alert(1)>Save</button></form>`,
  `<video src="${elsewhere}/v.mp4" autoplay poster="${elsewhere}/p.png"></video><audio src="${elsewhere}/a.mp3" autoplay>`,
  "[click](javascript:alert(1))",
  "[click](JaVaScRiPt:alert(1)) [click](\tjavascript:alert(1)) [click](java\nscript:alert(1))",
  "[click](&#106;avascript:alert(1)) [click](vbscript:msgbox(1))",
  "[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "<javascript:alert(1)> <data:text/html,x>",
  `![secret](${elsewhere}/leak.png?secret)`,
  `![secret][r]\n\n[r]: ${elsewhere}/leak.png "title"`,
  `[![secret](${elsewhere}/inner.png)](javascript:alert(1))`,
  `![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)`,
  `![x](//localhost:9/protocol-relative.png) ![x](\\\\localhost:9\\backslash.png)`,
  "[a]: javascript:alert(1)\n\n[a] ![a]",
  "`<img src=x onerror=alert(1)>` \n\n    <script>alert(1)</script>",
  "&lt;script&gt;alert(1)&lt;/script&gt; &#x3C;img src=x onerror=alert(1)&#x3E;",
  "| <img src=x onerror=alert(1)> | [x](javascript:alert(1)) |\n|---|---|\n| a[^1] | b |\n\n[^1]: <script>alert(1)</script>",
  "\u202Egnp.exe\u202C \u2066hidden\u2069 \u200B\u200Bzero width \uFEFF",
  `${"<b>".repeat(600)}deep${"</b>".repeat(100)}${">".repeat(500)} nested`,
  "W".repeat(4_000),
];

const server = await fileServer();
const { profile, api } = await ownerSession(server);
const owner = await (await testBrowser()).profile(server.url, profile);
const params = { projectId: (await api(routes.projects.create, { body: { name: payloads[0] ?? "" } })).id };
/** A title is one line; the same words are in every place. */
const asTitle = (payload: string) => payload.replaceAll(/\s+/g, " ");
const tasks: Entity[] = [];
for (const payload of payloads) {
  await api(routes.projects.create, { body: { name: asTitle(payload), description: payload } });
  const body = { title: asTitle(payload), description: payload, content: payload };
  tasks.push(await api(routes.task.create, { params, body }));
}
const document = await api(routes.document.create, {
  params,
  body: { title: asTitle(payloads.join(" ")).slice(0, 4_000), content: payloads.join("\n\n") },
});
for (const { id } of tasks)
  await api(routes.edges.create, { params, body: { src_id: document.id, rel: "relates_to", dst_id: id } });
await api(routes.document.update, {
  params: { ...params, entityId: document.id },
  body: { version: 1, content: payloads.join("\n\n---\n\n") },
});

/** Opened dialogs fail the test. */
async function open(path: string): Promise<Page> {
  const { page } = await owner.open();
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}
const dialogs: string[] = [];

/** Elements and addresses that only a payload could have brought. */
const brought = `JSON.stringify([
  ...document.querySelectorAll("main :is(script, iframe, object, embed, base, meta, link, video, audio, form form, math, svg image), main style:not([nonce])"),
  ...[...document.querySelectorAll("main *")].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on") || name === "srcdoc" || name === "formaction")),
  ...[...document.querySelectorAll("main [href], main [src]")].filter((element) =>
    !/^(https?:|#|\\/)/.test(element.getAttribute("href") ?? element.getAttribute("src") ?? "")),
].map((element) => element.outerHTML.slice(0, 200)))`;

async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate(brought)).toBe("[]");
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "scrolls sideways").toBe(true);
  expect(dialogs).toEqual([]);
}

/** Titles as the page shows them, in whatever order. */
async function shownTitles(page: Page, wanted: readonly string[]): Promise<readonly string[]> {
  const links = await page.getByRole("main").getByRole("link").allTextContents();
  return wanted.filter((title) => links.includes(title));
}

const titles = payloads.map(asTitle);

test("names of projects are shown as they were written", async () => {
  const page = await open("/projects");
  await page.getByRole("link", { name: "{{alert(1)}}" }).waitFor();
  expect(await shownTitles(page, titles)).toEqual(titles);
  await expectInert(page);
});

test("titles and descriptions of tasks are shown as they were written", async () => {
  const page = await open(`/projects/${params.projectId}/tasks`);
  await page.getByRole("link", { name: "{{alert(1)}}" }).waitFor();
  expect(await shownTitles(page, titles)).toEqual(titles);
  await expectInert(page);
});

test("titles in the history, and what things were before, are shown as they were written", async () => {
  const page = await open(`/projects/${params.projectId}/history`);
  await page.getByText("Show previous version").first().click();
  await page.getByText("<SCRIPT SRC=//localhost:9/x.js>").first().waitFor();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBeGreaterThan(50);
  await expectInert(page);
});

test("a document of all of them, and its links to things named like them, does nothing when read", async () => {
  const page = await open(`/projects/${params.projectId}/documents/${document.id}`);
  await page.getByRole("link", { name: "Image: secret" }).first().waitFor();
  await page.getByRole("link", { name: "{{alert(1)}}" }).waitFor();
  await expectInert(page);
  for (const link of await page.getByRole("article").getByText("click", { exact: true }).all()) await link.click();
  await page.getByRole("button", { name: /^History of this/ }).click();
  await page.getByText("Show previous version").waitFor();
  await expectInert(page);
});

test("a description typed into the page is saved and shown as it was written", async () => {
  const [task] = tasks;
  if (!task) throw new Error("there are no tasks");
  const page = await open(`/projects/${params.projectId}/tasks/${task.id}`);
  const typed = payloads.slice(0, 30).join("\n");
  await page.getByRole("textbox", { name: "Description" }).fill(typed);
  await page.keyboard.press("Control+s");
  await page.getByText("Everything is saved").waitFor();
  await page.reload();
  expect(await page.getByRole("textbox", { name: "Description" }).inputValue()).toBe(typed);
  await expectInert(page);
});

test.for(["/search?q=", "palette"])("what is found is shown as it was written (%s)", async (place) => {
  const words = "alert script click secret localhost".split(" ");
  const page = await open(place === "palette" ? "/projects" : "/search");
  if (place === "palette") await page.keyboard.press("Control+k");
  const field = page.getByRole(place === "palette" ? "textbox" : "searchbox", { name: /Search or|looking for/ });
  for (const word of words) {
    await field.fill(word);
    await page.locator("mark").filter({ hasText: word }).first().waitFor();
    await expectInert(page);
  }
});

// The browser helper is checked on pages that do one thing wrong each.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import { afterAll, expect, test } from "vitest";
import { expectNoSeriousAxe, neverSerious, testBrowser } from "./browser.ts";

const policy = "default-src 'self'; img-src data:; script-src 'nonce-abc'; connect-src 'self' http://localhost:*";
const pages: Readonly<Record<string, string>> = {
  "/good": `<h1>Hello</h1><script nonce="abc">document.body.append("!")</script>`,
  "/console": `<script nonce="abc">console.error("went wrong")</script>`,
  "/throws": `<script nonce="abc">throw new Error("went wrong")</script>`,
  "/inline": `<script>document.body.append("never")</script>`,
  "/foreign": `<script nonce="abc">fetch("http://localhost:9/").catch(() => {})</script>`,
  "/nameless-button": "<h1>Hello</h1><button></button>",
};

const server = createServer(({ url = "" }, response) => {
  const body = pages[url];
  response.writeHead(body ? 200 : 404, { "content-type": "text/html", "content-security-policy": policy });
  response.end(
    `<!doctype html><html lang="en"><title>Test</title><link rel="icon" href="data:,"><main>${body}</main></html>`,
  );
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = await testBrowser();

/** Opens the page and expects exactly these kinds of problems. */
async function check(address: string, ...expected: readonly RegExp[]): Promise<void> {
  const { page, problems, tolerate } = await browser.open(origin);
  await page.goto(address);
  await expect
    .poll(() => problems().filter((problem) => expected.some((pattern) => pattern.test(problem))).length)
    .toBe(expected.length);
  expect(problems().filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([]);
  for (const pattern of expected) tolerate(pattern);
}

test("a good page has no problems", () => check("/good"));
test("a console error is a problem", () => check("/console", /^console error: went wrong/));
test("an uncaught error is a problem", () => check("/throws", /^uncaught error: went wrong/));
test("a blocked script is a problem", () =>
  check("/inline", /^CSP violation: script-src-elem blocked inline/, /^console error: .*Content Security Policy/));
test("a foreign request is a problem", () =>
  check("/foreign", /^request to a foreign origin: http:..localhost:9/, /^console error: Failed to load/));
test("a missing page is a problem", () => check("/missing", /^console error: .*404/));

test("an accessible page passes axe under a strict policy", async () => {
  const { page } = await browser.open(origin);
  await page.goto("/good");
  await expectNoSeriousAxe(page);
});

test("a button without a name does not pass axe", async () => {
  const { page } = await browser.open(origin);
  await page.goto("/nameless-button");
  await expect(expectNoSeriousAxe(page)).rejects.toThrow(/button-name/);
});

test("what axe is not asked for is never serious", () => {
  const { rules } = (axe as unknown as { _audit: { rules: readonly { id: string; impact: string }[] } })._audit;
  const left = rules.filter(({ id }) => neverSerious.includes(id));
  expect(left.filter(({ impact }) => impact !== "minor" && impact !== "moderate")).toEqual([]);
  expect(left.length).toBe(neverSerious.length);
});

/** Leaves a cookie and a line of storage, and says what was there before. */
const leaveBehind = `[document.cookie, localStorage.length].join() + (document.cookie = localStorage.left = "left=behind").slice(0, 0)`;

test.for(["the first", "the next"])("%s test finds nothing of another in its profile", async () => {
  const { page } = await browser.open(origin);
  await page.goto("/good");
  expect(await page.evaluate(leaveBehind)).toBe(",0");
  // A second page of the same test is another person's.
  const { page: other } = await browser.open(origin);
  await other.goto("/good");
  expect(await other.evaluate(leaveBehind)).toBe(",0");
});

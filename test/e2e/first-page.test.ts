// What a browser with an empty cache fetches for the first page: counted, not timed.

import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { fileServer } from "../helpers/file-server.ts";
import { ownerSession } from "../helpers/web-session.ts";

const requestsMax = 15;
const scriptBytesMax = 250_000;

const server = await fileServer({ HOMEWORK_WORKER_CONCURRENCY: "0" });
const browser = await testBrowser();
const session = await ownerSession(server);
const { api } = server;

type Fetched = {
  readonly addresses: readonly string[];
  readonly encodings: readonly string[];
  readonly scriptBytes: number;
};

/** Everything until `isShown` is on the page and no request but the live stream is under way. */
async function fetchedBy(page: Page, isShown: () => Promise<unknown>): Promise<Fetched> {
  const addresses: string[] = [];
  const scripts: Promise<number>[] = [];
  const encodings = new Set<string>();
  const open = new Set<unknown>();
  const isStream = (address: string) => address.includes("/api/live");
  page.on("request", (request) => {
    addresses.push(`${request.method()} ${new URL(request.url()).pathname}`);
    if (!isStream(request.url())) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  page.on("response", (response) => {
    if (!response.url().endsWith(".js")) return;
    scripts.push(response.body().then((body) => gzipSync(body).length));
    encodings.add(response.headers()["content-encoding"] ?? "none");
  });
  const begun = page.waitForResponse((response) => isStream(response.url()));
  await page.goto("/homework");
  await isShown();
  await begun;
  await expect.poll(() => open.size).toBe(0);
  const sizes = await Promise.all(scripts);
  return { addresses, encodings: [...encodings], scriptBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function expectFew({ addresses, encodings, scriptBytes }: Fetched): void {
  expect(encodings, "scripts are sent compressed").toEqual([expect.stringMatching(/^(?:br|gzip)$/)]);
  expect(addresses.length, addresses.join("\n")).toBeLessThanOrEqual(requestsMax);
  expect(new Set(addresses).size, `something is asked for twice:\n${addresses.join("\n")}`).toBe(addresses.length);
  expect(scriptBytes).toBeLessThanOrEqual(scriptBytesMax);
  expect(scriptBytes).toBeGreaterThan(50_000);
}

test("the welcome of a new installation needs few requests and little JavaScript", async () => {
  const { page } = await browser.openCold(server.url, session.profile);
  const heading = page.getByRole("heading", { level: 1, name: "Hand over your first homework" });
  expectFew(await fetchedBy(page, () => heading.waitFor()));
});

test("home with runs needs no more, and no page that was not opened", async () => {
  const { id } = await api(routes.projects.create, { body: { name: "Garden" } });
  for (const objective of ["Plan the pond", "Choose the fish"])
    await api(routes.runs.create, { body: { objective, project_ids: [id] } });
  const { run_id: runId } = await api(routes.runs.create, { body: { objective: "Dig", project_ids: [id] } });
  await api(routes.runs.cancel, { params: { runId } });
  const { page } = await browser.openCold(server.url, session.profile);
  const fetched = await fetchedBy(page, () =>
    Promise.all(["Plan the pond", "Choose the fish", "Dig"].map((name) => page.getByRole("link", { name }).waitFor())),
  );
  expectFew(fetched);
  const scripts = fetched.addresses.filter((address) => address.endsWith(".js"));
  expect(scripts.filter((address) => /agents|outcomes|settings|entities|charts|markdown/.test(address))).toEqual([]);
  // One alphabet of the font of controls; results and their font are on other pages.
  const fonts = fetched.addresses.filter((address) => address.endsWith(".woff2"));
  expect(fonts).toEqual([expect.stringMatching(/inter-latin-wght-normal/)]);
});

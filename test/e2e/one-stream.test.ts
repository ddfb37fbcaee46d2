// One live connection per tab, whatever the page follows; and one that is cut in the middle loses nothing and doubles nothing.

import net from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { testBrowser } from "../helpers/browser.ts";
import { removeDataFolder, startServer, stopServer } from "../helpers/served.ts";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { ownerSession } from "../helpers/web-session.ts";

const data = copyUsedDataFolder();
const server = await startServer(data);
const wire = await openWire(Number(new URL(server.url).port));
afterAll(async () => {
  await wire.close();
  await stopServer(server);
  await removeDataFolder(data);
});
const { profile, api } = await ownerSession(server);
const owner = await (await testBrowser()).profile(wire.url, profile);
const { id: projectId } = await api(routes.projects.create, { body: { name: "Garden" } });
const makeTask = (title: string) => api(routes.task.create, { params: { projectId }, body: { title } });

/** Between the browser and the server, so that it can be cut. */
async function openWire(port: number) {
  const sockets = new Set<net.Socket>();
  const relay = net.createServer((near) => {
    const far = net.connect(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(relay.address() as net.AddressInfo).port}`,
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => relay.close(resolve));
    },
  };
}

/** Runs in the page before anything else: remembers every stream and what it said. */
const spy = `
  globalThis.streams = [];
  globalThis.told = [];
  globalThis.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      streams.push(this);
      for (const name of ["change", "feed_event", "run_event"])
        this.addEventListener(name, ({ data, lastEventId }) => told.push([data.split("\\n")[0], Number(lastEventId)]));
    }
  };
`;

async function open(path: string) {
  const { page, tolerate } = await owner.open();
  tolerate(
    /net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|CONNECTION_CLOSED)/,
  );
  tolerate(/ApiError: No answer/);
  await page.addInitScript(spy);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return { page, requested };
}

const openTopics = (page: Page) =>
  page.evaluate<readonly string[]>(
    `streams.filter(({ readyState }) => readyState !== 2).map(({ url }) => new URL(url).searchParams.get("topics"))`,
  );
const topicsOf = (text = "") =>
  text
    .split(",")
    .map((part) => part.split("@")[0])
    .toSorted();
/** The one that follows the project; before it there may be one that follows the feed alone. */
const isOpen = (page: Page) =>
  page
    .evaluate<boolean>(
      `streams.some(({ readyState, url }) => readyState === 1 && new URL(url).searchParams.get("topics").includes("project:"))`,
    )
    .catch(() => false);
const told = (page: Page) => page.evaluate<readonly (readonly [string, number])[]>("told");

test("a tab has one connection, whatever it follows and wherever one goes", async () => {
  const { page, requested } = await open(`/projects/${projectId}/tasks`);
  const projectAndFeed = ["feed", `project:${projectId}`];
  await expect.poll(async () => (await openTopics(page)).map(topicsOf)).toEqual([projectAndFeed]);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await expect.poll(async () => (await openTopics(page)).map(topicsOf)).toEqual([["feed"]]);
  await page.goBack();
  await expect.poll(async () => (await openTopics(page)).map(topicsOf)).toEqual([projectAndFeed]);
  await makeTask("Prune the roses");
  await page.getByRole("link", { name: "Prune the roses" }).waitFor();
  const streams = requested.filter((path) => path === "/api/live" || path.endsWith("/stream"));
  expect(new Set(streams)).toEqual(new Set(["/api/live"]));
  expect(streams.length).toBeLessThanOrEqual(4);
});

test("a connection that is cut again and again loses nothing and doubles nothing", async () => {
  const { page } = await open(`/projects/${projectId}/tasks`);
  await expect.poll(() => isOpen(page)).toBe(true);
  await makeTask("The first");
  await page.getByRole("link", { name: "The first" }).waitFor();
  for (let n = 0; n < 4; n++) {
    wire.cut();
    for (let task = 0; task < 5; task++) await makeTask(`Task ${n}-${task}`);
    await expect.poll(() => isOpen(page)).toBe(true);
    for (let task = 5; task < 10; task++) await makeTask(`Task ${n}-${task}`);
  }
  await page.getByRole("link", { name: "Task 3-9", exact: true }).waitFor();
  const ofProject = async () => (await told(page)).filter(([topic]) => topic?.startsWith("project:"));
  await expect.poll(async () => (await ofProject()).length).toBeGreaterThanOrEqual(41);
  const seqs = (await ofProject()).map(([, seq]) => seq);
  const [first = 0] = seqs;
  expect(seqs).toEqual(Array.from({ length: 41 }, (_, n) => first + n));
  expect((await openTopics(page)).length).toBe(1);
  for (const title of ["The first", "Task 0-0", "Task 1-4", "Task 2-9"])
    expect(await page.getByRole("link", { name: title, exact: true }).count()).toBe(1);
});

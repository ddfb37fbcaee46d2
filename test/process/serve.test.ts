// A real server process on its own data folder: how it starts, stops, and lives through a database that goes away.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { inspectEmbedded } from "../../src/db/embedded/inspect-embedded.ts";
import { realEnv } from "../../src/main/env.ts";
import { routes } from "../../src/protocol/api.ts";
import { ApiError } from "../../src/protocol/api-error.ts";
import { createFollow } from "../../src/protocol/follow.ts";
import { patienceMs } from "../helpers/patience.ts";
import { makeDataFolder, removeDataFolder, type Served, startServer, stopServer } from "../helpers/served.ts";

const launcher = fileURLToPath(new URL("../../bin/homework.js", import.meta.url));
const data = makeDataFolder();
const env = { PATH: process.env.PATH, HOME: data, HOMEWORK_DATA: data, HOMEWORK_FIND_LOCAL_MODELS: "false" };
let server: Served;

beforeAll(async () => {
  server = await startServer(data);
});

afterAll(async () => {
  await stopServer(server);
  await removeDataFolder(data);
});

/** A command of ours, to its end. */
function homework(...args: readonly string[]) {
  const ran = spawnSync(process.execPath, [launcher, ...args], { env, encoding: "utf8", timeout: patienceMs });
  return { code: ran.status, out: ran.stdout, words: ran.stderr };
}

// Elsewhere the C library has no such setting.
test.runIf(process.platform === "linux")(
  "a server begins with few heaps of the C library, and large blocks go back",
  () => {
    const environment = readFileSync(`/proc/${server.child.pid}/environ`, "utf8").split("\0");
    expect(environment).toEqual(expect.arrayContaining(["MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=16384"]));
  },
);

test("a second server on the same folder says where the first one is", () => {
  const { code, words, out } = homework("serve");
  expect(code).toBe(0);
  expect(`${words}${out}`).toContain(`already runs on this data folder, at ${server.url}`);
  expect(`${words}${out}`).toMatch(/\/auth\/once\?token=\w+/);
});

test("commands talk to the server that runs", async () => {
  const made = homework("project", "create", "From the command line", "--json");
  expect(made.code).toBe(0);
  const { id } = JSON.parse(made.out) as { id: string };
  expect(await server.api(routes.projects.get, { params: { projectId: id } })).toMatchObject({
    name: "From the command line",
  });
});

test("the login link signs in once", async () => {
  const [link = ""] = /http\S+\/auth\/once\?token=\w+/.exec(server.words()) ?? [];
  const first = await fetch(link, { redirect: "manual" });
  const second = await fetch(link, { redirect: "manual" });
  expect([first.status, first.headers.get("location")]).toEqual([303, "/"]);
  expect([second.status, second.headers.get("location")]).toEqual([303, "/sign-in?error=link_expired"]);
  expect(second.headers.getSetCookie()).toEqual([]);
});

test("anything but loopback without accounts is refused, with every problem in one message", () => {
  const { code, words } = homework("serve", "--host", "0.0.0.0", "--set", "log_level=loud");
  expect(code).toBe(2);
  expect(words).toContain("accounts");
  expect(words).toContain("log_level");
});

test("a database that is killed is started again, and requests meanwhile are told to come later", async () => {
  const found = inspectEmbedded(data).server;
  if (found.state !== "running") throw new Error(`the database is ${found.state}`);
  process.kill(found.process.pid, "SIGKILL");
  const answers = new Set<number>();
  await expect
    .poll(
      async () => {
        const answer = await server.api(routes.projects.list, { query: {} }).then(
          () => 200,
          (error: ApiError) => error.status,
        );
        answers.add(answer);
        return answer;
      },
      { interval: 100 },
    )
    .toBe(200);
  expect([...answers].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(server.child.exitCode).toBeNull();
  await expect.poll(() => inspectEmbedded(data).server.state).toBe("running");
});

test("SIGTERM ends streams cleanly and drains", async () => {
  const own = makeDataFolder();
  const other = await startServer(own);
  onTestFinished(async () => {
    await stopServer(other);
    await removeDataFolder(own);
  });
  const { id: projectId } = await other.api(routes.projects.create, { body: { name: "Streamed" } });
  const response = await fetch(`${other.url}/api/projects/${projectId}/stream`, {
    headers: { authorization: `Bearer ${other.key}` },
  });
  const text = response.text(); // Rejects if the stream is cut instead of ended.
  await stopServer(other);
  expect(await text).toMatch(/^retry: /);
  expect(other.child.exitCode).toBe(0);
  expect(inspectEmbedded(own).server.state).not.toBe("running");
});

test("a stream followed across a restart of the server has every change once", async () => {
  const { id: projectId } = await server.api(routes.projects.create, { body: { name: "Followed" } });
  const stop = new AbortController();
  const follow = createFollow(server.apiOptions, realEnv);
  const seen: number[] = [];
  const following = (async () => {
    for await (const { seq } of follow(
      routes.projects.stream,
      { params: { projectId }, query: {} },
      { after: 0, signal: stop.signal },
    )) {
      seen.push(seq);
    }
  })();
  following.catch(() => {}); // Looked at below.
  const write = (title: string) => server.api(routes.task.create, { params: { projectId }, body: { title } });
  for (let n = 0; n < 5; n++) await write(`before ${n}`);
  await expect.poll(() => seen.length).toBe(6);
  const port = Number(new URL(server.url).port);
  await stopServer(server);
  server = await startServer(data, { port });
  for (let n = 0; n < 5; n++) await write(`after ${n}`);
  // The key of the first start is gone with it: the stream is refused, and says so. One that came back in the moment before
  // is ended when its key is looked at again; it may have seen some of the new ones.
  await expect(following).rejects.toBeInstanceOf(ApiError);
  stop.abort();
  const wanted = Array.from({ length: 11 }, (_, n) => n + 1);
  const again: number[] = [];
  const second = new AbortController();
  if (seen.length === wanted.length) second.abort();
  const options = { after: seen.at(-1) ?? 0, signal: second.signal };
  for await (const { seq } of createFollow(server.apiOptions, realEnv)(
    routes.projects.stream,
    { params: { projectId }, query: {} },
    options,
  )) {
    again.push(seq);
    if (seen.length + again.length === wanted.length) second.abort();
  }
  expect([...seen, ...again]).toEqual(wanted);
});

// A clone in which nothing was built: `homework serve` and `run-agent serve` build its pages and serve them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeClone } from "../helpers/clone.ts";
import { patienceMs } from "../helpers/patience.ts";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../helpers/served.ts";

test("a clone without a build builds its pages at the first start, and says so", async () => {
  const clone = makeClone();
  const data = makeDataFolder();
  onTestFinished(async () => {
    rmSync(clone, { recursive: true, force: true });
    await removeDataFolder(data);
  });
  const first = await startServer(data, { launcher: path.join(clone, "bin", "homework.js") });
  expect(first.words()).toContain("Building the web pages, once…");
  expect(await (await fetch(`${first.url}/sign-in`)).text()).toMatch(/\/assets\/index-[\w-]+\.js/);
  await stopServer(first);
  const second = await startServer(data, { launcher: path.join(clone, "bin", "homework.js") });
  expect(second.words()).not.toContain("Building the web pages");
  await stopServer(second);
});

test("run-agent serve builds them, too", async () => {
  const clone = makeClone();
  const root = mkdtempSync(path.join(tmpdir(), "run-agent-"));
  const env = { PATH: process.env.PATH, HOME: root };
  const args = [path.join(clone, "bin", "run-agent.js"), "--root", root, "serve", "--port", "0"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit");
    for (const folder of [clone, root]) rmSync(folder, { recursive: true, force: true });
  });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words += chunk.toString();
  });
  await expect.poll(() => /http:\S+/.exec(words)?.[0], { timeout: patienceMs }).toBeDefined();
  expect(words).toContain("Building the web pages, once…");
  const address = /http:\S+/.exec(words)?.[0] ?? "";
  expect(await (await fetch(address)).text()).toMatch(/\/assets\/index-[\w-]+\.js/);
});

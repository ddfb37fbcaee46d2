// A clone in which nothing was built: `homework serve` and `run-agent serve` build its pages and serve them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { patienceMs } from "../helpers/patience.ts";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../helpers/served.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** What git has of the program, with the packages of this one. */
function cloneWithoutBuild(): string {
  const clone = mkdtempSync(path.join(tmpdir(), "homework-clone-"));
  const isLeftOut = (file: string) => /[\\/](node_modules|dist)$/.test(file);
  for (const name of ["bin", "src", "web", "package.json", "tsconfig.json"])
    cpSync(path.join(home, name), path.join(clone, name), { recursive: true, filter: (file) => !isLeftOut(file) });
  for (const name of ["node_modules", "web/node_modules"]) symlinkSync(path.join(home, name), path.join(clone, name));
  return clone;
}

test("a clone without a build builds its pages at the first start, and says so", async () => {
  const clone = cloneWithoutBuild();
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
  const clone = cloneWithoutBuild();
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

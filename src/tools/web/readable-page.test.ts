import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { patienceMs } from "../../../test/helpers/patience.ts";
import { realEnv } from "../../main/env.ts";
import { openKilledPages } from "./killed-pages.ts";
import { helperMemoryMb, openPageReader, type PageReader } from "./readable-page.ts";

const url = "https://a.example/";
const folder = mkdtempSync(path.join(os.tmpdir(), "killed-pages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const open: PageReader[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((reader) => reader.close()));
});

function openReader(limits = {}, killedIn: string | null = null): PageReader {
  const reader = openPageReader(
    { parseMs: 60_000, memoryMb: helperMemoryMb, ...limits },
    openKilledPages(killedIn, realEnv.now),
  );
  open.push(reader);
  return reader;
}

const good = "<p>good words</p>";
const isGood = { kind: "page", page: { text: "good words", isParsed: true } };
/** Honest markup that takes a second of a processor and more memory than a small helper has. */
const heavy = "<p>one <b>two</b> <a href=x>three</a></p>".repeat(2_400);

const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

describe("pages are taken apart by a process of their own", () => {
  test("which is started once and kept for the next page", async () => {
    const reader = openReader();
    expect(reader.pids()).toEqual([]);
    expect(await reader.read(good, url)).toMatchObject(isGood);
    const [pid] = reader.pids();
    expect(await reader.read(good, url)).toMatchObject(isGood);
    expect(reader.pids()).toEqual([pid]);
    expect(pid).not.toBe(process.pid);
  });

  test("which knows nothing of our environment and may start and write nothing", async () => {
    const reader = openReader();
    await reader.read(good, url);
    const [pid = 0] = reader.pids();
    const names = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((entry) => entry.split("=")[0]);
    expect(names.filter((name) => name && !/^NODE_(?:CHANNEL|V8_COVERAGE|UNIQUE)/.test(name))).toEqual([]);
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("--permission");
  });

  test("and at most two at once, however many are asked for", async () => {
    const reader = openReader();
    const answers = await Promise.all(Array.from({ length: 12 }, () => reader.read(good, url)));
    expect(answers).toEqual(Array(12).fill(answers[0]));
    expect(answers[0]).toMatchObject(isGood);
    expect(reader.pids().length).toBeLessThanOrEqual(2);
  });
});

describe("a page that is too much for its helper", () => {
  test.each([
    ["that needs too much memory", { memoryMb: 24 }],
    ["that needs too much time", { parseMs: 1 }],
  ])("%s is refused, and the next page gets another helper", async (_, limits) => {
    const reader = openReader(limits, folder);
    expect(await reader.read(heavy, url)).toEqual({ kind: "killer" });
    expect(reader.pids()).toEqual([]);
    expect((await openReader().read(good, url)).kind).toBe("page");
    rmSync(folder, { recursive: true });
  });

  test("is not tried again, not even after a restart", async () => {
    expect(await openReader({ parseMs: 1 }, folder).read(heavy, url)).toEqual({ kind: "killer" });
    const later = openReader({}, folder);
    expect(await later.read(heavy, url)).toEqual({ kind: "killer" });
    expect(later.pids()).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.each([null, folder])("is tried again after a week (remembered in %s)", (kept) => {
    let now: number = realEnv.now();
    const killed = openKilledPages(kept, () => now);
    killed.add(heavy);
    now += 6 * 24 * 3_600_000;
    expect([killed.has(heavy), killed.has(good)]).toEqual([true, false]);
    now += 2 * 24 * 3_600_000;
    expect(killed.has(heavy)).toBe(false);
  });
});

describe("a helper that is taken away while it works", () => {
  test("by the system says nothing about its page", async () => {
    const reader = openReader();
    await reader.read(good, url);
    const [pid = 0] = reader.pids();
    process.kill(pid, "SIGSTOP"); // so that it cannot have finished
    const reading = reader.read(heavy, url);
    process.kill(pid, "SIGKILL");
    expect(await reading).toEqual({ kind: "busy" });
    expect(await reader.read(good, url)).toMatchObject(isGood);
    expect(reader.pids()).not.toContain(pid);
    expect((await reader.read(heavy, url)).kind).toBe("page");
  });

  test("by standing still is ended when its time is up", async () => {
    const reader = openReader({ clockMs: 250 });
    await reader.read(good, url);
    const [pid = 0] = reader.pids();
    process.kill(pid, "SIGSTOP");
    expect(await reader.read("<p>other words</p>", url)).toEqual({ kind: "busy" });
    expect(isAlive(pid)).toBe(false);
  });

  test("with the server that closes leaves no mark on its page", async () => {
    const reader = openReader({}, path.join(folder, "closing"));
    await reader.read(good, url);
    const [pid = 0] = reader.pids();
    process.kill(pid, "SIGSTOP");
    const reading = reader.read(heavy, url);
    await reader.close();
    expect(await reading).toEqual({ kind: "busy" });
    expect(existsSync(path.join(folder, "closing"))).toBe(false);
    expect(await reader.read(good, url)).toEqual({ kind: "busy" });
  });
});

const imports = ["openPageReader } from './readable-page.ts", "openKilledPages } from './killed-pages.ts"]
  .map((line) => line.replace("./", `${fileURLToPath(new URL(".", import.meta.url))}`))
  .map((line) => `import { ${line}';`)
  .join("\n");
const program = `
  ${imports}
  const reader = openPageReader({ parseMs: 60_000, memoryMb: 256 }, openKilledPages(null, () => 0));
  await reader.read("<p>words</p>", "https://a.example/");
  console.log(reader.pids()[0]);
  if (process.argv[1] === "stays") setInterval(() => {}, 1_000);
`;
const startProgram = (...args: readonly string[]) =>
  spawn(process.execPath, ["--input-type=module", "-e", program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
const hearPid = (parent: ReturnType<typeof startProgram>) =>
  new Promise<number>((resolve) => parent.stdout?.once("data", (text) => resolve(Number(text))));
const expectDead = (pid: number) =>
  vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: patienceMs, interval: 20 });

test("a parent that is killed takes its helper along", async () => {
  const parent = startProgram("stays");
  const pid = await hearPid(parent);
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expectDead(pid);
});

test("a program that forgets to close its reader ends all the same, and its helper with it", async () => {
  const parent = startProgram();
  const ended = once(parent, "exit");
  const pid = await hearPid(parent);
  expect(await ended).toEqual([0, null]);
  await expectDead(pid);
});

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { findFaults, startWriters } from "../../../test/helpers/bus-writers.ts";
import { makeFolder, makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { withLock } from "../../files/lock.ts";
import { realEnv } from "../../main/env.ts";
import { openProject } from "../layout/runner-root.ts";
import { bodyMaxBytes, openBus } from "./bus.ts";
import { discoverBus } from "./discover-bus.ts";
import { makeFilter } from "./filter-entries.ts";
import { followBus, readBody, readBus, tailBus, waitForEntries } from "./read-bus.ts";

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
  removeFolders();
});

function begin(root = makeRoot()) {
  const task = makeTask(root);
  const bus = openBus(root, task);
  const say = (body: string, type = "INFO") => bus.post({ type, body });
  const texts = (since?: Parameters<typeof readBus>[1]) => readBus(bus, since).entries.map(({ body }) => body);
  return { root, task, bus, say, texts };
}

function signal(): AbortSignal {
  const stop = new AbortController();
  stops.push(stop);
  return stop.signal;
}

test("what is posted is read, with the ids of its place", async () => {
  const { bus, task, say } = begin();
  const first = await say("hello");
  const issue = await bus.post({ type: "ISSUE", body: "", run_id: "r1", parents: [first.msg_id], meta: { a: "b" } });
  expect(first.msg_id).toMatch(/^MSG-\d{8}-\d{6}-\d{9}-PID\d{5}-\d{4}$/);
  expect(readBus(bus)).toEqual({ entries: [first, issue], damages: [] });
  expect(issue).toMatchObject({
    issue_id: issue.msg_id,
    project_id: "garden",
    task_id: task.taskId,
    parents: [{ msg_id: first.msg_id, kind: "reply" }],
  });
});

test("a bus that is not there yet is empty", () => {
  const { bus } = begin();
  expect([readBus(bus), tailBus(bus, 5)]).toEqual([
    { entries: [], damages: [] },
    { entries: [], damages: [] },
  ]);
});

test("many processes lose nothing, mix up nothing, keep their order, and a reader meanwhile sees whole messages only", async () => {
  const { root, task, bus } = begin();
  const order = { folder: root.folder, taskId: task.taskId, count: 50, how: "awaited" as const, flush: false };
  const writers = await startWriters(6);
  const seen: ReturnType<typeof readBus>[] = [];
  const looking = new AbortController();
  const look = async () => {
    while (!looking.signal.aborted) {
      seen.push(readBus(bus));
      await realEnv.sleep(5);
    }
  };
  const reader = look();
  await writers.write(order).finally(writers.end);
  looking.abort();
  await reader;
  const { entries, damages } = readBus(bus);
  const isBeginning = (read: ReturnType<typeof readBus>) =>
    read.damages.length === 0 && read.entries.every(({ msg_id: id }, at) => id === entries[at]?.msg_id);
  expect(seen.filter((read) => !isBeginning(read))).toEqual([]);
  expect([findFaults(entries, 6, 50), damages]).toEqual([[], []]);
});

test("a body of 64 kB stays on the bus, a longer one is attached", async () => {
  const { bus, say, task } = begin();
  const longest = "ä".repeat(bodyMaxBytes / 2);
  expect(await say(longest)).toMatchObject({ body: longest, attachment_path: "" });
  const long = await say(`${longest}\n---\nend`);
  expect(long.attachment_path).toMatch(/^ATTACH-\d{8}-\d{10}-info\.txt$/);
  expect(long.body.length).toBeLessThan(2_000);
  const [, read] = readBus(bus).entries;
  expect(read && readBody(bus, read)).toEqual({ kind: "text", text: `${longest}\n---\nend` });
  expect(readdirSync(task.path)).toContain(long.attachment_path);
});

test.each(["../TASK.md", "/etc/hostname", "TASK.md"])(
  "an attachment that a message names is not read outside of its kind: %s",
  (name) => {
    const { bus } = begin();
    writeFileSync(bus.file, `---\nmsg_id: MSG-1\ntype: INFO\nproject_id: p\nattachment_path: ${name}\n---\nx\n`);
    const [entry] = readBus(bus).entries;
    expect(entry && readBody(bus, entry)).toMatchObject({ kind: "unreadable" });
  },
);

test.each([
  ["a type in small letters", { type: "info", body: "" }],
  ["no type", { type: "", body: "" }],
  ["a type of two lines", { type: "A\nB", body: "" }],
  ["half of a character", { type: "INFO", body: "\ud800" }],
  ["a header that is too long", { type: "INFO", body: "", meta: { a: "x".repeat(40_000) } }],
])("%s is refused, and the others go on", async (_what, message) => {
  const { bus, say, texts } = begin();
  await expect(bus.post(message)).rejects.toMatchObject({ name: "AppError" });
  await say("next");
  expect(texts()).toEqual(["next"]);
});

test.each([0, 1, 3, 20, 60, 150, 170])("a message cut off after %i bytes is sealed by the next one", async (length) => {
  const { bus, say, texts } = begin();
  await say("whole");
  const { size } = statSync(bus.file);
  await say("this one is cut off by a power failure");
  truncateSync(bus.file, size + length);
  const other = openBus(bus.root, bus.place);
  await other.post({ type: "INFO", body: "next" });
  expect(texts()).toEqual(["whole", "next"]);
  expect(readBus(bus).damages.length).toBe(length === 0 ? 0 : 1);
});

test("what others write there by hand stays, and is read as far as it can be", async () => {
  const { bus, say, texts } = begin();
  await say("first");
  appendFileSync(bus.file, "[2026-11-16] FACT: from a shell\nand more");
  await say("second");
  expect(texts()).toEqual(["first", "from a shell", "second"]);
  expect(readFileSync(bus.file, "utf8")).toContain("and more");
});

test("a binary file is reported, and written behind", async () => {
  const { bus, say, texts } = begin();
  writeFileSync(bus.file, Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, n) => (n * 7919) % 256)));
  expect(readBus(bus).entries).toEqual([]);
  await say("behind it");
  expect(texts()).toEqual(["behind it"]);
  expect(readBus(bus).damages.length).toBeGreaterThan(0);
  expect(tailBus(bus, 3).entries.map(({ body }) => body)).toEqual(["behind it"]);
});

test("a bus that is a link or a folder is refused", async () => {
  const { bus, say, task } = begin();
  symlinkSync(path.join(makeFolder(), "elsewhere"), bus.file);
  await expect(say("x")).rejects.toThrow("it is a link");
  expect(() => readBus(bus)).toThrow("it is a link");
  const project = openBus(bus.root, openProject(bus.root, "garden"));
  mkdirSync(project.file);
  await expect(project.post({ type: "INFO", body: "x" })).rejects.toThrow("it is a folder");
  expect(readdirSync(task.path)).toContain("TASK-MESSAGE-BUS.md");
});

test("runner-013: a lock that stays held is an error that says how often it was tried", async () => {
  const { root, task, bus } = begin();
  const folder = `${bus.file}.lock`;
  await withLock({ folder, self: root.self, env: realEnv, waitMs: 0, whileHeld: "holds" }, async () => {
    const impatient = openBus(root, task, { lockWaitMs: 5 });
    await expect(impatient.post({ type: "INFO", body: "x" })).rejects.toMatchObject({
      code: "database_unavailable",
      details: { attempts: 3, holder: process.pid },
    });
  });
  expect((await bus.post({ type: "INFO", body: "later" })).body).toBe("later");
});

test("messages posted at the same time keep their order", async () => {
  const { say, texts } = begin();
  const bodies = Array.from({ length: 600 }, (_, n) => String(n));
  await Promise.all(bodies.map((body) => say(body)));
  expect(texts()).toEqual(bodies);
});

test("reading on after an id, and after a time", async () => {
  const { bus, say, texts } = begin();
  const first = await say("first");
  await realEnv.sleep(5);
  const second = await say("second");
  expect(texts({ id: first.msg_id })).toEqual(["second"]);
  expect(texts({ id: second.msg_id })).toEqual([]);
  expect(texts({ ts: first.ts })).toEqual(["second"]);
  expect(() => readBus(bus, { id: "MSG-unknown" })).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
  expect(() => readBus(bus, { ts: "yesterday" })).toThrow("is not a time");
});

test("the last messages of a large file are read from its end", async () => {
  const { bus, say } = begin();
  await say("first");
  const block = readFileSync(bus.file, "utf8");
  const filler = block.repeat(2_000);
  for (let n = 0; n < 60; n++) appendFileSync(bus.file, filler);
  // A body with the look of a message, and larger than the first window.
  const tricky = `${"---\nmsg_id: MSG-1\ntype: X\nproject_id: p\n---\nno\n".repeat(300)}`;
  await say(tricky);
  const last = await say("last");
  expect(statSync(bus.file).size).toBeGreaterThan(20_000_000);
  expect(tailBus(bus, 2).entries.map(({ body }) => body)).toEqual([tricky, "last"]);
  expect(tailBus(bus, 1).entries).toEqual([last]);
  expect(tailBus(bus, 0).entries).toEqual([]);
});

test("rotation keeps what is under way: followers go on, cursors stay good", async () => {
  const { bus, say, texts, task } = begin();
  const first = await say("1");
  const seen: string[] = [];
  const stop = signal();
  const follower = (async () => {
    for await (const { entries } of followBus(bus, { since: "start", signal: stop, everyMs: 20 })) {
      seen.push(...entries.map(({ body }) => body));
      if (seen.length === 5) return;
    }
  })();
  await expect.poll(() => seen).toEqual(["1"]);
  expect(await bus.rotate(1_000_000)).toBeNull();
  await say("2");
  expect(await bus.rotate(10)).toMatch(/TASK-MESSAGE-BUS\.md\.\d{8}-\d{10}\.archived$/);
  await say("3");
  await bus.rotate(10);
  await say("4");
  await say("5");
  await follower;
  expect(seen).toEqual(["1", "2", "3", "4", "5"]);
  expect(texts({ id: first.msg_id })).toEqual(["2", "3", "4", "5"]);
  expect(readdirSync(task.path).filter((name) => name.endsWith(".archived")).length).toBe(2);
});

test("ids go on after a rotation although the clock was set back", async () => {
  let now = 1_794_830_400_000_000_000n;
  const { bus, say } = begin(makeRoot({ nanos: () => now }));
  const first = await say("1");
  await bus.rotate(10);
  now -= 3_600_000_000_000n;
  expect((await say("2")).msg_id > first.msg_id).toBe(true);
});

test("waiting ends with the first message that is wanted, or with the signal", async () => {
  const { bus, say } = begin();
  const before = await say("before");
  const waiting = waitForEntries(bus, { since: { id: before.msg_id }, signal: signal() }, makeFilter("ANSWER"));
  await say("no answer");
  const answer = await say("yes", "ANSWER");
  expect((await waiting).entries).toEqual([answer]);
  const end = waitForEntries(bus, { since: "end", signal: AbortSignal.timeout(30), everyMs: 5 }, () => true);
  expect((await end).entries).toEqual([]);
});

test("whoever follows from the end hears only what comes", async () => {
  const { bus, say } = begin();
  await say("old");
  const waiting = waitForEntries(bus, { since: "end", signal: signal(), everyMs: 20 }, () => true);
  const next = await say("new");
  expect((await waiting).entries).toEqual([next]);
});

test("a filter is a list of types or an expression", async () => {
  const { bus, say } = begin();
  await say("one", "RUN_START");
  await say("two", "QUESTION");
  const kept = (filter: string) =>
    readBus(bus)
      .entries.filter(makeFilter(filter))
      .map(({ body }) => body);
  expect(kept("question, answer")).toEqual(["two"]);
  expect(kept("RUN_*")).toEqual(["one"]);
  expect(kept("")).toEqual(["one", "two"]);
  expect(kept("^(RUN|QUES).*: t")).toEqual(["two"]);
  expect(() => kept("(")).toThrow("neither a list of types nor a regular expression");
});

test("an expression that would never end is given up", async () => {
  const { bus, say } = begin();
  await say(`${"a".repeat(60)}!`);
  expect(() => readBus(bus).entries.filter(makeFilter("(a+)+$"))).toThrow("takes too long");
});

test("a bus is found upwards, the task's before the project's", async () => {
  const { root, task, say } = begin();
  const project = openBus(root, openProject(root, "garden"));
  await project.post({ type: "INFO", body: "x" });
  const inside = path.join(task.path, "runs", "a");
  mkdirSync(inside, { recursive: true });
  expect(discoverBus(inside)).toEqual({ scope: "project", file: project.file });
  await say("x");
  expect(discoverBus(inside)).toEqual({ scope: "task", file: path.join(task.path, "TASK-MESSAGE-BUS.md") });
  const plain = makeFolder();
  writeFileSync(path.join(plain, "MESSAGE-BUS.md"), "");
  symlinkSync("/etc/hostname", path.join(plain, "TASK-MESSAGE-BUS.md"));
  expect(discoverBus(plain)).toEqual({ scope: "plain", file: path.join(plain, "MESSAGE-BUS.md") });
  expect(discoverBus(path.parse(plain).root)).toBeNull();
});

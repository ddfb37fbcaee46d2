import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { makeRoot, makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { thisProcess } from "../../files/process-identity.ts";
import type { Instant } from "../../lib/env.ts";
import { realEnv } from "../../main/env.ts";
import { type Liveness, probeRun, reconcileRun } from "./reconcile-run.ts";
import { createRunInfo, endRun, readRunInfo, updateRunInfo } from "./run-info.ts";
import { createRun, inRun, type RunnerRoot } from "./runner-root.ts";
import { type TreeDisk, treeDisk } from "./tree-disk.ts";

afterEach(removeFolders);

function begin(root = makeRoot()) {
  const task = makeTask(root);
  const run = makeRun(root, task);
  const file = inRun(run, "info");
  const edit = (change: (text: string) => string) => writeFileSync(file, change(readFileSync(file, "utf8")));
  return { root, task, run, file, edit, read: () => readRunInfo(root, run) };
}

test("a new run is running, with everything that its folder tells", () => {
  const { task, run, file, read } = begin();
  expect(parse(readFileSync(file, "utf8"))).toMatchObject({
    version: 1,
    run_id: run.runId,
    task_id: task.taskId,
    project_id: "garden",
    parent_run_id: "",
    previous_run_id: "",
    agent: "command",
    status: "running",
    exit_code: -1,
    end_time: "",
    stdout_path: path.join(run.path, "agent-stdout.txt"),
  });
  expect(read()).toEqual(run.info);
});

test("files that the record names must be there", () => {
  const root = makeRoot();
  const task = makeTask(root);
  const given = { agent: "command", pid: 1, pgid: 1, cwd: task.path };
  expect(() => createRunInfo(root, createRun(root, task), given)).toThrow("is missing");
  expect(() => makeRun(root, task, { cwd: "relative" })).toThrow("must be an absolute path");
  expect(() => makeRun(root, task, { cwd: `${task.path}/../x` })).toThrow("must be an absolute path");
});

test("the end of a run is written once", async () => {
  const { root, run, read } = begin();
  const usage = { input_tokens: 1, cache_read_tokens: 2, cache_write_tokens: 3, output_tokens: 4, reasoning_tokens: 5 };
  await endRun(root, run, { exitCode: 0, isSuccess: true, usage, cost_usd: 0.25 });
  await endRun(root, run, { exitCode: 1, isSuccess: false, error_summary: "late" });
  expect(read()).toMatchObject({ status: "completed", exit_code: 0, usage, cost_usd: 0.25 });
  expect(read()).not.toHaveProperty("error_summary");
});

test("a run does not end before it began, although the clock was set back", async () => {
  let now = realEnv.now();
  const { root, run } = begin(makeRoot({ env: { ...realEnv, now: () => now } }));
  now = (now - 3_600_000) as Instant;
  expect(await endRun(root, run, { exitCode: 0, isSuccess: true })).toMatchObject({ end_time: run.info.start_time });
});

test("keys of others are ignored, and still there after a change", async () => {
  const { root, run, file, edit, read } = begin();
  edit((text) => `${text}later_key: 7\nagent_version: [1, 2]\n`);
  expect(read()).toMatchObject({ status: "running" });
  await endRun(root, run, { exitCode: 2, isSuccess: false });
  expect(parse(readFileSync(file, "utf8"))).toMatchObject({ later_key: 7, status: "failed", exit_code: 2 });
});

test.each([
  ["missing", (file: string) => rmSync(file), "is missing"],
  ["torn in the middle", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 60)), "is incomplete"],
  ["empty", (file: string) => writeFileSync(file, ""), "is torn or not YAML"],
  ["binary", (file: string) => writeFileSync(file, Buffer.from([0, 255, 3, 128])), "is not valid UTF-8"],
  ["a list", (file: string) => writeFileSync(file, "- a\n"), "is torn or not YAML"],
  ["aliases that blow up", (file: string) => writeFileSync(file, "a: &a [1]\nb: [*a, *a]\n"), "is torn or not YAML"],
  ["of a later version", (file: string) => rewrite(file, "version: 1", "version: 2"), "has version 2"],
  ["of another run", (file: string) => rewrite(file, /run_id: 2\S+/, "run_id: 20200101-0000000000-1"), "another run"],
  ["a link", replaceByLink, "links are not followed"],
])("a record that is %s makes the run unknown, and is not written over", async (_what, spoil, why) => {
  const { root, run, task, file, read } = begin();
  spoil(file);
  const text = describeFile(file);
  expect(read()).toEqual({
    status: "unknown",
    run_id: run.runId,
    task_id: task.taskId,
    project_id: "garden",
    cause: expect.any(String),
    why: expect.stringContaining(why),
  });
  expect(await endRun(root, run, { exitCode: 0, isSuccess: true })).toMatchObject({ status: "unknown" });
  expect(describeFile(file)).toEqual(text);
});

function replaceByLink(file: string): void {
  rmSync(file);
  symlinkSync("/etc/hostname", file);
}

function rewrite(file: string, from: string | RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
}

function describeFile(file: string): string | null {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return null;
  }
}

test("older records without a status, and the zero time of Go, are read", async () => {
  const { edit, read } = begin();
  edit((text) => text.replace(/status: running\n/, "").replace('end_time: ""', "end_time: 0001-01-01T00:00:00Z"));
  expect(read()).toMatchObject({ status: "running" });
  edit((text) => text.replace("0001-01-01T00:00:00Z", "2030-01-01T00:00:00Z").replace("exit_code: -1", "exit_code: 0"));
  expect(read()).toMatchObject({ status: "completed" });
});

test("an agent that deletes the folder of its own run has its end recorded all the same", async () => {
  const { root, run, read } = begin();
  rmSync(run.path, { recursive: true });
  await endRun(root, run, { exitCode: 0, isSuccess: true }, run.info);
  expect(read()).toMatchObject({ status: "completed", run_id: run.runId, agent: "command" });
});

test("changes at the same time are all there", async () => {
  const { root, run, read } = begin();
  const add = (n: number) =>
    updateRunInfo(root, run, (info) => ({ ...info, commandline: `${info.commandline ?? ""}${n} ` }));
  await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)));
  const seen = read();
  const numbers = seen.status === "unknown" ? [] : (seen.commandline ?? "").trim().split(" ").map(Number);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test("a lock that is a link is not used", async () => {
  const { root, run, file, task } = begin();
  symlinkSync(task.path, `${file}.lock`);
  await expect(endRun(root, run, { exitCode: 0, isSuccess: true })).rejects.toThrow("is not a folder");
});

/** A disk that dies at one of its operations, in the middle of it. */
function dyingDisk(disk: TreeDisk, diesAt: number): { readonly disk: TreeDisk; readonly hasDied: () => boolean } {
  let operations = 0;
  const cut = <A extends readonly unknown[], R>(act: (...args: A) => R, tear: (...args: A) => void) => {
    return (...args: A): R => {
      operations += 1;
      if (operations < diesAt) return act(...args);
      if (operations === diesAt) tear(...args);
      throw new Error("power cut");
    };
  };
  const nothing = () => {};
  const replace = cut(disk.replace, (file, text) => writeFileSync(`${file}.1-0.tmp`, text.slice(0, 9)));
  const dying = {
    ...disk,
    replace,
    makeFolder: cut(disk.makeFolder, nothing),
    removeFile: cut(disk.removeFile, nothing),
  };
  return { disk: dying, hasDied: () => operations >= diesAt };
}

test("a power cut at any operation leaves the record as it was or as it should be", async () => {
  for (let at = 1; ; at++) {
    const { root, run, read } = begin();
    const { disk, hasDied } = dyingDisk(treeDisk(root.folder), at);
    const dying: RunnerRoot = { ...root, disk };
    await endRun(dying, run, { exitCode: 0, isSuccess: true }).catch(() => {});
    if (!hasDied()) return expect(at).toBeGreaterThan(1);
    expect(read()).toMatchObject({ status: "running" });
    await endRun(root, run, { exitCode: 0, isSuccess: true });
    expect(read()).toMatchObject({ status: "completed" });
    expect(readdirSync(run.path)).toContain("run-info.yaml");
  }
});

const stop = { at: "2026-11-16T06:00:00Z", by: "ann", reason: "wrong branch" };

test.each([
  ["runner-009: dead, and DONE is there", "dead", true, null, { status: "completed", exit_code: 0 }],
  ["dead, and DONE is not there", "dead", false, null, { status: "failed", exit_code: -1 }],
  [
    "dead after a stop",
    "dead",
    false,
    stop,
    { status: "failed", stop_requested: stop, error_summary: expect.stringContaining("wrong branch") },
  ],
  ["alive", "alive", true, null, { status: "running", exit_code: -1 }],
  ["on another host", "elsewhere", true, null, { status: "running", exit_code: -1 }],
] as const)("a run that says running: %s", (_what, liveness, isDone, request, expected) => {
  const { run } = begin();
  const reality = { liveness: liveness as Liveness, isDone, stop: request, endTime: "2026-11-16T07:00:00Z" };
  expect(reconcileRun(run.info, reality)).toMatchObject(expected);
});

test("a later process with the same pid is not the agent", () => {
  const { root, run } = begin();
  const { process_started: _, ...info } = run.info;
  expect(probeRun(root, run.info)).toBe("alive");
  expect(probeRun(root, { ...run.info, process_started: "long.ago" })).toBe("dead");
  expect(probeRun(root, { ...info, pid: thisProcess().pid })).toBe("alive");
  expect(probeRun(root, { ...run.info, host: "there" })).toBe("elsewhere");
});

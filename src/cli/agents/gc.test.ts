import { existsSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type AgentCli, makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import { makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { endRun, updateRunInfo } from "../../runner/layout/run-info.ts";
import { inTask, type RunFolder, type TaskFolder } from "../../runner/layout/runner-root.ts";
import { writeDone } from "../../runner/layout/task-files.ts";

afterAll(removeFolders);

let cli: AgentCli;
beforeEach(() => {
  cli = makeAgentCli();
});

const json = async (...args: readonly string[]) => JSON.parse((await cli.run([...args, "--json"])).out);
const old = "2020-01-01T00:00:00.000Z";
const ended = async (task: TaskFolder, isSuccess = true): Promise<RunFolder> => {
  const run = makeRun(cli.root, task);
  await endRun(cli.root, run, { exitCode: isSuccess ? 0 : 1, isSuccess });
  await updateRunInfo(cli.root, run, (info) =>
    info.status === "running" ? null : { ...info, start_time: old, end_time: old },
  );
  return run;
};
const draft = (folder: string, pid: number) => {
  const file = path.join(folder, `TASK_STATE.${pid}-0.md.tmp`);
  writeFileSync(file, "half");
  utimesSync(file, 0, 0);
  return file;
};
const planned = async (...args: readonly string[]) =>
  (await json("gc", "--dry-run", ...args)).items.map((item: { path: string }) => path.basename(item.path));

test("a dry run shows what would go and removes nothing", async () => {
  const task = makeTask(cli.root);
  const [first, second] = [await ended(task), await ended(task)];
  writeFileSync(path.join(first.path, "output.md"), "x".repeat(5_000));
  const { code, out: table, words } = await cli.run(["gc", "--dry-run"]);
  expect(code).toBe(0);
  // How much it is beside the output depends on how long the paths in its record are.
  expect(table).toMatch(new RegExp(`run +[56]\\.\\d kB +completed +garden/${task.taskId}/runs/${first.runId}\n`));
  expect(words).toMatch(/^Would free [56]\.\d kB\./);
  expect([first, second].every(({ path: folder }) => existsSync(folder))).toBe(true);
});

test("active runs, young ones and the last one of an unfinished task stay", async () => {
  const task = makeTask(cli.root);
  const active = makeRun(cli.root, task);
  await updateRunInfo(cli.root, active, (info) => ({ ...info, start_time: old }));
  const gone = await ended(task);
  const young = makeRun(cli.root, task);
  await endRun(cli.root, young, { exitCode: 0, isSuccess: true });
  const last = await ended(task);
  expect(await planned()).toEqual([gone.runId]);
  expect(await planned("--older-than", "0s")).toEqual([gone.runId, young.runId]);
  expect((await cli.run(["gc", "--older-than", "0s"])).words).toMatch(/^Freed /);
  expect([active, gone, young, last].map(({ path: folder }) => existsSync(folder))).toEqual([true, false, false, true]);
});

test("failed runs stay if wanted, and all runs of a done task go", async () => {
  const task = makeTask(cli.root);
  const [failed, good] = [await ended(task, false), await ended(task)];
  expect(await planned()).toEqual([failed.runId]);
  expect(await planned("--keep-failed")).toEqual([]);
  writeDone(cli.root, task);
  expect(await planned()).toEqual([failed.runId, good.runId]);
});

test("whole tasks go only when asked for, done and old", async () => {
  const task = makeTask(cli.root);
  writeDone(cli.root, task);
  expect(await planned("--delete-done-tasks")).toEqual([]);
  utimesSync(inTask(task, "done"), 0, 0);
  expect(await planned()).toEqual([]);
  expect(await planned("--delete-done-tasks")).toEqual([task.taskId]);
  await cli.run(["gc", "--delete-done-tasks"]);
  expect(existsSync(task.path)).toBe(false);
});

test("drafts of processes that are gone are removed, those of others stay", async () => {
  const task = makeTask(cli.root);
  const [gone, mine] = [draft(task.path, 4_000_000_000), draft(task.path, process.pid)];
  await cli.run(["gc"]);
  expect([gone, mine].map(existsSync)).toEqual([false, true]);
});

test("a large bus goes to an archive", async () => {
  makeTask(cli.root);
  await cli.run(["bus", "post", "-t", "water", "x".repeat(2_000)]);
  expect((await cli.run(["gc", "--bus-max-size", "1KB"])).words).toContain("--bus-max-size goes with --rotate-bus.");
  await cli.run(["gc", "--rotate-bus", "--bus-max-size", "1KB"]);
  expect((await json("bus", "poll", "-t", "water")).messages).toHaveLength(1);
  expect(cli.root.disk.list(path.join(cli.root.folder, "garden")).length).toBe(1);
});

test("nothing to do is told", async () => {
  expect(await cli.run(["gc"])).toEqual({ code: 0, out: "", words: "Nothing to remove.\n" });
});

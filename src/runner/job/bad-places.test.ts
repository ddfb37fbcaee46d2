// Folders, disks and clocks that misbehave while a real agent is at work.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { expectNoneLeft } from "../../../test/agents/expect-none-left.ts";
import { makeRequest, makeWorld, until } from "../../../test/agents/job-world.ts";
import { makeFolder, makeRoot, removeFolders } from "../../../test/helpers/runner-root.ts";
import { signal } from "../../files/process-identity.ts";
import { inRun, inTask } from "../layout/runner-root.ts";
import { readTaskText } from "../layout/task-files.ts";
import { viewTask } from "../overview/task-view.ts";
import { defaultLimits } from "./job.ts";
import { timesFile } from "./output-log.ts";
import { startJob } from "./start-job.ts";
import { waitForJob } from "./wait-for-job.ts";

afterEach(removeFolders);

const megabyte = 1024 * 1024;

test("DONE that an agent made as a folder is no end of the task, also not for a run whose shim was killed", async () => {
  const { play, start, wait, root, task, runOf } = makeWorld();
  const { result } = await play('mkdir "$JRUN_TASK_FOLDER/DONE"');
  expect(result.verdict).toEqual({ kind: "ok" });
  expect(viewTask(root, task)).toMatchObject({
    isDone: false,
    problems: [expect.stringContaining("DONE must be a file")],
  });
  const lost = await start("sleep 300");
  signal(lost.shim, "SIGKILL");
  expect(await wait(lost)).toMatchObject({ verdict: { kind: "transient" } });
  await expectNoneLeft(runOf(lost));
});

test("a TASK.md that an agent emptied is told of, and its run ends as it was", async () => {
  const { play, root, task } = makeWorld();
  writeFileSync(inTask(task, "task"), "Water the plants.");
  const { info } = await play('cd "$JRUN_TASK_FOLDER" && : > TASK.md');
  expect(info).toMatchObject({ status: "completed" });
  expect(() => readTaskText(root, task)).toThrow("TASK.md is empty");
});

test("a clock that is set back by an hour ends nothing early, and times do not go back", async () => {
  const { deps, task, root, runOf, infoOf, types } = makeWorld();
  const file = path.join(root.folder, "..", "set-back");
  const shim = { ...deps.shim, args: [path.join(path.dirname(deps.shim.args[0] ?? ""), "set-back-shim.ts"), file] };
  const script = `echo begun; touch ${file}; sleep 0.3; echo on; sleep 300`;
  const handle = await startJob(
    { ...deps, shim },
    makeRequest(task, script, { limits: { ...defaultLimits, idleMs: 2_000, graceMs: 300 } }),
  );
  const run = runOf(handle);
  await until("it went on", () => readFileSync(inRun(run, "stdout"), "utf8") === "begun\non\n");
  // The silence is measured all the same.
  expect(await waitForJob(deps, handle)).toMatchObject({ timeout: "idle" });
  const times = readFileSync(timesFile(inRun(run, "stdout")), "utf8")
    .trim()
    .split("\n")
    .map((line) => Number(line.split(" ")[1]));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const info = infoOf(handle);
  // By the clock it ended long before it began.
  expect(info).toMatchObject({ status: "failed", end_time: info.status === "unknown" ? "" : info.start_time });
  expect(types()).toEqual(["START", "WARNING", "CRASH"]);
  await expectNoneLeft(run);
});

/** A small disk of its own is a mounted tmpfs, which only root may make. */
const mountSmallDisk = (folder: string): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]).status === 0;

const canMount = (() => {
  const folder = makeFolder();
  const isMounted = mountSmallDisk(folder);
  if (isMounted) spawnSync("umount", [folder]);
  removeFolders();
  if (!isMounted) process.stderr.write("bad-places.test.ts: no full disk, because only root may mount a small one\n");
  return isMounted;
})();

test.runIf(canMount)("a disk that an agent fills up ends neither the agent nor the record of its end", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "homework-small-disk-"));
  mountSmallDisk(folder);
  onTestFinished(() => {
    spawnSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true });
  });
  const ballast = path.join(folder, "ballast");
  writeFileSync(ballast, Buffer.alloc(2 * megabyte, 1));
  const world = makeWorld(makeRoot({ folder: path.join(folder, "run-agent") }));
  const { start, wait, runOf, infoOf } = world;
  const after = path.join(makeFolder(), "after");
  // It ends when there is room again: without any, the record of its end would have to wait for some, too.
  const fill = `head -c ${8 * megabyte} /dev/zero; echo; echo over > ${after}`;
  const handle = await start(`${fill}; while [ -e ${ballast} ]; do sleep 0.05; done`);
  await until("it went on", () => existsSync(after));
  rmSync(ballast);
  const result = await wait(handle);
  expect(result).toMatchObject({ verdict: { kind: "ok" }, exit_code: 0 });
  expect(result.notes.join()).toContain("ENOSPC");
  expect(infoOf(handle)).toMatchObject({ status: "completed" });
  expect(statSync(inRun(runOf(handle), "stdout")).size).toBeLessThan(4 * megabyte);
  // What the agent printed last did not fit, and did not take the room of what is written next.
  const { bavail, bsize } = statfsSync(folder);
  expect(bavail * bsize).toBeGreaterThan(megabyte / 2);
  await expectNoneLeft(runOf(handle));
});

test("a run cannot begin on a disk that is full, and says so", async () => {
  const { root, task, deps } = makeWorld();
  const disk = {
    ...root.disk,
    replace: () => {
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    },
  };
  await expect(startJob({ ...deps, root: { ...root, disk } }, makeRequest(task, "true"))).rejects.toThrow("ENOSPC");
  expect(root.disk.list(inTask(task, "runs"))).toEqual([]);
});

test("what stands in the place of a task's folders is refused, not overwritten", async () => {
  const { start, task } = makeWorld();
  writeFileSync(inTask(task, "runs"), "a file");
  await expect(start("true")).rejects.toThrow("runs");
  rmSync(inTask(task, "runs"));
  mkdirSync(inTask(task, "runs"));
});

// Starter, shim and agent killed with SIGKILL, each at a moment of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { expectNoneLeft } from "../../../test/agents/expect-none-left.ts";
import {
  makeDeps,
  makeRequest,
  makeWorld,
  processesOf,
  starterProgram,
  until,
} from "../../../test/agents/job-world.ts";
import type { StarterOrder } from "../../../test/agents/programs/starter.ts";
import { removeFolders } from "../../../test/helpers/runner-root.ts";
import { identify, signal } from "../../files/process-identity.ts";
import { readRunInfo, updateRunInfo } from "../layout/run-info.ts";
import { inRun, listRuns } from "../layout/runner-root.ts";
import { requestStop, writeDone } from "../layout/task-files.ts";
import { agentOf, type JobHandle } from "./job.ts";
import { agentEffect } from "./job-effect.ts";
import { reapOrphans } from "./reap-orphans.ts";
import { settleJob } from "./settle-job.ts";
import { startJob } from "./start-job.ts";
import { stopJob } from "./stop-job.ts";
import { findHandle, waitForJob } from "./wait-for-job.ts";

afterEach(removeFolders);

const stop = { by: "a test", reason: "enough" };
/** Again and again: the shim writes there, too. */
const removing = 'while :; do rm -rf "$JRUN_RUN_FOLDER"; sleep 0.2; done';

type World = ReturnType<typeof makeWorld>;

function startStarter({ root, task }: World, script: string, key: string | null = null): ChildProcess {
  const order: StarterOrder = { folder: root.folder, taskId: task.taskId, script, key };
  return spawn(process.execPath, [starterProgram, JSON.stringify(order)], { stdio: ["ignore", "pipe", "inherit"] });
}

async function sayHandle(starter: ChildProcess): Promise<JobHandle> {
  const [chunk] = (await once(starter.stdout ?? starter, "data")) as [Buffer];
  return JSON.parse(String(chunk).split("\n")[0] ?? "") as JobHandle;
}

function kill(pid: number | undefined, name: NodeJS.Signals = "SIGKILL"): void {
  const found = identify(pid ?? 0);
  if (found) signal(found, name);
}

test("the starter is killed: the agent works on, is adopted, and its result is counted once", async () => {
  const world = makeWorld();
  const { root, task, deps, runOf, types } = world;
  const starter = startStarter(world, "echo begun; sleep 1; echo ended", "key");
  const handle = await sayHandle(starter);
  kill(starter.pid);
  await once(starter, "exit");
  const effect = agentEffect(deps, makeRequest(task, "echo second"), { stop });
  const found = await effect.find?.("key");
  expect(found).toMatchObject({ run_id: handle.run_id, shim: handle.shim });
  const adopted = await effect.adopt(found ?? { ...handle, key: "key" }, new AbortController().signal);
  expect(adopted).toMatchObject({ kind: "done", result: { verdict: { kind: "ok" } } });
  expect(await effect.adopt({ ...handle, key: "other" }, new AbortController().signal)).toEqual({ kind: "uncertain" });
  expect(readFileSync(inRun(runOf(handle), "stdout"), "utf8")).toBe("begun\nended\n");
  expect(listRuns(root, task)).toHaveLength(1);
  expect(types()).toEqual(["START", "STOP"]);
});

test("the shim is killed: the next look ends what the agent left and records it once", async () => {
  const { start, wait, runOf, infoOf, types, deps } = makeWorld();
  const handle = await start("setsid sleep 300 & setsid sh -c 'trap \"\" TERM HUP; sleep 300; sleep 300' & sleep 300");
  const run = runOf(handle);
  await until("all there, and told", () => processesOf(run).length >= 5 && types().includes("START"));
  kill(handle.shim.pid);
  const results = await Promise.all([wait(handle), wait(handle), settleJob(deps, run, handle.shim)]);
  expect(results[0]).toMatchObject({ verdict: { kind: "transient", why: expect.stringContaining("is gone") } });
  expect(results[1]).toEqual(results[0]);
  expect(infoOf(handle)).toMatchObject({ status: "failed", exit_code: -1 });
  expect(types()).toEqual(["START", "CRASH"]);
  await expectNoneLeft(run);
});

test("shim and record are gone: the handle still leads to what is left", async () => {
  const { start, wait, runOf } = makeWorld();
  const handle = await start(removing);
  const run = runOf(handle);
  await until("removed", () => !existsSync(inRun(run, "info")));
  kill(handle.shim.pid);
  expect(await wait(handle)).toMatchObject({ verdict: { kind: "transient" } });
  await expectNoneLeft(run);
});

test("a task that is done makes a lost run a good one", async () => {
  const { start, wait, root, task } = makeWorld();
  const handle = await start("sleep 300");
  writeDone(root, task);
  kill(handle.shim.pid);
  expect(await wait(handle)).toMatchObject({ verdict: { kind: "ok" }, exit_code: 0 });
});

test("the agent is killed: that is its end", async () => {
  const { start, wait, infoOf } = makeWorld();
  const handle = await start("sleep 300");
  const info = infoOf(handle);
  kill(info.status === "running" ? agentOf(info)?.pid : 0);
  expect(await wait(handle)).toMatchObject({ exit_code: 137, signal: "SIGKILL", verdict: { kind: "failed" } });
});

test("a starter that was killed before its shim took the run leaves a run that was not started", async () => {
  const world = makeWorld();
  const { root, task, deps } = world;
  const handle = await startJob(deps, makeRequest(task, "echo first", { key: "key" }));
  await waitForJob(deps, handle);
  // As the record was before the shim: a starter that is gone, and no shim.
  const run = listRuns(root, task)[0];
  if (!run) throw new Error("no run");
  for (const file of ["result.json", "result-taken.json"]) rmSync(path.join(run.path, file), { force: true });
  const text = readFileSync(inRun(run, "info"), "utf8")
    .replace(/^(shim_pid|shim_started|error_summary):.*\n/gm, "")
    .replace(/^status:.*$/m, "status: running")
    .replace(/^end_time:.*$/m, 'end_time: ""')
    .replace(/^exit_code:.*$/m, "exit_code: -1");
  writeFileSync(inRun(run, "info"), text);
  const again = await startJob(deps, makeRequest(task, "echo second", { key: "key" }));
  expect(again.run_id).not.toBe(run.runId);
  expect(readRunInfo(root, run)).toMatchObject({
    status: "failed",
    error_summary: expect.stringContaining("not started"),
  });
  expect(await waitForJob(deps, again)).toMatchObject({ verdict: { kind: "ok" } });
});

test("a run whose stop is asked for while it starts does not go on", async () => {
  const { root, task, deps } = makeWorld();
  const started = startJob(deps, makeRequest(task, "sleep 300"));
  await until("the record is there", () => listRuns(root, task).some((run) => existsSync(inRun(run, "info"))));
  for (const run of listRuns(root, task)) requestStop(root, run, "a test", "not now");
  const handle = await started;
  expect(await waitForJob(deps, handle)).toMatchObject({ stop: { reason: "not now" } });
});

test("a shim that hangs is killed by the stop, and its work is done", async () => {
  const { start, runOf, deps, infoOf } = makeWorld();
  const handle = await start("sleep 300");
  kill(handle.shim.pid, "SIGSTOP");
  expect(await stopJob(deps, runOf(handle), { ...stop, patienceMs: 300 })).toMatchObject({
    kind: "stopped",
    result: { stop: { by: "a test" } },
  });
  expect(infoOf(handle)).toMatchObject({ status: "failed", stop_requested: { by: "a test" } });
  await expectNoneLeft(runOf(handle));
});

test("stopping again changes nothing, and a run of another host is only asked to stop", async () => {
  const { start, runOf, deps, root, infoOf, types } = makeWorld();
  const handle = await start("sleep 300");
  const run = runOf(handle);
  const first = await stopJob(deps, run, stop);
  expect(await stopJob(deps, run, { by: "another", reason: "other" })).toEqual(first);
  expect(infoOf(handle)).toMatchObject({ stop_requested: { by: "a test" } });
  expect(types()).toEqual(["START", "STOP"]);
  const other = await start("sleep 300");
  const there = makeDeps({ ...root, host: "there" });
  expect(await stopJob(there, runOf(other), stop)).toEqual({ kind: "requested" });
  await expect(waitForJob(there, other)).rejects.toThrow("belongs to here");
  expect(await waitForJob(deps, other)).toMatchObject({ stop: { by: "a test" } });
});

test("a pid that was given to another process is not signalled", async () => {
  const { start, runOf, deps, root, infoOf } = makeWorld();
  const innocent = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  const handle = await start("sleep 300");
  const run = runOf(handle);
  const agent = infoOf(handle);
  kill(handle.shim.pid);
  // The record names the innocent one's pid with the start of the agent.
  await updateRunInfo(root, run, (info) => ({ ...info, pid: innocent.pid ?? 1, pgid: innocent.pid ?? 1 }));
  await stopJob(deps, run, stop);
  expect(innocent.exitCode ?? innocent.signalCode).toBeNull();
  expect(agent.status === "running" && identify(agent.pid)?.started === agent.process_started).toBe(false);
  innocent.kill("SIGKILL");
  await once(innocent, "exit");
});

test("after a restart living runs are found, dead ones recorded, strays ended", async () => {
  const { start, runOf, deps, infoOf } = makeWorld();
  const living = await start("sleep 300");
  const lost = await start("sleep 300");
  const stray = await start(removing);
  await until("removed", () => !existsSync(runOf(stray).path));
  for (const { shim } of [lost, stray]) kill(shim.pid);
  await until("gone", () => identify(lost.shim.pid) === undefined && identify(stray.shim.pid) === undefined);
  expect(await reapOrphans(deps)).toEqual({ living: [living], settled: [lost.run_id], swept: [stray.run_id] });
  expect(infoOf(lost)).toMatchObject({ status: "failed" });
  expect(await findHandle(deps, runOf(living))).toEqual(living);
  await stopJob(deps, runOf(living), stop);
  for (const handle of [living, lost, stray]) await expectNoneLeft(runOf(handle));
});

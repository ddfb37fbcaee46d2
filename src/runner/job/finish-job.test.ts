import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { makeFolder, makeRoot, makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { realEnv } from "../../main/env.ts";
import { openBus } from "../bus/bus.ts";
import { readBus } from "../bus/read-bus.ts";
import { readRunInfo } from "../layout/run-info.ts";
import { inRun } from "../layout/runner-root.ts";
import { type TreeDisk, treeDisk } from "../layout/tree-disk.ts";
import { finishJob } from "./finish-job.ts";
import type { JobResult } from "./job.ts";
import { inJob, readResult, writeResult } from "./job-files.ts";
import { postEnd } from "./job-messages.ts";
import { settleJob } from "./settle-job.ts";

afterEach(removeFolders);

const shim = { shim_pid: 999_999_999, shim_started: "gone" };

function begin(spoil: (disk: TreeDisk) => TreeDisk = (disk) => disk) {
  const slept: number[] = [];
  const env = { ...realEnv, sleep: (ms: number) => realEnv.sleep(slept.push(ms)) };
  const root = makeRoot({ disk: spoil(treeDisk(makeFolder())), env });
  const task = makeTask(root);
  const run = makeRun(root, task, shim);
  const result: JobResult = {
    run_id: run.runId,
    verdict: { kind: "ok" },
    exit_code: 0,
    signal: null,
    stop: null,
    timeout: null,
    session: "s1",
    tokens: null,
    cost_usd: 0.5,
    session_totals: null,
    notes: [],
  };
  const deps = { root, table: () => [], log: () => {} };
  return {
    root,
    task,
    run,
    result,
    deps,
    slept,
    types: () => readBus(openBus(root, task)).entries.map(({ type }) => type),
  };
}

test("a disk that is full for a while is waited for", async () => {
  let faults = 3;
  const { deps, run, result, slept, root } = begin((disk) => ({
    ...disk,
    replace: (file, text) => {
      if (/result\.json|run-info/.test(file) && faults-- > 0 && text.includes("0.5"))
        throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      disk.replace(file, text);
    },
  }));
  await finishJob(deps, run, run.info, { result, text: "words", stderr: "" });
  expect(slept).toEqual([1_000, 2_000]);
  expect(readResult(root, run)).toEqual(result);
  expect(readRunInfo(root, run)).toMatchObject({ status: "completed", cost_usd: 0.5 });
});

test.each(["before it was told on the bus", "after it"])(
  "a shim that was killed between the result and the record, %s: nothing is lost or told twice",
  async (when) => {
    const { root, run, task, result, deps, types } = begin();
    writeResult(root, run, result);
    if (when === "after it") await postEnd(openBus(root, task), run, result, "");
    expect(await settleJob(deps, run)).toEqual({ kind: "ended", result });
    expect(readRunInfo(root, run)).toMatchObject({ status: "completed", exit_code: 0, cost_usd: 0.5 });
    expect(types()).toEqual(["STOP"]);
    expect(await settleJob(deps, run)).toEqual({ kind: "ended", result });
  },
);

test("a result that the agent has spoiled is told by the record", async () => {
  const { root, run, result, deps } = begin();
  await finishJob(deps, run, run.info, { result, text: "", stderr: "" });
  root.disk.replace(inJob(run, "result"), '{"run_id":"forged"}');
  expect(await settleJob(deps, run)).toMatchObject({
    kind: "ended",
    result: { verdict: { kind: "ok" }, session: null },
  });
});

test("output.md stands in for an agent that wrote none, shortened, and never replaces what is there", async () => {
  const { root, run, result, deps } = begin();
  const long = Buffer.alloc(1_100_000, "x");
  root.disk.replace(inRun(run, "stdout"), long.toString());
  await finishJob(deps, run, run.info, { result, text: "", stderr: "" });
  expect(readFileSync(inRun(run, "output"), "utf8")).toMatch(
    /^\(the last 1048576 of 1100000 bytes of agent-stdout.txt\)\nx+$/,
  );
  await finishJob(deps, run, run.info, { result, text: "late", stderr: "" });
  expect(readFileSync(inRun(run, "output"), "utf8")).not.toBe("late");
});

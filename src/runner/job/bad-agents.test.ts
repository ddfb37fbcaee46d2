// Agents that behave badly, each a real process: handled, recorded, and nothing left running.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { expectNoneLeft } from "../../../test/agents/expect-none-left.ts";
import { makeWorld, processesOf, until } from "../../../test/agents/job-world.ts";
import { removeFolders } from "../../../test/helpers/runner-root.ts";
import { identify } from "../../files/process-identity.ts";
import { openBus } from "../bus/bus.ts";
import { inRun, inTask } from "../layout/runner-root.ts";
import { defaultLimits } from "./job.ts";
import { outputLimits, timesFile } from "./output-log.ts";
import { stopJob } from "./stop-job.ts";

afterEach(removeFolders);

const limits = { ...defaultLimits, graceMs: 300 };
const stop = { by: "a test", reason: "enough" };

test("an agent that ignores SIGTERM is killed after the grace", async () => {
  const { start, runOf, deps, infoOf } = makeWorld();
  const handle = await start("trap '' TERM; echo ready; while :; do sleep 1; done", { limits });
  const run = runOf(handle);
  await until("ready", () => readFileSync(inRun(run, "stdout"), "utf8") !== "");
  expect(await stopJob(deps, run, stop)).toMatchObject({
    kind: "stopped",
    result: { exit_code: 137, signal: "SIGKILL", stop: { by: "a test", reason: "enough" } },
  });
  expect(infoOf(handle)).toMatchObject({ status: "failed", stop_requested: { by: "a test" } });
  await expectNoneLeft(run);
});

test("an agent that is paused is ended, too", async () => {
  const { start, runOf, deps } = makeWorld();
  const handle = await start("kill -STOP $$", { limits });
  const run = runOf(handle);
  await until("paused", () => processesOf(run).some(({ isPaused }) => isPaused));
  expect(await stopJob(deps, run, stop)).toMatchObject({ kind: "stopped", result: { signal: "SIGTERM" } });
  await expectNoneLeft(run);
});

test("what an agent leaves behind is ended with it: grandchildren, other sessions, deaf ones, without our variables", async () => {
  const { play } = makeWorld();
  const pidFile = `"$JRUN_TASK_FOLDER"/pids`;
  const { run, result } = await play(
    `sleep 300 &
     setsid sh -c 'sleep 300 & sleep 300' &
     setsid sh -c 'trap "" HUP TERM; sleep 300; sleep 300' &
     env -i sleep 300 & echo $! > ${pidFile}
     sleep 0.2; echo done`,
  );
  expect(result).toMatchObject({ verdict: { kind: "ok" }, notes: [] });
  expect(readFileSync(inRun(run, "stdout"), "utf8")).toBe("done\n");
  await expectNoneLeft(run);
  expect(identify(Number(readFileSync(`${run.task.path}/pids`, "utf8")))).toBeUndefined();
});

test("an agent that closes its output and lives is waited for", async () => {
  const { play } = makeWorld();
  const { run, result } = await play(
    `echo first; exec >&- 2>&-; sleep 0.3; echo x > "$JRUN_TASK_FOLDER/after"; exit 3`,
  );
  expect(result.exit_code).toBe(3);
  expect(existsSync(`${run.task.path}/after`)).toBe(true);
});

test("an agent that never reads its prompt, however long, ends as it likes", async () => {
  const { play } = makeWorld();
  const prompt = "x".repeat(3_000_000);
  const { run, result } = await play("echo unread", { prompt });
  expect(result.verdict).toEqual({ kind: "ok" });
  expect(statSync(inRun(run, "prompt")).size).toBe(prompt.length);
});

test("an agent that deletes the folder of its own run leaves its record, output and result all the same", async () => {
  const { play, types } = makeWorld();
  const { run, info, result } = await play(`echo before; rm -rf "$JRUN_RUN_FOLDER"; echo after; sleep 0.3; exit 4`);
  expect(result).toMatchObject({ exit_code: 4 });
  expect(info).toMatchObject({ status: "failed", exit_code: 4, agent: "command" });
  expect(readFileSync(inRun(run, "stdout"), "utf8")).toBe("before\nafter\n");
  expect(types()).toEqual(["START", "CRASH"]);
});

test("an agent that puts a link in place of its folder is stopped, and does not lead us outside", async () => {
  const { play, root } = makeWorld();
  const outside = `${root.folder}/../outside`;
  mkdirSync(outside);
  const { info, run, result } = await play(
    `until grep -q START "$JRUN_TASK_FOLDER/TASK-MESSAGE-BUS.md"; do sleep 0.05; done
     mv "$JRUN_RUN_FOLDER" "$JRUN_RUN_FOLDER.x"; ln -s ${outside} "$JRUN_RUN_FOLDER"; exec sleep 300`,
    { limits },
  );
  // Whether a person wants it stopped cannot be read any more.
  expect(result.stop).toMatchObject({ by: "unknown", reason: expect.stringContaining("links are not followed") });
  expect(info).toMatchObject({ status: "failed", exit_code: 143 });
  expect(readdirSync(outside)).toEqual([]);
  expect(root.disk.kindOf(run.path)).toBe("folder");
  await expectNoneLeft(run);
});

test("an agent that writes a gigabyte is kept to the limit, and its last words are there", async () => {
  const { play } = makeWorld();
  const end = JSON.stringify({ end: { isError: false, why: "" }, text: "that was a lot" });
  const { run, result } = await play(`head -c 1073741824 /dev/zero; echo; echo '${end}'`);
  const { size } = statSync(inRun(run, "stdout"));
  expect(size).toBeLessThan(outputLimits.headMax + 2 * outputLimits.tailMax);
  expect(
    readFileSync(inRun(run, "stdout"))
      .subarray(-end.length - 1)
      .toString(),
  ).toBe(`${end}\n`);
  expect(readFileSync(inRun(run, "output"), "utf8")).toBe("that was a lot");
  expect(result.notes.join()).toMatch(/of 1073\d+ bytes are not in .*agent-stdout.txt/);
});

test("lines have times that do not go back, and a reader that stumbles is told of", async () => {
  const { play } = makeWorld();
  const { run, result } = await play(
    "echo one; sleep 0.1; echo trip the reader; sleep 0.1; printf 'thr'; sleep 0.1; echo ee",
  );
  const entries = readFileSync(timesFile(inRun(run, "stdout")), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map(Number));
  expect(entries.map(([offset]) => offset)).toEqual([0, 4, 20]);
  const times = entries.map(([, ms]) => ms ?? 0);
  expect(times).toEqual(times.toSorted());
  expect(result.notes).toEqual(["1 lines of the output could not be read."]);
});

test("a bus that is a folder, or full of bytes, does not stop a run", async () => {
  const { play, task } = makeWorld();
  writeFileSync(inTask(task, "bus"), Buffer.from([0, 255, 1, 254, 10, 45, 45, 45]));
  expect((await play("echo fine")).info).toMatchObject({ status: "completed" });
  const other = makeWorld();
  mkdirSync(inTask(other.task, "bus"));
  const { info, result } = await other.play("echo fine");
  expect(info).toMatchObject({ status: "completed" });
  expect(result.verdict).toEqual({ kind: "ok" });
});

test("silence: an idle agent is ended with a reason, one at work and one that waits for an answer are not", async () => {
  const { play, start, runOf, root, task, infoOf, deps, events } = makeWorld();
  const short = { ...limits, idleMs: 600 };
  const idle = await play("echo begun; sleep 300", { limits: short });
  expect(idle.result).toMatchObject({ timeout: "idle", stop: null });
  expect(idle.info).toMatchObject({ status: "failed", error_summary: expect.stringContaining("Timed out: no output") });
  expect(events().map(({ type }) => type)).toEqual(["START", "WARNING", "CRASH"]);
  const busy = await play(`end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do :; done; echo worked`, {
    limits: short,
  });
  expect(busy.result.verdict).toEqual({ kind: "ok" });

  // At work until the question is on the bus.
  const working = 'while [ ! -e "$JRUN_TASK_FOLDER/asked" ]; do :; done; sleep 300';
  const waiting = await start(working, { limits: short });
  await openBus(root, task).post({ type: "QUESTION", body: "Which plants?", run_id: waiting.run_id });
  writeFileSync(`${task.path}/asked`, "");
  await until("it waits", () => existsSync(`${runOf(waiting).path}/watch.json`));
  expect(JSON.parse(readFileSync(`${runOf(waiting).path}/watch.json`, "utf8"))).toMatchObject({ state: "waiting" });
  await root.env.sleep(2 * short.idleMs);
  expect(infoOf(waiting)).toMatchObject({ status: "running" });
  await stopJob(deps, runOf(waiting), stop);
});

test.each([
  ["no_first_output", { firstOutputMs: 300 }],
  ["wall_clock", { wallMs: 300 }],
] as const)("its own limit: %s", async (timeout, over) => {
  const { play } = makeWorld();
  const { result, run } = await play("sleep 300", { limits: { ...limits, ...over } });
  expect(result).toMatchObject({ timeout, verdict: { kind: "failed", why: expect.stringContaining("Timed out") } });
  await expectNoneLeft(run);
});

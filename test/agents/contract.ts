// What every kind of agent has to go through, whether its program is the real one or the recorder in its place.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { identify, signal } from "../../src/files/process-identity.ts";
import { agentOf, defaultLimits, type JobHandle } from "../../src/runner/job/job.ts";
import { agentEffect } from "../../src/runner/job/job-effect.ts";
import { stopJob } from "../../src/runner/job/stop-job.ts";
import { inRun, listRuns, type RunFolder } from "../../src/runner/layout/runner-root.ts";
import { filesBelow } from "../helpers/files-below.ts";
import { removeFolders } from "../helpers/runner-root.ts";
import { readToolPid, toolMarks } from "./agent-scene.ts";
import { agentKey, makeAgentRequest, openAgentWorld, programs, type TestedAgent } from "./agent-world.ts";
import { expectNoneLeft } from "./expect-none-left.ts";
import { until } from "./job-world.ts";
import type { KeeperLine, KeeperOrder } from "./programs/agent-keeper.ts";

const stop = { by: "a test", reason: "enough" };
/** Longer than any agent takes to begin, and it works meanwhile; a provider that never answers is waited for without work. */
const idleMs = 4_000;

/** `ends`: what an end means. `job`: how it is ended, killed and adopted. Real agents show what ends mean as tasks. */
export function describeAgent(label: string, agentOfTest: () => TestedAgent, part: "whole" | "ends" | "job"): void {
  describe(label, () => {
    const opened: World[] = [];
    const open = () => {
      const world = openAgentWorld(agentOfTest());
      opened.push(world);
      return world;
    };
    // A test that fails leaves nothing at work, either.
    afterEach(async () => {
      for (const { deps, root, task } of opened.splice(0))
        for (const run of listRuns(root, task)) await stopJob(deps, run, stop);
      removeFolders();
    });

    test("does its task: DONE, its words, its tokens, a record, and nothing left of it", async () => {
      const { play, infoOf, types, task } = open();
      const { run, result } = await play("done");
      expect(result).toMatchObject({ verdict: { kind: "ok" }, exit_code: 0, notes: [] });
      expect(result.tokens?.output).toBeGreaterThan(0);
      expect(result.session).not.toBeNull();
      expect(existsSync(toolMarks(task.path).done)).toBe(true);
      expect(readFileSync(inRun(run, "output"), "utf8")).toContain(agentOfTest().lastWords);
      expect(infoOf(run)).toMatchObject({ status: "completed", exit_code: 0, agent: agentOfTest().name });
      expect(types()).toEqual(["START", "STOP"]);
      await expectNoneLeft(run);
      expectNoKey(run);
    });

    if (part !== "job") describeLoop(open);
    if (part === "ends") return;
    describeEnding(open);
    describeKills(open, agentOfTest);
  });
}

type World = ReturnType<typeof openAgentWorld>;

function describeLoop(open: () => World): void {
  test("ends without DONE and is started again", async () => {
    const { loop, infoOf } = open();
    const runs = await loop(["talk", "done", "done"]);
    expect(runs.map(({ result }) => result.verdict.kind)).toEqual(["ok", "ok"]);
    expect(infoOf((runs[1] as { run: RunFolder }).run)).toMatchObject({ previous_run_id: runs[0]?.run.runId });
  });

  test("is not started again where its key is refused", async () => {
    const { loop, types } = open();
    const runs = await loop(["401", "done"]);
    expect(runs.map(({ result }) => result.verdict.kind)).toEqual(["refused"]);
    expect(types()).toEqual(["START", "CRASH"]);
  });

  test("is started again after a provider's limit", async () => {
    const runs = await open().loop(["429", "done"]);
    expect(runs.map(({ result }) => result.verdict.kind)).toEqual(["transient", "ok"]);
  });
}

function describeEnding(open: () => World): void {
  test("is ended where its provider never answers", async () => {
    const { play, types } = open();
    const { run, result } = await play("hang", { limits: { ...defaultLimits, idleMs, graceMs: 1_000 } });
    expect(result).toMatchObject({ timeout: "idle", stop: null, verdict: { kind: "failed" } });
    expect(types()).toEqual(["START", "WARNING", "CRASH"]);
    await expectNoneLeft(run);
  });

  test("is stopped in the middle of a tool's work, with its tools", async () => {
    const { start, runOf, task, deps, infoOf } = open();
    const run = runOf(await start("work"));
    await until("its tool works", () => readToolPid(task.path) !== null);
    const tool = readToolPid(task.path) ?? 0;
    expect(identify(tool)).toBeDefined();
    expect(await stopJob(deps, run, stop)).toMatchObject({ kind: "stopped", result: { stop: { by: "a test" } } });
    expect(infoOf(run)).toMatchObject({ status: "failed", stop_requested: { reason: "enough" } });
    expect(identify(tool)).toBeUndefined();
    await expectNoneLeft(run);
  });
}

function describeKills(open: () => World, agentOfTest: () => TestedAgent): void {
  test("works on when its runner is killed, is adopted, and its result is counted once", async () => {
    const world = open();
    const { root, task, deps, runOf, types } = world;
    const runner = startKeeper(world, agentOfTest(), { scene: "work", key: "key" });
    const [handle] = await runner.waiting;
    if (handle === undefined) throw new Error("nothing was started");
    await until("its tool works", () => readToolPid(task.path) !== null);
    await kill(runner.process);
    expect(isAtWork(world, handle)).toBe(true);
    const effect = agentEffect(deps, makeAgentRequest(agentOfTest(), task, "done"), { stop });
    const found = await effect.find?.("key");
    expect(found).toMatchObject({ run_id: handle.run_id, shim: handle.shim });
    writeFileSync(toolMarks(task.path).letGo, "");
    const never = new AbortController().signal;
    expect(await effect.adopt({ ...handle, key: "key" }, never)).toMatchObject({
      kind: "done",
      result: { verdict: { kind: "ok" } },
    });
    expect(await effect.adopt({ ...handle, key: "other" }, never)).toEqual({ kind: "uncertain" });
    expect(listRuns(root, task)).toHaveLength(1);
    expect(types()).toEqual(["START", "STOP"]);
    await expectNoneLeft(runOf(handle));
  });

  test("works on when the server is killed, and of two that come after it one counts the result", async () => {
    const world = open();
    const { task, start, types, runOf } = world;
    const handle = await start("work");
    const first = startKeeper(world, agentOfTest(), null);
    expect(await first.waiting).toEqual([handle]);
    await until("its tool works", () => readToolPid(task.path) !== null);
    await kill(first.process);
    expect(isAtWork(world, handle)).toBe(true);
    const next = [startKeeper(world, agentOfTest(), null), startKeeper(world, agentOfTest(), null)];
    expect(await Promise.all(next.map(({ waiting }) => waiting))).toEqual([[handle], [handle]]);
    writeFileSync(toolMarks(task.path).letGo, "");
    const counted = await Promise.all(next.map(({ counts }) => counts));
    expect(counted.flat()).toEqual([handle.run_id]);
    expect(existsSync(toolMarks(task.path).done)).toBe(true);
    expect(types()).toEqual(["START", "STOP"]);
    await expectNoneLeft(runOf(handle));
  });
}

type Keeper = {
  readonly process: ChildProcess;
  /** What it has started or adopted. */
  readonly waiting: Promise<readonly JobHandle[]>;
  /** The runs whose results it counted, when it has ended. */
  readonly counts: Promise<readonly string[]>;
};

function startKeeper({ root, task }: World, agent: TestedAgent, start: KeeperOrder["start"]): Keeper {
  const order: KeeperOrder = { folder: root.folder, taskId: task.taskId, agent, start };
  const child = spawn(process.execPath, [path.join(programs, "agent-keeper.ts"), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: KeeperLine[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(JSON.parse(line) as KeeperLine));
  const waiting = once(reader, "line").then(([line]) => {
    const said = JSON.parse(String(line)) as KeeperLine;
    return "waiting" in said ? said.waiting : [];
  });
  const counts = once(reader, "close").then(() => lines.flatMap((line) => ("counted" in line ? [line.counted] : [])));
  return { process: child, waiting, counts };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  const found = identify(child.pid ?? 0);
  if (found) signal(found, "SIGKILL");
  await ended;
}

function isAtWork({ runOf, infoOf, task }: World, handle: JobHandle): boolean {
  const info = infoOf(runOf(handle));
  const agent = info.status === "running" ? agentOf(info) : null;
  const tool = identify(readToolPid(task.path) ?? 0);
  return agent !== null && identify(agent.pid)?.started === agent.started && tool !== undefined;
}

/** Only agents of their own may keep it: what is ours has no key in it. */
function expectNoKey(run: RunFolder): void {
  for (const file of filesBelow(run.path))
    if (path.dirname(file) === run.path) expect(readFileSync(file).includes(agentKey)).toBe(false);
}

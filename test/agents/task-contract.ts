// `run-agent task` with a real agent: the program as people call it, a process that can be killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { identify, signal } from "../../src/files/process-identity.ts";
import { routes } from "../../src/protocol/api.ts";
import { createApi } from "../../src/protocol/client.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { stopJob } from "../../src/runner/job/stop-job.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import { listProjects, listRuns, listTasks, type TaskFolder } from "../../src/runner/layout/runner-root.ts";
import { findDriver } from "../../src/runner/task/loop-file.ts";
import { makeFolder, makeRoot, removeFolders } from "../helpers/runner-root.ts";
import { readToolPid, type Scene, toolMarks, writeObjective } from "./agent-scene.ts";
import { makeAgentDeps, makeSurroundings, type TestedAgent } from "./agent-world.ts";
import { expectNoneLeft } from "./expect-none-left.ts";
import { until } from "./job-world.ts";
import { writeAgentBlock } from "./tested-agents.ts";

const program = path.join(import.meta.dirname, "../../bin/run-agent.js");

type Summary = { readonly status: string; readonly why: string; readonly iterations: number };
type Ended = { readonly code: number | null; readonly summary: Summary | null; readonly words: string };
type Called = { readonly process: ChildProcess; readonly ended: Promise<Ended> };

function openTaskWorld(agent: TestedAgent) {
  const folder = makeFolder();
  const root = makeRoot({ folder: path.join(folder, "run-agent"), host: os.hostname() });
  const home = path.join(folder, "home");
  mkdirSync(home);
  const config = path.join(folder, "config.hcl");
  writeFileSync(config, writeAgentBlock(agent), { mode: 0o600 });
  const spawnAgent = (...args: readonly string[]): ChildProcess => {
    const all = [program, "--root", root.folder, "--config", config, "--json", ...args];
    return spawn(process.execPath, all, {
      cwd: folder,
      env: makeSurroundings(agent, home),
      stdio: ["ignore", "pipe", "pipe"],
    });
  };
  const call = (...args: readonly string[]): Called => {
    const child = spawnAgent("-p", "garden", ...args);
    return { process: child, ended: readEnd(child) };
  };
  const servers: ChildProcess[] = [];
  const findTask = (): TaskFolder | null =>
    listProjects(root).flatMap((project) => listTasks(root, project))[0] ?? null;
  const requireTask = (): TaskFolder => {
    const task = findTask();
    if (task === null) throw new Error("there is no task");
    return task;
  };
  const runs = () => listRuns(root, requireTask()).map((run) => ({ run, info: readRunInfo(root, run) }));
  return {
    call,
    requireTask,
    runs,
    start: (scenes: readonly Scene[], ...more: readonly string[]): Called =>
      call("task", "--agent", agent.name, ...more, writeObjective(scenes)),
    /** `run-agent serve`, once it listens. */
    serve: async () => {
      const child = spawnAgent("serve", "--port", "0");
      servers.push(child);
      const url = await readUrl(child);
      const api = createApi({ baseUrl: url, fetch: (address, init) => fetch(address, init), headers: { origin: url } });
      return { process: child, api };
    },
    driver: () => findDriver(root, requireTask()),
    /** A tool of the agent is at work. */
    working: () => until("its tool works", () => findTask() !== null && readToolPid(requireTask().path) !== null),
    isDone: () => existsSync(toolMarks(requireTask().path).done),
    types: () => readBus(openBus(root, requireTask())).entries.map(({ type }) => type),
    noneLeft: async () => {
      for (const { run } of runs()) await expectNoneLeft(run);
    },
    close: async () => {
      for (const child of servers) if (child.exitCode === null && child.signalCode === null) await killProcess(child);
      if (findTask() === null) return;
      for (const { run } of runs())
        await stopJob(makeAgentDeps(root, agent), run, { by: "a test", reason: "it has ended" });
    },
  };
}

async function readEnd(child: ChildProcess): Promise<Ended> {
  const said = { out: "", words: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.words += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  const summary = said.out.trim() === "" ? null : (JSON.parse(said.out) as Summary);
  return { code, summary, words: said.words };
}

async function readUrl(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    const [, url] = /"url": "([^"]+)"/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("run-agent serve does not listen");
}

async function killProcess(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function kill({ process: child, ended }: Called): Promise<void> {
  const found = identify(child.pid ?? 0);
  if (found) signal(found, "SIGKILL");
  await ended;
}

export function describeTask(agentOfTest: () => TestedAgent): void {
  const opened: ReturnType<typeof openTaskWorld>[] = [];
  const open = () => {
    const world = openTaskWorld(agentOfTest());
    opened.push(world);
    return world;
  };
  afterEach(async () => {
    for (const world of opened.splice(0)) await world.close();
    removeFolders();
  });

  test("run-agent task starts it again until DONE is there", async () => {
    const { start, runs, isDone, noneLeft } = open();
    const { code, summary, words } = await start(["talk", "done"]).ended;
    expect([code, summary?.status, summary?.iterations], words).toEqual([0, "completed", 2]);
    expect([isDone(), runs().map(({ info }) => info.status)]).toEqual([true, ["completed", "completed"]]);
    await noneLeft();
  });

  test("run-agent task does not start it again where its key is refused", async () => {
    const { start, runs, isDone } = open();
    const { code, summary, words } = await start(["401", "done"]).ended;
    expect([code, summary?.status], words).toEqual([20, "stopped"]);
    expect(summary?.why).toMatch(/Sign in or set its token/);
    expect([isDone(), runs().length]).toEqual([false, 1]);
  });

  test("run-agent task starts it again after a provider's limit, and after a provider that never answers", async () => {
    const { start, runs, noneLeft } = open();
    const { code, summary, words } = await start(["429", "hang", "done"], "--set", "idle_threshold=4s").ended;
    expect([code, summary?.status], words).toEqual([0, "completed"]);
    const ends = runs().map(({ info }) => (info.status === "unknown" ? "" : (info.error_summary ?? "")));
    expect(ends).toHaveLength(3);
    expect(ends[1]).toMatch(/Timed out/);
    await noneLeft();
  });

  test("run-agent stop ends it in the middle of a tool's work", async () => {
    const { start, call, requireTask, working, noneLeft, runs } = open();
    const task = start(["work"]);
    await working();
    const tool = readToolPid(requireTask().path) ?? 0;
    expect((await call("stop", "-t", requireTask().taskId).ended).code).toBe(0);
    const { code, summary, words } = await task.ended;
    expect([code, summary?.status], words).toEqual([20, "stopped"]);
    expect(identify(tool)).toBeUndefined();
    await noneLeft();
    expect(runs()).toMatchObject([{ info: { status: "failed", stop_requested: {} } }]);
  });

  describeTaskKills(open, agentOfTest);
}

function describeTaskKills(open: () => ReturnType<typeof openTaskWorld>, agentOfTest: () => TestedAgent): void {
  test("run-agent task is killed: its agent works on, and the next one goes on with the same run", async () => {
    const { start, call, requireTask, working, runs, types, noneLeft } = open();
    const first = start(["work"]);
    await working();
    await kill(first);
    expect(identify(readToolPid(requireTask().path) ?? 0)).toBeDefined();
    const next = call("task", "-t", requireTask().taskId);
    writeFileSync(toolMarks(requireTask().path).letGo, "");
    const { code, summary, words } = await next.ended;
    expect([code, summary?.status, summary?.iterations], words).toEqual([0, "completed", 1]);
    expect(runs()).toMatchObject([{ info: { status: "completed" } }]);
    expect(types().filter((type) => ["START", "STOP", "CRASH"].includes(type))).toEqual(["START", "STOP"]);
    await noneLeft();
  });

  test("run-agent serve is killed, and then the loop that it started: its agent works on and is counted once", async () => {
    const { serve, requireTask, working, runs, types, driver, noneLeft, isDone } = open();
    const params = { agentProject: "garden" };
    const first = await serve();
    const body = { prompt: writeObjective(["work"]), new_project: true, agent: agentOfTest().name };
    await first.api(routes.agents.start, { params, body });
    await working();
    const loop = driver();
    await killProcess(first.process);
    expect([driver(), identify(readToolPid(requireTask().path) ?? 0) !== undefined]).toEqual([loop, true]);
    if (loop !== null) signal(loop, "SIGKILL");
    await until("the loop is gone", () => driver() === null);
    const next = await serve();
    const { taskId } = requireTask();
    await next.api(routes.agents.start, { params, body: { attach_mode: "restart", task_id: taskId } });
    await until("it is adopted", () => types().includes("SUPERVISOR_RESTART"));
    writeFileSync(toolMarks(requireTask().path).letGo, "");
    await until("the task is done", () => isDone() && driver() === null);
    expect(runs()).toMatchObject([{ info: { status: "completed" } }]);
    expect(types()).toEqual(["START", "SUPERVISOR_RESTART", "STOP", "INFO"]);
    await noneLeft();
  });
}

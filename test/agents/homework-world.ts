// Homework runs with real agents: `homework serve` and `homework worker` as processes that can be killed, on a data folder of their own.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "../../src/protocol/api.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import {
  inRun,
  listProjects,
  listRuns,
  listTasks,
  type RunFolder,
  type TaskFolder,
} from "../../src/runner/layout/runner-root.ts";
import { gardenSuite } from "../helpers/make-repository.ts";
import { testLimitMs } from "../helpers/patience.ts";
import { makeRoot } from "../helpers/runner-root.ts";
import { makeDataFolder, removeDataFolder, type Served, startServer, stopServer } from "../helpers/served.ts";
import { makeSurroundings, type TestedAgent } from "./agent-world.ts";
import { until } from "./job-world.ts";

const launcher = path.join(import.meta.dirname, "../../bin/homework.js");

/** `all`: whose programs are on PATH. */
export function openHomeworkWorld(all: readonly TestedAgent[]) {
  const data = makeDataFolder();
  const place = path.join(data, "of-the-test");
  mkdirSync(place);
  const configFile = path.join(place, "config.hcl");
  const paths = all.map((agent) => makeSurroundings(agent, data).PATH);
  const settings = {
    ...all[0]?.variables,
    PATH: paths.join(path.delimiter),
    HOMEWORK_AGENT_CONFIG: configFile,
  };
  const servers: Served[] = [];
  const children: ChildProcess[] = [];
  const root = makeRoot({ folder: path.join(data, "agents"), host: hostname() });
  const call = (...args: readonly string[]): ChildProcess => {
    const env = { ...settings, HOME: data, HOMEWORK_DATA: data, HOMEWORK_FIND_LOCAL_MODELS: "false" };
    const child = spawn(process.execPath, [launcher, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    return child;
  };
  /** Of the run, without those of its reviews. */
  const findTask = (runId: string): TaskFolder | null =>
    listProjects(root)
      .flatMap((project) => listTasks(root, project))
      .find(({ taskId }) => taskId.endsWith(runId.replaceAll("-", "").slice(-12))) ?? null;
  const requireTask = (runId: string): TaskFolder => {
    const task = findTask(runId);
    if (task === null) throw new Error(`run ${runId} has no folder`);
    return task;
  };
  const runsOf = (runId: string): readonly RunFolder[] => listRuns(root, requireTask(runId));
  return {
    data,
    root,
    place,
    findTask,
    requireTask,
    runsOf,
    infosOf: (runId: string) => runsOf(runId).map((run) => readRunInfo(root, run)),
    promptOf: (runId: string, n: number) => readFileSync(inRun(runsOf(runId)[n] as RunFolder, "prompt"), "utf8"),
    writeConfig: (text: string) => writeFileSync(configFile, text, { mode: 0o600 }),
    serve: async (more: Readonly<Record<string, string>> = {}): Promise<Served> => {
      const server = await startServer(data, { settings: { ...settings, ...more } });
      servers.push(server);
      return server;
    },
    work: (): ChildProcess => call("worker"),
    /** A command as people call it: its exit code and what it printed. */
    run: async (...args: readonly string[]) => {
      const child = call(...args);
      let out = "";
      child.stdout?.on("data", (text: Buffer) => {
        out += text;
      });
      const [code] = (await once(child, "close")) as [number | null];
      return { code, out };
    },
    close: async () => {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) await kill(child);
      for (const server of servers) await stopServer(server);
      await removeDataFolder(data);
    },
  };
}

export type HomeworkWorld = ReturnType<typeof openHomeworkWorld>;

export async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** A run on a repository that is done once its test suite passes. */
export async function createRun({ api }: Served, repository: string, objective: string): Promise<string> {
  const body = {
    objective,
    engine: "agent" as const,
    work_folder: repository,
    completion_criteria: [
      { kind: "command_succeeds" as const, program: gardenSuite.program, args: [...gardenSuite.args] },
    ],
  };
  return (await api(routes.runs.create, { body })).run_id;
}

const endings = ["completed", "stopped", "failed", "canceled", "waiting_on_user"];

export async function waitForEnd({ api }: Served, runId: string) {
  for (let waitedMs = 0; waitedMs < testLimitMs; waitedMs += 100) {
    const { run } = await api(routes.runs.get, { params: { runId }, query: {} });
    if (endings.includes(run.status)) return run;
    await sleep(100);
  }
  throw new Error(`run ${runId} never ends`);
}

export const untilBegun = (world: HomeworkWorld, runId: string, isBegun: (task: TaskFolder) => boolean) =>
  until("its tool works", () => {
    const task = world.findTask(runId);
    return task !== null && isBegun(task);
  });

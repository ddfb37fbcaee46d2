// Tasks with real processes for tests: the loop in this process, agents as scripts of `sh` under real shims.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Check } from "../../src/domain/run/checks/check.ts";
import { runIterationJob } from "../../src/loop/run-iteration-job.ts";
import { agentPrompt } from "../../src/prompts/agent-prompt.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { loadConfig } from "../../src/runner/config/config.ts";
import type { RunnerConfig } from "../../src/runner/config/runner-config.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import { inRun, listRuns, type RunnerRoot, type TaskFolder } from "../../src/runner/layout/runner-root.ts";
import { keepTaskText } from "../../src/runner/layout/task-files.ts";
import type { AgentPool, PoolAgent } from "../../src/runner/task/agent-pool.ts";
import { type DriveDeps, type Driven, driveTask } from "../../src/runner/task/drive-task.ts";
import { createTaskRun } from "../../src/runner/task/task-run.ts";
import { makeRoot, makeTask } from "../helpers/runner-root.ts";
import { makeDeps } from "./job-world.ts";
import { testBackend } from "./test-backend.ts";

export const makeConfig = (set: Readonly<Record<string, string>> = {}): RunnerConfig =>
  loadConfig({
    file: "/none/config.hcl",
    readFile: () => null,
    environment: {},
    options: { restart_delay: "0s", child_poll_interval: "50ms", ...set },
    task: null,
    project: null,
    homeFolder: "/none",
    workingFolder: "/none",
  }).config;

/** One agent, always the same; what became of it is kept. */
function makePool(script: string, verdicts: string[] = []): AgentPool {
  const agent: PoolAgent = {
    name: "test",
    backend: testBackend,
    model: null,
    baseUrl: null,
    token: null,
    program: ["sh", "-c", script],
  };
  return {
    choose: async () => ({ name: "test", because: "the only one", notBeforeMs: null }),
    find: () => agent,
    record: async (_name, { kind }) => {
      verdicts.push(kind);
    },
    hasOther: () => false,
  };
}

const makeDrive = (root: RunnerRoot): DriveDeps => ({
  jobs: makeDeps(root),
  runIteration: runIterationJob,
  writePrompt: (view) => agentPrompt(view, "0123456789abcdef"),
});

export type TaskWorld = ReturnType<typeof makeTaskWorld>;

type DriveOver = {
  readonly script?: string;
  readonly isStop?: boolean;
  readonly deps?: Partial<DriveDeps>;
};

export type WorldOptions = {
  readonly set?: Readonly<Record<string, string>>;
  readonly checks?: readonly Check[];
  readonly root?: RunnerRoot;
  readonly task?: TaskFolder;
  readonly parentRunId?: string;
};

export function makeTaskWorld(script: string, options: WorldOptions = {}) {
  const root = options.root ?? makeRoot();
  const task = options.task ?? makeTask(root);
  keepTaskText(root, task, "Water the plants.");
  const config = makeConfig(options.set);
  const verdicts: string[] = [];
  const said: string[] = [];
  const deps = makeDrive(root);
  const given = {
    config,
    checks: options.checks ?? [],
    timeZone: "UTC",
    loop: { work_folder: task.path, agents: [], parent_run_id: options.parentRunId ?? "", depth: 0 },
  };
  const stop = new AbortController();
  const drive = (over: DriveOver = {}): Promise<Driven> =>
    driveTask({ ...deps, ...over.deps }, task, {
      config,
      pool: makePool(over.script ?? script, verdicts),
      signal: stop.signal,
      isStop: () => over.isStop ?? true,
      tell: (text) => said.push(text),
      answerCommand: "run-agent answer",
    });
  const runs = () => listRuns(root, task);
  return {
    root,
    task,
    deps,
    given,
    verdicts,
    said,
    stop,
    create: () => createTaskRun(root, task, given),
    drive,
    /** From nothing to the end of the loop. */
    play: async () => {
      await createTaskRun(root, task, given);
      return drive();
    },
    runs,
    infos: () => runs().map((run) => readRunInfo(root, run)),
    prompts: () => runs().map((run) => readFileSync(inRun(run, "prompt"), "utf8")),
    entries: () => readBus(openBus(root, task)).entries,
    bodies: (type: string) =>
      readBus(openBus(root, task))
        .entries.filter((entry) => entry.type === type)
        .map(({ body }) => body),
    post: (type: string, body: string, parents: readonly string[] = []) =>
      openBus(root, task).post({ type, body, parents }),
    write: (name: string, text: string) => writeFileSync(path.join(task.path, name), text),
  };
}

/** How the loop ended, in few words. */
export function endOf(driven: Driven): string {
  if (driven.kind !== "ended") return driven.kind;
  const { state } = driven.run;
  return state.status === "stopped" ? `stopped: ${state.reason}` : state.status;
}

export const writeDoneScript = 'touch "$JRUN_TASK_FOLDER/DONE"';

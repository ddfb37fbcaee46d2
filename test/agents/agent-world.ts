// Jobs of one kind of agent for tests, through its adapter and the real shim. The agent is a real program on the model lab, or the
// recorder in its place; of this machine's HOME, keys and settings it sees nothing.

import path from "node:path";
import { requireBackend } from "../../src/runner/backends/backends.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import {
  defaultLimits,
  type JobHandle,
  type JobRequest,
  type JobResult,
  type StartDeps,
} from "../../src/runner/job/job.ts";
import { locateJob } from "../../src/runner/job/job-files.ts";
import { listProcesses } from "../../src/runner/job/process-table.ts";
import { startJob } from "../../src/runner/job/start-job.ts";
import { waitForJob } from "../../src/runner/job/wait-for-job.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import type { RunFolder, RunnerRoot, TaskFolder } from "../../src/runner/layout/runner-root.ts";
import { isDone } from "../../src/runner/layout/task-files.ts";
import { makeRoot, makeTask } from "../helpers/runner-root.ts";
import { type Scene, writePrompt } from "./agent-scene.ts";
import type { AgentName } from "./install-agents.ts";

/** Plain data: other processes are told of it. */
export type TestedAgent = {
  readonly name: AgentName;
  /** Where its program is. */
  readonly binFolder: string;
  readonly model: string;
  readonly baseUrl: string;
  /** What its surroundings have beside PATH and HOME. */
  readonly variables: Readonly<Record<string, string>>;
  /** What it says in the end. */
  readonly lastWords: string;
};

export const programs = path.join(import.meta.dirname, "programs");
/** To be found in no file of a run. */
export const agentKey = "sk-test-4d1f0c77";

/** Of this machine nothing but the programs that every agent needs. */
export const makeSurroundings = ({ binFolder, variables }: TestedAgent, home: string) => ({
  LANG: "C.UTF-8",
  ...variables,
  HOME: home,
  PATH: [binFolder, path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
});

export function makeAgentDeps(root: RunnerRoot, agent: TestedAgent): StartDeps {
  return {
    root,
    table: listProcesses,
    surroundings: {
      variables: makeSurroundings(agent, path.join(root.folder, "..", "home")),
      binFolder: "/opt/run-agent/bin",
    },
    shim: { file: process.execPath, args: [path.join(import.meta.dirname, "../../bin/agent-shim.js")] },
    timeZone: "UTC",
  };
}

export function makeAgentRequest(agent: TestedAgent, task: TaskFolder, scene: Scene): JobRequest {
  return {
    task,
    backend: requireBackend(agent.name),
    prompt: writePrompt(scene, task.path),
    limits: { ...defaultLimits, graceMs: 3_000 },
    workFolder: task.path,
    model: agent.model,
    baseUrl: agent.baseUrl,
    token: agentKey,
    session: null,
    program: [],
    hasOwnHome: true,
  };
}

/** One run of a loop that starts an agent again until its task is done. */
export type LoopRun = { readonly run: RunFolder; readonly result: JobResult };

export function openAgentWorld(agent: TestedAgent, root = makeRoot()) {
  const task = makeTask(root);
  const deps = makeAgentDeps(root, agent);
  const runOf = (handle: JobHandle): RunFolder => locateJob(root, handle);
  const start = (scene: Scene, over: Partial<JobRequest> = {}) =>
    startJob(deps, { ...makeAgentRequest(agent, task, scene), ...over });
  const play = async (scene: Scene, over: Partial<JobRequest> = {}): Promise<LoopRun> => {
    const handle = await start(scene, over);
    return { run: runOf(handle), result: await waitForJob(deps, handle, { slowestMs: 50 }) };
  };
  return {
    root,
    task,
    deps,
    start,
    play,
    runOf,
    infoOf: (run: RunFolder) => readRunInfo(root, run),
    types: () => readBus(openBus(root, task)).entries.map(({ type }) => type),
    /** Starts the next scene until DONE is there, the agent is refused, or no scene is left. */
    loop: async (scenes: readonly Scene[]): Promise<readonly LoopRun[]> => {
      const runs: LoopRun[] = [];
      for (const scene of scenes) {
        const previous = runs.at(-1)?.run.runId;
        runs.push(await play(scene, previous === undefined ? {} : { previousRunId: previous }));
        if (isDone(root, task) || runs.at(-1)?.result.verdict.kind === "refused") break;
      }
      return runs;
    },
  };
}

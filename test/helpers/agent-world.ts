// Runs of the agent engine on a real database with real processes: agents are scripts of `sh`. What a script prints is its output.

import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import type { AgentDeps, AgentTimes } from "../../src/engine/agent/agent-deps.ts";
import { installAgentEngine } from "../../src/engine/agent/agent-engine.ts";
import { namesOf } from "../../src/engine/agent/agent-place.ts";
import { type EndedJob, runIterationJob } from "../../src/loop/run-iteration-job.ts";
import { realEnv } from "../../src/main/env.ts";
import { requireBackend } from "../../src/runner/backends/backends.ts";
import { defaultLimits } from "../../src/runner/job/job.ts";
import { listProcesses } from "../../src/runner/job/process-table.ts";
import { openTask, type RunnerRoot, type TaskFolder } from "../../src/runner/layout/runner-root.ts";
import type { PoolAgent } from "../../src/runner/task/agent-pool.ts";
import { openGit } from "../../src/runner/work/git.ts";
import { type RunWorld, runWorld } from "./run-world.ts";
import { makeRoot, removeFolders } from "./runner-root.ts";

const shim = fileURLToPath(new URL("../../bin/agent-shim.js", import.meta.url));

const quickTimes: AgentTimes = {
  hostGraceMs: 600_000,
  watchEveryMs: 50,
  questionGraceMs: 200,
  commandMs: 60_000,
  retryPausesMs: [1, 1, 1],
};

export const scriptAgent = (script: string, name = "worker"): PoolAgent => ({
  name,
  backend: requireBackend("command"),
  model: null,
  baseUrl: null,
  token: null,
  program: ["sh", "-c", script],
});

/** The first of the agents works; the others review. */
function agentDeps(
  db: AgentDeps["db"],
  root: RunnerRoot,
  agents: readonly PoolAgent[],
  over: Partial<AgentDeps> = {},
): AgentDeps {
  const [first] = agents;
  if (first === undefined) throw new Error("at least one agent");
  return {
    db,
    env: realEnv,
    jobs: {
      root,
      table: listProcesses,
      surroundings: { variables: process.env, binFolder: "/opt/run-agent/bin" },
      shim: { file: process.execPath, args: [shim] },
      timeZone: "UTC",
    },
    git: openGit(process.env),
    pool: {
      choose: async () => ({ name: first.name, because: "the first", notBeforeMs: null }),
      find: (name) => agents.find((agent) => agent.name === name) ?? first,
      record: async () => {},
      hasOther: () => false,
    },
    agents,
    limits: { ...defaultLimits, graceMs: 500 },
    children: { timeoutMs: 5_000, pollMs: 50 },
    depthMax: 16,
    times: quickTimes,
    writePrompt: (view) => JSON.stringify(view, null, 2),
    ...over,
  };
}

export type AgentWorld = RunWorld & {
  readonly root: RunnerRoot;
  readonly createRun: (over?: Partial<Run>) => Promise<Run>;
  /** One iteration of the run with these agents; null where it has no job. */
  readonly step: (run: Run, agents: readonly PoolAgent[], options?: StepOptions) => Promise<EndedJob>;
  readonly taskOf: (run: Run) => TaskFolder;
  readonly user: UserId;
};

type StepOptions = {
  readonly deps?: Partial<AgentDeps>;
  readonly root?: RunnerRoot;
  readonly signal?: AbortSignal;
  /** The job of the last step, which was left in the middle. */
  readonly isAgain?: boolean;
};

export async function agentWorld(): Promise<AgentWorld> {
  const world = await runWorld(1_000);
  const root = makeRoot();
  const user = await world.makeUser();
  afterAll(removeFolders);
  /** By run: a job that was left in the middle is delivered again. */
  const delivered = new Map<string, { readonly id: string; readonly attempt: number }>();
  return {
    ...world,
    root,
    user,
    createRun: (over = {}) =>
      world.create(user, {
        engine: "agent",
        objective: "Write the greeting",
        deliverables: [],
        checks: [planCheck],
        isJudged: false,
        ...over,
      }),
    step: async (
      run,
      agents,
      { deps = {}, root: given = root, signal = new AbortController().signal, isAgain = false } = {},
    ) => {
      const now = await world.find(run.id);
      const jobs = await world.queue.fetch("iteration", 100);
      const fresh = jobs.find(({ data }) => (data as { run_id: string }).run_id === run.id);
      const job = fresh ?? (isAgain ? delivered.get(run.id) : undefined);
      if (job === undefined) return null;
      delivered.set(run.id, job);
      const due = { id: job.id, attempt: job.attempt, runId: run.id as RunId, iteration: now.state.iteration };
      const made = agentDeps(world.db, given, agents, deps);
      const loop = {
        ...world.deps(noEngine),
        engineFor: (each: Parameters<typeof namesOf>[0]) => installAgentEngine(made, each as never),
      };
      return runIterationJob(loop, due, signal);
    },
    taskOf: (run) => {
      const { projectId, taskId } = namesOf(run);
      return openTask(root, projectId, taskId);
    },
  };
}

const noEngine = { iterate: () => Promise.reject(new Error("not used")) };

// The agents of the settings, ready to be chosen from: those that are named, or all; without any, the programs that are on PATH.

import { existsSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { answersOnly, type BackendName } from "../backends/backend.ts";
import { requireBackend } from "../backends/backends.ts";
import type { SelectionPolicy } from "../backends/choose-backend.ts";
import { findAgents, findProgram } from "../backends/find-agents.ts";
import { hasOtherAgent, recordVerdict, selectBackend } from "../backends/select-backend.ts";
import type { AgentSettings, RunnerConfig } from "../config/runner-config.ts";
import { quote } from "../layout/ids.ts";
import type { RunnerRoot } from "../layout/runner-root.ts";
import type { AgentPool, PoolAgent } from "./agent-pool.ts";

export type PoolOptions = {
  readonly config: RunnerConfig;
  /** Only these; empty: all of the settings. */
  readonly names: readonly string[];
  readonly searchPath: string;
  /** Where a program with a relative path may lie, the first one first. */
  readonly folders: readonly string[];
  /** The root of a task must be able to write DONE; a child may only answer. */
  readonly isRoot: boolean;
};

const foundOnPath: readonly BackendName[] = ["claude", "codex", "gemini", "opencode"];

export function openPool(root: RunnerRoot, options: PoolOptions): AgentPool {
  refuseAnswersOnly(options);
  const agents = listAgents(options).map((agent) => toPoolAgent(agent, options));
  const usable = agents.filter((agent) => missingProgram(agent, options) === null);
  if (usable.length === 0) throw noAgent(agents, options);
  const policy = toPolicy(options.config, usable);
  return {
    choose: () => selectBackend(root, policy),
    find: (name) => {
      const found = usable.find((agent) => agent.name === name);
      if (found) return found;
      throw new AppError("unprocessable", `Agent ${quote(name)} is not configured any more.`);
    },
    record: (name, verdict) => recordVerdict(root, policy, name, verdict),
    hasOther: (name) => hasOtherAgent(root, policy, name),
  };
}

function listAgents({ config, names, searchPath, isRoot }: PoolOptions): readonly AgentSettings[] {
  const configured = config.agents;
  if (names.length > 0) return names.map((name) => requireAgent(configured, name));
  const { order } = config.selection;
  if (order.length > 0) return order.map((name) => requireAgent(configured, name));
  const all = configured.filter(({ type }) => !isRoot || !answersOnly(type));
  return all.length > 0 ? all : findAgents(searchPath).map(({ name }) => bare(name));
}

/** An agent that only answers never writes DONE: a task that may get it would be started again and again. */
function refuseAnswersOnly({ config, names, isRoot }: PoolOptions): void {
  const wanted = names.length > 0 ? names : config.selection.order;
  const without = config.agents.filter(({ name, type }) => answersOnly(type) && wanted.includes(name));
  const [first] = without;
  if (!isRoot || first === undefined) return;
  throw new AppError(
    "invalid_request",
    `Agent ${quote(first.name)} answers and has no tools, so it cannot work on a task. Choose another agent, or ask it with run-agent job.`,
  );
}

function requireAgent(configured: readonly AgentSettings[], name: string): AgentSettings {
  const found = configured.find((agent) => agent.name === name);
  if (found) return found;
  const program = foundOnPath.find((each) => each === name);
  if (program !== undefined) return bare(program);
  const known = [...new Set([...configured.map((agent) => agent.name), ...foundOnPath])];
  throw new AppError(
    "invalid_request",
    `There is no agent ${quote(name)}. Use one of ${known.join(", ")}, or add it to config.hcl.${didYouMean(name, known)}`,
  );
}

const bare = (name: BackendName): AgentSettings => ({
  name,
  type: name,
  token: null,
  baseUrl: null,
  model: null,
  command: [],
});

function toPoolAgent(settings: AgentSettings, options: PoolOptions): PoolAgent {
  const { name, type, token, baseUrl, model, command, acp } = settings;
  const program = type === "command" || type === "acp" ? locate(command, options.folders) : command;
  return { name, backend: requireBackend(type), token: token?.reveal() ?? null, baseUrl, model, program, ...acp };
}

/** A relative path means the folder that has it; the agent itself works elsewhere. */
function locate([file, ...args]: readonly string[], folders: readonly string[]): readonly string[] {
  if (file === undefined) return [];
  if (path.isAbsolute(file) || !/[\\/]/.test(file)) return [file, ...args];
  const found = folders.map((folder) => path.resolve(folder, file)).find((each) => existsSync(each));
  return [found ?? file, ...args];
}

/** Null: it is there. APIs are programs of ours. */
function missingProgram({ backend, program }: PoolAgent, { searchPath }: PoolOptions): string | null {
  const isOwn = backend.name === "command" || backend.name === "acp";
  const file = isOwn ? (program[0] ?? "") : foundOnPath.includes(backend.name) ? backend.name : null;
  if (file === null) return null;
  return findProgram(file, searchPath) === null ? file : null;
}

function noAgent(agents: readonly PoolAgent[], options: PoolOptions): AppError {
  const missing = agents.flatMap((agent) => missingProgram(agent, options) ?? []);
  const answering = options.config.agents.filter(({ type }) => answersOnly(type)).map(({ name }) => name);
  const why =
    missing.length > 0
      ? `${missing.join(", ")} cannot be found on PATH.`
      : answering.length > 0
        ? `${answering.join(", ")} of the settings can only answer: without tools no agent can work on a task.`
        : "No agent is configured, and none of claude, codex, gemini and opencode is on PATH.";
  return new AppError("invalid_request", `${why} Install one, or name a program with --command.`);
}

function toPolicy({ selection }: RunnerConfig, agents: readonly PoolAgent[]): SelectionPolicy {
  return {
    strategy: selection.strategy,
    agents: agents.map(({ name }) => ({ name, weight: selection.weights.get(name) ?? 1 })),
    cooldownMs: selection.cooldownMs,
  };
}

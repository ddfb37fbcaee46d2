// The agents of the settings, ready to be chosen from: those that are named, or all; without any, the programs that are on PATH.

import { existsSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { didYouMean } from "../../lib/nearest.ts";
import type { BackendName } from "../backends/backend.ts";
import { requireBackend } from "../backends/backends.ts";
import type { SelectionPolicy } from "../backends/choose-backend.ts";
import { findAgents, findProgram } from "../backends/find-agents.ts";
import { hasOtherAgent, recordVerdict, selectBackend } from "../backends/select-backend.ts";
import type { AgentSettings, RunnerConfig } from "../config/config.ts";
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

/** They answer and have no tools. */
const withoutTools: readonly BackendName[] = ["perplexity", "openai"];
const foundOnPath: readonly BackendName[] = ["claude", "codex", "gemini", "opencode"];

export function openPool(root: RunnerRoot, options: PoolOptions): AgentPool {
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
  const all = configured.filter(({ type }) => !isRoot || !withoutTools.includes(type));
  return all.length > 0 ? all : findAgents(searchPath).map(({ name }) => bare(name));
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

function toPoolAgent({ name, type, token, baseUrl, model, command }: AgentSettings, options: PoolOptions): PoolAgent {
  const program = type === "command" || type === "acp" ? locate(command, options.folders) : command;
  return { name, backend: requireBackend(type), token: token?.reveal() ?? null, baseUrl, model, program };
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
  const why =
    missing.length === 0
      ? "No agent is configured, and none of claude, codex, gemini and opencode is on PATH."
      : `${missing.join(", ")} cannot be found on PATH.`;
  return new AppError("unprocessable", `${why} Install one, or name a program with --command.`);
}

function toPolicy({ selection }: RunnerConfig, agents: readonly PoolAgent[]): SelectionPolicy {
  return {
    strategy: selection.strategy,
    agents: agents.map(({ name }) => ({ name, weight: selection.weights.get(name) ?? 1 })),
    cooldownMs: selection.cooldownMs,
  };
}

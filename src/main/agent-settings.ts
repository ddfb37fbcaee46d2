// Which agents this installation has: those of run-agent's own settings (`config.hcl`), else the programs on PATH. Looked for when it is
// asked, so that an agent that was just installed is found. Reading it loads no engine.

import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { AppError } from "../lib/app-error.ts";
import { answersOnly } from "../runner/backends/backend.ts";
import { findAgents, findProgram } from "../runner/backends/find-agents.ts";
import { loadConfig } from "../runner/config/config.ts";
import type { RunnerConfig } from "../runner/config/runner-config.ts";
import type { EngineProblems } from "../runs/ports/engine.ts";
import type { Config } from "./config-schema.ts";
import { runnerFiles } from "./ports-runner-files.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

type Asked = Pick<Config, "agent_engine" | "accounts" | "agent_config">;

export function readRunnerConfig(config: Pick<Config, "agent_config">, variables: Variables): RunnerConfig {
  const file = config.agent_config ?? path.join(homedir(), "run-agent", "config.hcl");
  return loadConfig({
    file,
    readFile: runnerFiles.read,
    environment: variables,
    options: {},
    project: null,
    task: null,
    homeFolder: homedir(),
    workingFolder: process.cwd(),
  }).config;
}

/** Names of agents that can work on runs. */
export function listAgentNames(config: Pick<Config, "agent_config">, variables: Variables): readonly string[] {
  const { agents, selection } = readRunnerConfig(config, variables);
  const answering = agents.filter(({ type }) => answersOnly(type)).map(({ name }) => name);
  if (selection.order.length > 0) return selection.order.filter((name) => !answering.includes(name));
  const able = agents.filter(({ type }) => !answersOnly(type)).map(({ name }) => name);
  return able.length > 0 ? able : findAgents(variables.PATH ?? "").map(({ name }) => name);
}

/** Null: runs can be worked on by agents here. */
export function findAgentProblem(config: Asked, variables: Variables): string | null {
  const instead = "leave `engine` out, or use the planner engine";
  if (config.agent_engine === "off") return `the agent engine is switched off here (agent_engine); ${instead}`;
  if (config.agent_engine === "auto" && config.accounts)
    return `agents would work with the logins of the person who runs this server, so they are off where others have accounts; set agent_engine to on, or ${instead}`;
  if (findProgram("git", variables.PATH ?? "") === null)
    return `git is not installed, and agents need it; install it, or ${instead}`;
  try {
    if (listAgentNames(config, variables).length > 0) return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `the settings of run-agent cannot be used: ${error.message}; mend them, or ${instead}`;
  }
  const onlyAnswering = readRunnerConfig(config, variables).agents.map(({ name }) => name);
  if (onlyAnswering.length > 0)
    return `${onlyAnswering.join(", ")} can only answer, and runs need an agent with tools; add one to config.hcl, or ${instead}`;
  return `no agent is installed; install claude, codex, gemini or opencode so that it is on PATH, or ${instead}`;
}

/** By engine; looked up anew each time. */
export const findEngineProblems = (config: Asked, variables: Variables): EngineProblems => ({
  planner: null,
  get agent() {
    return findAgentProblem(config, variables);
  },
});

/** Null: runs may work there. */
export function findFolderProblem(
  config: Pick<Config, "accounts" | "agent_folders">,
  repository: string,
): string | null {
  const isInside = (folder: string) => {
    const between = path.relative(path.resolve(folder), repository);
    return between === "" || (!between.startsWith("..") && !path.isAbsolute(between));
  };
  if (config.agent_folders.length === 0 ? config.accounts : !config.agent_folders.some(isInside))
    return `runs may not work in ${repository}; the person who manages this installation can allow it (agent_folders)`;
  try {
    accessSync(repository, constants.R_OK | constants.W_OK);
    return null;
  } catch {
    return `${repository} cannot be written by Homework`;
  }
}

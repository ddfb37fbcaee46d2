// Which folders of agents a user of Homework sees. Tasks of their own: the local owner has the root of `run-agent` itself; with accounts,
// each user has a folder named by their id inside of `agents_root`, and no one has any where that is not set. And the agents of their
// Homework runs, which lie in the data folder, one project for each user.

import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { projectOfRuns } from "../engine/agent/agent-place.ts";
import { AppError } from "../lib/app-error.ts";
import type { Logger } from "../lib/logger.ts";
import { findAgents } from "../runner/backends/find-agents.ts";
import type { AgentDesk } from "../server/agents/agent-desk.ts";
import type { DesksPort } from "../server/routes/agent-routes.ts";
import { findFolderProblem, listAgentNames } from "./agent-settings.ts";
import type { Config } from "./config-schema.ts";
import { agentsFolder } from "./open-agent-engine.ts";
import { type DeskOptions, openAgentDesk } from "./open-desk.ts";
import { openRunnerRoot } from "./open-runner-root.ts";
import { runAgentCommand, type TaskProgram } from "./start-task-program.ts";

/** Desks of users that are kept open; the longest unused is let go of. */
const desksMax = 200;

export function openAgentDesks(config: Config, logger: Logger): DesksPort {
  const program: TaskProgram = { command: runAgentCommand, environment: process.env };
  const desks = new Map<string, AgentDesk>();
  /** By folder and by who acts in it. */
  const openOnce = (
    folder: string,
    actor: string,
    rules: () => Pick<DeskOptions, "folderProblem" | "agentNames">,
  ): AgentDesk => {
    const name = `${folder}\0${actor}`;
    const desk = desks.get(name) ?? openAgentDesk({ root: openRunnerRoot(folder), logger, program, actor, ...rules() });
    desks.delete(name);
    desks.set(name, desk);
    if (desks.size > desksMax) desks.delete(desks.keys().next().value ?? "");
    return desk;
  };
  return {
    desksFor: ({ userId, name }) => {
      const folder = ownFolder(config, userId);
      const ofRuns = agentsFolder(config.data);
      const runsProject = projectOfRuns(userId);
      const hasRuns = existsSync(path.join(ofRuns, runsProject));
      return {
        own:
          folder === null || !isWanted(config, folder)
            ? null
            : openOnce(folder, name, () => ({
                folderProblem: (asked) => findFolderProblem(config, asked),
                agentNames: configuredNames(folder),
              })),
        runs: hasRuns ? openOnce(ofRuns, name, () => ({})) : null,
        runsProject,
      };
    },
  };
}

/** Null: this user has none. */
function ownFolder({ agents_root: root, accounts }: Config, userId: string): string | null {
  if (!accounts) return root ?? path.join(os.homedir(), "run-agent");
  return root === null ? null : path.join(root, userId);
}

/** A folder is not made for someone who has neither asked for one nor has an agent. */
const isWanted = (config: Config, folder: string): boolean =>
  config.agents_root !== null || existsSync(folder) || findAgents(process.env.PATH ?? "").length > 0;

/** Of the settings that tasks in this folder are started with; empty where they cannot be read, which the start tells. */
function configuredNames(folder: string): readonly string[] {
  const file = path.join(folder, "config.hcl");
  try {
    return existsSync(file) ? listAgentNames({ agent_config: file }, process.env) : [];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

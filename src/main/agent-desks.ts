// Whose root folder a user of Homework has. The local owner has the one of `run-agent` itself; with accounts, each user has a folder named
// by their id inside of `agents_root`, and no one has any where that is not set.

import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Logger } from "../lib/logger.ts";
import { findAgents } from "../runner/backends/find-agents.ts";
import type { AgentDesk } from "../server/agents/agent-desk.ts";
import type { DesksPort } from "../server/routes/agent-routes.ts";
import { findFolderProblem } from "./agent-settings.ts";
import type { Config } from "./config-schema.ts";
import { openAgentDesk } from "./open-desk.ts";
import { openRunnerRoot } from "./open-runner-root.ts";
import { runAgentCommand, type TaskProgram } from "./start-task-program.ts";

/** Desks of users that are kept open; the longest unused is let go of. */
const desksMax = 200;

export function openAgentDesks(config: Config, logger: Logger): DesksPort {
  const program: TaskProgram = { command: runAgentCommand, environment: process.env };
  const desks = new Map<string, AgentDesk>();
  return {
    deskFor: ({ userId, name }) => {
      const folder = agentsFolder(config, userId);
      if (folder === null || !isWanted(config, folder)) return null;
      const known = desks.get(folder);
      desks.delete(folder);
      const open = () =>
        openAgentDesk({
          ...{ root: openRunnerRoot(folder), logger, program, actor: name },
          folderProblem: (asked) => findFolderProblem(config, asked),
        });
      const desk = known ?? open();
      desks.set(folder, desk);
      if (desks.size > desksMax) desks.delete(desks.keys().next().value ?? "");
      return desk;
    },
  };
}

/** Null: this user has none. */
function agentsFolder({ agents_root: root, accounts }: Config, userId: string): string | null {
  if (!accounts) return root ?? path.join(os.homedir(), "run-agent");
  return root === null ? null : path.join(root, userId);
}

/** A folder is not made for someone who has neither asked for one nor has an agent. */
const isWanted = (config: Config, folder: string): boolean =>
  config.agents_root !== null || existsSync(folder) || findAgents(process.env.PATH ?? "").length > 0;

// A desk on a runner's root, with this machine's processes and programs.

import type { Logger } from "../lib/logger.ts";
import { findAgents } from "../runner/backends/find-agents.ts";
import { listProcesses } from "../runner/job/process-table.ts";
import type { RunnerRoot } from "../runner/layout/runner-root.ts";
import { type Desk, openDesk } from "../runner/serve/desk.ts";
import type { AgentDesk } from "../server/agents/agent-desk.ts";
import { startTaskWith, type TaskProgram } from "./start-task-program.ts";

export type DeskOptions = {
  readonly root: RunnerRoot;
  readonly logger: Logger;
  readonly program: TaskProgram;
  readonly actor: string;
  readonly agentNames?: readonly string[];
  readonly folderProblem?: (folder: string) => string | null;
};

export function openAgentDesk({ root, logger, program, actor, agentNames = [], ...rules }: DeskOptions): AgentDesk {
  const found = findAgents(program.environment.PATH ?? "");
  const desk: Desk = openDesk({
    root,
    table: listProcesses,
    logger,
    actor,
    agents: [
      ...found,
      ...agentNames.filter((name) => found.every((one) => one.name !== name)).map((name) => ({ name, file: "" })),
    ],
    startTask: startTaskWith(program, root),
    whyNotStart: null,
    ...rules,
  });
  return desk;
}

// docs/run-agent-cli.md: the help of every command of `run-agent`, as the program itself prints it.

import { hostForHelp, renderReference } from "../reference.ts";
import type { AgentHost } from "./ports.ts";
import { buildAgentProgram } from "./program.ts";

const opening =
  "# Commands of run-agent\n\nThis page is made by `npm run generate` from the commands themselves. What it is for: [run-agent.md](run-agent.md).\n";

export const renderAgentReference = (): string => renderReference(buildAgentProgram(hostForAgentHelp), opening);

const refuse = (): never => {
  throw new Error("bug: help needs nothing from outside");
};

export const hostForAgentHelp: AgentHost = {
  ...hostForHelp,
  environment: {},
  workingFolder: "/",
  homeFolder: "/",
  processesAbove: refuse,
  stoppedBy: () => null,
  openRoot: refuse,
  openAgents: refuse,
  openPages: refuse,
  serve: refuse,
  startAlone: refuse,
  files: { read: refuse, readInput: refuse, write: refuse },
};

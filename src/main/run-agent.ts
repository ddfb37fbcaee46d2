// The program `run-agent`: takes what the process was given, hands it to the command line, and ends with its number. It works on folders
// alone: no database and no server is loaded.

import { homedir } from "node:os";
import type { AgentHost } from "../cli/agents/ports.ts";
import { buildAgentProgram } from "../cli/agents/program.ts";
import { runProgram } from "../cli/run-program.ts";
import { listProcessesAbove } from "../runner/job/process-table.ts";
import { realEnv } from "./env.ts";
import { openRunnerRoot } from "./open-runner-root.ts";
import { runnerFiles } from "./ports-runner-files.ts";
import { stopOnSignals } from "./ports-signals.ts";
import { flushTerminal, openTerminal } from "./ports-terminal.ts";
import { startAlone } from "./start-alone.ts";
import { readVersion } from "./version.ts";

let heard: NodeJS.Signals | null = null;

const host: AgentHost = {
  env: realEnv,
  terminal: openTerminal(process.env),
  version: readVersion(),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  stop: stopOnSignals((name) => {
    heard = name;
  }),
  stoppedBy: () => heard,
  environment: process.env,
  workingFolder: process.cwd(),
  homeFolder: homedir(),
  processesAbove: listProcessesAbove,
  openRoot: openRunnerRoot,
  // Most commands start nothing, and need not wait for this to load.
  openAgents: async (root, configFile) => {
    const { openDrive, openJobs } = await import("./open-agents.ts");
    return openDrive(openJobs(root, configFile, process.env));
  },
  openPages: async () => (await import("./ports-web.ts")).webPages,
  serve: async (options) => (await import("./serve-agents.ts")).serveAgents(options),
  startAlone,
  files: runnerFiles,
};

process.exitCode = await runProgram(buildAgentProgram(host), process.argv.slice(2), host);
await flushTerminal();
process.exit();

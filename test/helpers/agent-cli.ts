// `run-agent` inside of a test: the real program on a real folder, with a terminal that remembers.

import path from "node:path";
import type { AgentHost } from "../../src/cli/agents/ports.ts";
import { buildAgentProgram } from "../../src/cli/agents/program.ts";
import type { Terminal } from "../../src/cli/ports.ts";
import { runProgram } from "../../src/cli/run-program.ts";
import { realEnv } from "../../src/main/env.ts";
import { openDrive, openJobs } from "../../src/main/open-agents.ts";
import { runnerFiles } from "../../src/main/ports-runner-files.ts";
import type { RunnerRoot } from "../../src/runner/layout/runner-root.ts";
import type { Ran } from "./cli-host.ts";
import { makeFolder, makeRoot } from "./runner-root.ts";

export type AgentCli = {
  readonly root: RunnerRoot;
  readonly home: string;
  readonly run: (args: readonly string[], over?: Over) => Promise<Ran>;
};

type Over = Partial<Omit<AgentHost, "terminal">> & {
  readonly terminal?: Partial<Terminal>;
  /** What stdin says. */
  readonly input?: string;
};

/** A home folder of its own, with the root where it usually is. */
export function makeAgentCli(): AgentCli {
  const home = makeFolder();
  const root = makeRoot({ folder: path.join(home, "run-agent") });
  const run: AgentCli["run"] = async (args, { terminal, input = "", ...over } = {}) => {
    const written = { out: "", words: "" };
    const host: AgentHost = {
      env: realEnv,
      version: "1.2.3",
      timeZone: "UTC",
      stop: new AbortController().signal,
      environment: {},
      workingFolder: home,
      homeFolder: home,
      processesAbove: () => [],
      stoppedBy: () => null,
      openRoot: (folder) => makeRoot({ folder }),
      openAgents: async (opened, configFile) => openDrive(openJobs(opened, configFile, process.env)),
      openPages: async () => ({
        isBuilt: () => true,
        canBuild: () => true,
        whyStale: async () => null,
        build: async () => {},
      }),
      serve: async () => {},
      startAlone: () => {},
      files: runnerFiles,
      ...over,
      terminal: {
        out: (text) => {
          written.out += text;
        },
        say: (text) => {
          written.words += text;
        },
        readInput: async () => input,
        askSecret: async () => "",
        ask: async () => null,
        columns: null,
        isInteractive: false,
        hasColor: false,
        canRedraw: false,
        ...terminal,
      },
    };
    const code = await runProgram(buildAgentProgram(host), args, host);
    return { code, ...written };
  };
  return { root, home, run };
}

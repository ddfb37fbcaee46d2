// Runs the body of a command of `run-agent` with what every command has: the options of all commands and a way to speak. Bodies are
// loaded when they are called, so that `run-agent --version` and a typing error answer at once.

import type { Command } from "commander";
import { createOutput, type Output } from "../output.ts";
import type { AgentHost } from "./ports.ts";

export type AgentFlags = {
  readonly root: string | null;
  readonly project: string | null;
  readonly task: string | null;
  readonly config: string | null;
  readonly set: Readonly<Record<string, string>>;
};

export type AgentInvocation = { readonly host: AgentHost; readonly output: Output; readonly flags: AgentFlags };

export type AgentAction<Args extends readonly unknown[]> = (given: AgentInvocation, ...args: Args) => Promise<void>;

type GlobalOptions = Partial<Record<"root" | "project" | "task" | "config", string>> & {
  readonly json?: true;
  readonly quiet?: true;
  readonly color: boolean;
  readonly set?: Readonly<Record<string, string>>;
};

export function agentAction<Args extends readonly unknown[]>(
  host: AgentHost,
  load: () => Promise<AgentAction<Args>>,
): (...args: [...Args, Command]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command;
    const body = await load();
    await body(invocation(host, command), ...(args.slice(0, -1) as unknown as Args));
  };
}

function invocation(host: AgentHost, command: Command): AgentInvocation {
  const { json, quiet, color, root, project, task, config, set } = command.optsWithGlobals<GlobalOptions>();
  return {
    host,
    output: createOutput(host, { json: json === true, quiet: quiet === true, verbose: false, color }),
    flags: {
      root: root ?? null,
      project: project ?? null,
      task: task ?? null,
      config: config ?? null,
      set: set ?? {},
    },
  };
}

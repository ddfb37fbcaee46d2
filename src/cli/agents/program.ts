// The command tree of `run-agent`. Building it does nothing and loads little.

import { Command } from "commander";
import { exitCodesHelp, helpOutput } from "../help.ts";
import { examples } from "../options.ts";
import { addAnswerCommand, addBusCommands } from "./commands/bus.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addConfigCommands } from "./commands/config.ts";
import { addFactsCommands } from "./commands/facts.ts";
import { addGcCommand } from "./commands/gc.ts";
import { addJobCommands } from "./commands/job.ts";
import { addLookCommands } from "./commands/look.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addTaskCommands } from "./commands/task.ts";
import { settingOption } from "./options.ts";
import type { AgentHost } from "./ports.ts";
import { refuseIgnored } from "./refuse-ignored.ts";

const groups: readonly (readonly [string, readonly ((program: Command, host: AgentHost) => void)[]])[] = [
  ["Tasks", [addTaskCommands, addJobCommands, addLookCommands, addServeCommand]],
  ["Messages and facts", [addAnswerCommand, addBusCommands, addFactsCommands]],
  ["Setting up", [addConfigCommands, addGcCommand, addCompletionCommand]],
];

export function buildAgentProgram(host: AgentHost): Command {
  const program = new Command("run-agent")
    .description("Start coding agents, restart them until the task is done, and see what they did.")
    .version(host.version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .usage("[options] <command>")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(helpOutput(host))
    .option("--root <folder>", "folder of the projects (default: ~/run-agent)")
    .option("-p, --project <project>", "id of the project")
    .option(
      "-t, --task <task>",
      'id of the task, a part that only one task has, or "last" (the default where no task is known)',
    )
    .option("--json", "print one JSON value instead of text for people")
    .option("--config <file>", "config file (default: config.hcl in the root)")
    .option("--set <name=value>", "any setting, for this command; may be repeated", settingOption)
    .option("-q, --quiet", "only data and errors")
    .option("--no-color", "no colors (also: NO_COLOR=1)");
  for (const [heading, add] of groups) {
    program.commandsGroup(`${heading}:`);
    for (const each of add) each(program, host);
  }
  program.hook("preAction", (_, command) => refuseIgnored(program, command));
  program.commandsGroup("Help:").helpCommand("help [command]", "show help for a command");
  examples(program, [
    `task -p garden "Plan what to plant in spring"`,
    "list",
    "status -t plan-what-to-plant",
    `bus post -t plan-what-to-plant "Leave room for the roses"`,
    "output -t plan-what-to-plant --follow",
  ]);
  return program.addHelpText(
    "after",
    `${exitCodesHelp()}\n\nInside of an agent's run, project and task are known and need not be named.\nMore: docs/run-agent.md`,
  );
}

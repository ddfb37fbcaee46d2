// The whole command tree. Building it does nothing; `run.ts` parses arguments with it, `reference.ts` documents it.

import { Command } from "commander";
import { addChannelCommands } from "./commands/channel.ts";
import { addChatCommand } from "./commands/chat.ts";
import { addConfigCommands } from "./commands/config.ts";
import { addDatabaseCommands } from "./commands/database.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addDocumentCommands } from "./commands/document.ts";
import { addEscalationCommands } from "./commands/escalation.ts";
import { addHome } from "./commands/home.ts";
import { addKeyCommands } from "./commands/key.ts";
import { addModelCommands } from "./commands/model.ts";
import { addOutcomeCommands } from "./commands/outcome.ts";
import { addProjectCommands } from "./commands/project.ts";
import { addRunCommands, refuseCommandName } from "./commands/run.ts";
import { addRunActCommands } from "./commands/run-act.ts";
import { addRunApproveCommands } from "./commands/run-approve.ts";
import { addFollowUpCommand } from "./commands/run-follow-up.ts";
import { addRunLookCommands } from "./commands/run-look.ts";
import { addRestoreCommand } from "./commands/run-restore.ts";
import { addResultCommand } from "./commands/run-result.ts";
import { addUndoCommand } from "./commands/run-undo.ts";
import { addWorkCommands } from "./commands/run-work.ts";
import { addSearchCommand } from "./commands/search.ts";
import { addServingCommands } from "./commands/serve.ts";
import { addTaskCommands } from "./commands/task.ts";
import { addUserCommands } from "./commands/user.ts";
import { exitCodesHelp, helpOutput } from "./help.ts";
import { assignment, examples } from "./options.ts";
import type { Host } from "./ports.ts";

export function buildProgram(host: Host): Command {
  const program = new Command("homework")
    .description("Hand over an objective, close the tab, come back to finished, verified work and a report of it.")
    .version(host.version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .usage("[options] [command]")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(helpOutput(host))
    .option("--json", "print one JSON value instead of text for people")
    .option("--data <folder>", "data folder (data)")
    .option("--config <file>", "config file to use")
    .option("--set <name=value>", "any setting, for this command; may be repeated", assignment)
    .option("-q, --quiet", "only data and errors")
    .option("-v, --verbose", "also show ids")
    .option("--no-color", "no colors (also: NO_COLOR=1)");
  for (const [heading, add] of groups) {
    program.commandsGroup(`${heading}:`);
    for (const each of add) each(program, host);
  }
  program.hook("preAction", (_, command) => refuseCommandName(program, command));
  addHome(program, host);
  program.commandsGroup("Help:").helpCommand("help [command]", "show help for a command");
  examples(program, [
    `run "Plan my kitchen: measure, compare three offers, write down a budget"`,
    "list",
    "watch last",
    "start",
    `project create "New kitchen"`,
    `search walls --json`,
  ]);
  return program.addHelpText("after", `${exitCodesHelp()}\n\nSettings: homework config, docs/config.md`);
}

const groups: readonly (readonly [string, readonly ((program: Command, host: Host) => void)[]])[] = [
  [
    "Homework",
    [
      addRunCommands,
      addResultCommand,
      addRunLookCommands,
      addRunActCommands,
      addFollowUpCommand,
      addRunApproveCommands,
      addUndoCommand,
      addRestoreCommand,
      addWorkCommands,
    ],
  ],
  ["Outcomes", [addOutcomeCommands, addEscalationCommands]],
  [
    "Running it",
    [addServingCommands, addDoctorCommand, addModelCommands, addDatabaseCommands, addConfigCommands, addUserCommands],
  ],
  [
    "Your things",
    [
      addProjectCommands,
      addTaskCommands,
      addDocumentCommands,
      addSearchCommand,
      addChatCommand,
      addKeyCommands,
      addChannelCommands,
    ],
  ],
];

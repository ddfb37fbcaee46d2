// docs/cli.md: the help of every command, as the program itself prints it.

import type { Command } from "commander";
import type { Env, Instant } from "../lib/env.ts";
import type { Host } from "./ports.ts";
import { buildProgram } from "./program.ts";

const opening = "# Commands\n\nThis page is made by `npm run generate` from the commands themselves.\n";

export const renderCliReference = (): string => renderReference(buildProgram(hostForHelp), opening);

/** Every command below the program, with its help. */
export function renderReference(program: Command, intro: string): string {
  const sections = commandsBelow(program).map((command) => {
    const name = pathOf(command).join(" ");
    return `## ${name}\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`;
  });
  return [intro, ...sections].join("\n");
}

function commandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsBelow)];
}

function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [command.name()] : [...pathOf(command.parent), command.name()];
}

/** All of it, with what `addHelpText` added. */
function helpOf(command: Command): string {
  let text = "";
  const collect = (piece: string) => {
    text += piece;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut: collect });
  command.outputHelp();
  return text;
}

const refuse = (): never => {
  throw new Error("bug: help needs nothing from outside");
};

/** Help is the same everywhere: a fixed width, no colors, no version. */
export const hostForHelp: Host = {
  workingFolder: "/",
  timeZone: "UTC",
  env: { now: () => 0 as Instant, newId: refuse, sleep: refuse } satisfies Pick<Env, "now" | "newId" | "sleep">,
  terminal: {
    out: () => {},
    say: () => {},
    readInput: refuse,
    askSecret: refuse,
    ask: refuse,
    columns: null,
    isInteractive: false,
    hasColor: false,
    canRedraw: false,
  },
  files: { readText: refuse, exists: refuse, makeFolder: refuse, writeNew: refuse },
  version: "",
  stop: new AbortController().signal,
  open: refuse,
  settings: { show: refuse, jsonSchema: refuse, path: refuse },
};

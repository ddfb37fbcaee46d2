// Options of every command of `run-agent` that one command does nothing with: refused, so that no one believes they counted.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";

const places = ["project", "task"];
const settings = ["config", "set"];

/** By command. Those that are not here look at all of them. `set`: only the folder of the projects counts, which `isRoot` tells. */
const ignored: Readonly<Record<string, readonly string[]>> = {
  "task create": ["set"],
  "task show": ["set"],
  "task state": ["set"],
  "task cancel": ["set"],
  "task delete": ["set"],
  stop: ["set"],
  list: ["set"],
  status: ["set"],
  answer: ["set"],
  output: ["set"],
  watch: ["set"],
  "bus post": ["set"],
  "bus poll": ["set"],
  "bus read": ["set"],
  "bus stream": ["set"],
  "bus discover": ["root", ...places, ...settings],
  "facts list": ["set"],
  "facts show": ["set"],
  "facts add": ["set"],
  gc: ["task", "set"],
  serve: places,
  "config init": [...places, "set"],
  "config schema": ["root", ...places, ...settings],
  completion: ["root", ...places, ...settings, "json"],
};

export function refuseIgnored(program: Command, command: Command): void {
  const name = nameOf(program, command);
  const given = program.opts<Readonly<Record<string, unknown>>>();
  const none = (ignored[name] ?? []).find((each) => given[each] !== undefined && !isRoot(name, each, given[each]));
  if (none !== undefined) throw doesNothing(`--${none}`, `run-agent ${name}`);
  if (name === "list" && given.task !== undefined && command.opts().status !== undefined)
    throw doesNothing("--status", "the runs of a task");
}

const doesNothing = (option: string, what: string): AppError =>
  new AppError("invalid_request", `${option} does nothing for ${what}. Leave it out.`);

const nameOf = (program: Command, command: Command): string =>
  command.parent === null || command.parent === program
    ? command.name()
    : `${nameOf(program, command.parent)} ${command.name()}`;

/** `--set projects_root=…` says which folder is meant, as --root does. */
function isRoot(name: string, option: string, value: unknown): boolean {
  const isUsed = !(ignored[name] ?? []).includes("root");
  return option === "set" && isUsed && Object.keys(value as object).every((each) => each === "projects_root");
}

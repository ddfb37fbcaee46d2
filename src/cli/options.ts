// Readers for the values of options that several commands take. A value that is not usable is a usage error.

import { type Command, InvalidArgumentError, Option } from "commander";

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** `name=value`, gathered over several uses of the option. */
export function assignment(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give it as name=value, such as port=4181.");
  return { ...before, [text.slice(0, at).trim().replaceAll("-", "_")]: text.slice(at + 1) };
}

/** Words separated by commas, each one of `known`. */
export function listOf<const Known extends readonly string[]>(known: Known): (text: string) => Known[number][] {
  return (text) => {
    const words = text.split(",").map((word) => word.trim());
    const strange = words.find((word) => !known.includes(word));
    if (strange !== undefined) throw new InvalidArgumentError(`"${strange}" is not one of ${known.join(", ")}.`);
    return words as Known[number][];
  };
}

export function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

/** A yes or no in a query. */
export const flagOf = (isYes: boolean | undefined): "true" | "false" => (isYes ? "true" : "false");

/** A command that only has commands below it: `task` of `task list`. */
export function addFamily(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).helpCommand(false);
}

/** Puts examples under the help of a command; each line is what follows the name of the program. */
export function examples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText("after", () => {
    const program = programOf(command).name();
    return `\nExamples:\n${lines.map((line) => `  $ ${program} ${line}`).join("\n")}`;
  });
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}

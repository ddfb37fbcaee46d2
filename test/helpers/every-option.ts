// Goes through every option of a command line: the command is run without it and with it, and what is asked of the world and said to the
// person is compared. An option that changes nothing, and is not refused, does nothing.

import type { Command, Option } from "commander";
import { expect } from "vitest";

/** What a command asked of the world and said; two of the same command are compared. */
export type Transcript = { readonly code: number; readonly happened: readonly unknown[] };

/** What one option is tried with. */
type Tried = {
  readonly value?: string;
  /** What has to stand beside it, with and without it. */
  readonly beside?: readonly string[];
  /** In place of the command's arguments, in the run with the option. */
  readonly args?: readonly string[];
  /** The same in the run without it. */
  readonly base?: readonly string[];
  /** Without it the command is refused. */
  readonly isNeeded?: true;
};

/** A string is a value, true is none. */
export type OptionRow = string | true | Tried;

export type CommandRow = {
  /** Arguments that the command needs. */
  readonly args?: readonly string[];
  readonly options?: Readonly<Record<string, OptionRow>>;
};

export type OptionCase = {
  readonly without: readonly string[];
  readonly withIt: readonly string[];
  readonly isNeeded: boolean;
};

const longOf = ({ long, short }: Pick<Option, "long" | "short">): string => long ?? short ?? "";

/** Names of all commands that do something: `task list`. */
export function commandsBelow(program: Command, names: readonly string[] = []): ReadonlyMap<string, Command> {
  const found = new Map<string, Command>();
  const isDoing = program.commands.length === 0;
  if (isDoing) found.set(names.join(" "), program);
  for (const each of program.commands)
    for (const [name, command] of commandsBelow(each, [...names, each.name()])) found.set(name, command);
  return found;
}

/** A case for each option of the program. An option without a row is tried without a value. */
export function casesOf(
  program: Command,
  rows: Readonly<Record<string, CommandRow>>,
): readonly (readonly [string, OptionCase])[] {
  return [...commandsBelow(program)].flatMap(([name, command]) =>
    command.options.map((option) => {
      const long = longOf(option);
      const row = rows[name]?.options?.[long] ?? true;
      const usual = rows[name]?.args ?? [];
      const tried: Tried = row === true ? {} : typeof row === "string" ? { value: row } : row;
      const { value, beside = [], args = usual, base = usual, isNeeded = false } = tried;
      const words = name.split(" ");
      const without = [...words, ...base, ...beside];
      const withIt = [...words, ...args, ...beside, long, ...(value === undefined ? [] : [value])];
      return [`${name} ${long}`, { without, withIt, isNeeded }] as const;
    }),
  );
}

/** A refusal of the option is no effect: a row whose value is refused proves nothing. */
export async function expectEffect(
  { without, withIt, isNeeded }: OptionCase,
  play: (args: readonly string[]) => Promise<Transcript>,
): Promise<void> {
  const [before, after] = [await play(without), await play(withIt)];
  const refusals = [...(isNeeded ? [] : [before]), after].filter(({ code }) => code === 2);
  expect(refusals.map(({ happened }) => happened.at(-1))).toEqual([]);
  expect(JSON.stringify(after)).not.toBe(JSON.stringify(before));
}

/** Rows of commands and options that are gone. */
export const listStale = (program: Command, rows: Readonly<Record<string, CommandRow>>): readonly string[] =>
  Object.entries(rows).flatMap(([name, { options = {} }]) => {
    const command = commandsBelow(program).get(name);
    if (command === undefined) return [name];
    const known = command.options.map(longOf);
    return Object.keys(options).flatMap((each) => (known.includes(each) ? [] : [`${name} ${each}`]));
  });

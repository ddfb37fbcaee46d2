// A command that replaces the text of something others may change can name the version that was edited.

import type { Command } from "commander";
import { expect, test } from "vitest";
import { buildProgram } from "./program.ts";
import { hostForHelp } from "./reference.ts";

const flatten = (command: Command, path = ""): readonly (readonly [string, Command])[] =>
  command.commands.flatMap((each) => {
    const name = `${path} ${each.name()}`.trim();
    return [[name, each] as const, ...flatten(each, name)];
  });

const optionsOf = (command: Command) => command.options.map(({ long }) => long);
const texts = ["--content", "--description", "--title", "--name", "--text"];
const updating = flatten(buildProgram(hostForHelp)).filter(
  ([name, command]) => /(update|edit)$/.test(name) && optionsOf(command).some((option) => texts.includes(option ?? "")),
);

test("commands that change something with a text take the version that was read", () => {
  expect(updating.length).toBeGreaterThanOrEqual(3);
  expect(updating.filter(([, command]) => !optionsOf(command).includes("--if-version")).map(([name]) => name)).toEqual(
    [],
  );
});

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { findAgents } from "./find-agents.ts";

afterEach(removeFolders);

function makeProgram(folder: string, name: string, mode = 0o755): string {
  const file = path.join(folder, name);
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

test("agents are found in the first folder that has them", () => {
  const [one, other] = [makeFolder(), makeFolder()];
  const codex = makeProgram(one, "codex");
  makeProgram(other, "codex");
  const claude = makeProgram(other, "claude");
  expect(findAgents([one, other].join(path.delimiter))).toEqual([
    { name: "claude", file: claude },
    { name: "codex", file: codex },
  ]);
});

test("a link to a program is one, as npm makes them", () => {
  const folder = makeFolder();
  symlinkSync(makeProgram(folder, "cli.js"), path.join(folder, "gemini"));
  expect(findAgents(folder)).toEqual([{ name: "gemini", file: path.join(folder, "gemini") }]);
});

test("folders, files that cannot be run, dead links and relative folders are passed over", () => {
  const folder = makeFolder();
  mkdirSync(path.join(folder, "claude"));
  makeProgram(folder, "codex", 0o644);
  symlinkSync(path.join(folder, "missing"), path.join(folder, "opencode"));
  expect(findAgents(["", ".", "bin", folder, path.join(folder, "none")].join(path.delimiter))).toEqual([]);
});

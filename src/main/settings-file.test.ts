import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { readOrUndefined } from "../files/owned-files.ts";
import { openSettingsFile } from "./settings-file.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The settings of a new home, with this text in its config file. */
function open(text: string | null, environment: Readonly<Record<string, string>> = {}) {
  const homeDir = mkdtempSync(path.join(os.tmpdir(), "homework-settings-"));
  folders.push(homeDir);
  const file = path.join(homeDir, ".config", "homework", "config.json");
  if (text !== null) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const flags = { configFile: null, values: {} };
  const readFile = (name: string) => readOrUndefined(name) ?? null;
  return { file, settings: openSettingsFile({ flags, environment, readFile, homeDir, workingDir: homeDir }) };
}

const contentOf = (file: string) => JSON.parse(readFileSync(file, "utf8"));

test("a change makes the file, for its owner's eyes only, and is read at once", () => {
  const { file, settings } = open(null);
  const { config, origins } = settings.change({ openai_api_key: "sk-1" });
  expect([config.openai_api_key, origins.openai_api_key.source]).toEqual(["sk-1", "file"]);
  expect([contentOf(file), statSync(file).mode & 0o777]).toEqual([{ openai_api_key: "sk-1" }, 0o600]);
});

test("what else is in the file stays, and a file that others could read is closed", () => {
  const { file, settings } = open('{ "$schema": "x", "port": 4181, "openai_api_key": "sk-1" }');
  chmodSync(file, 0o644);
  settings.change({ openai_api_key: null, model_judge: ["demo/rules"] });
  expect(contentOf(file)).toEqual({ $schema: "x", port: 4181, model_judge: ["demo/rules"] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("settings that would not do together are refused, and nothing is written", () => {
  const before = '{ "openai_api_key": "sk-1", "model": ["openai/gpt-5"] }';
  const { file, settings } = open(before);
  expect(() => settings.change({ openai_api_key: null })).toThrow(/model: needs openai_api_key/);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("a file that was broken meanwhile is left alone", () => {
  const { file, settings } = open("{}");
  writeFileSync(file, "{ broken");
  expect(() => settings.change({ openai_api_key: "sk-1" })).toThrow(/is not a JSON object/);
  expect(readFileSync(file, "utf8")).toBe("{ broken");
});

test("a link to the file stays a link", () => {
  const { file, settings } = open(null);
  const kept = path.join(path.dirname(path.dirname(path.dirname(file))), "kept.json");
  writeFileSync(kept, "{}");
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(kept, file);
  settings.change({ port: 4181 });
  expect([lstatSync(file).isSymbolicLink(), contentOf(kept)]).toEqual([true, { port: 4181 }]);
});

test("the environment stays stronger than the file", () => {
  const { settings } = open(null, { OPENAI_API_KEY: "sk-environment" });
  expect(settings.change({ openai_api_key: "sk-file" }).config.openai_api_key).toBe("sk-environment");
});

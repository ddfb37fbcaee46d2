// The config file as the program itself changes it: the settings of the page are written here, and nowhere else. What would
// make the settings unusable as a whole is refused before anything is written.

import { realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { hasCode } from "../files/has-code.ts";
import { makeOwnedFolder, writeWhole } from "../files/owned-files.ts";
import { AppError } from "../lib/app-error.ts";
import { type LoadedConfig, loadConfig } from "./config.ts";
import type { SettingName } from "./config-schema.ts";
import { type ConfigInput, parseObject } from "./config-sources.ts";

/** By setting; null removes it from the file. */
export type SettingChanges = Readonly<Partial<Record<SettingName, unknown>>>;

export type SettingsFile = {
  /** The settings this process was started with. */
  readonly loaded: LoadedConfig;
  /** Writes the file and reads all settings anew. Throws `config_invalid`, and writes nothing, where they would not do. */
  readonly change: (changes: SettingChanges) => LoadedConfig;
};

export function openSettingsFile(input: ConfigInput): SettingsFile {
  const loaded = loadConfig(input);
  const change = (changes: SettingChanges): LoadedConfig => {
    const { file } = loaded;
    const text = changeText(file, input.readFile(file), changes);
    const next = loadConfig({ ...input, readFile: (name) => (name === file ? text : input.readFile(name)) });
    write(file, text);
    return next;
  };
  return { loaded, change };
}

function changeText(file: string, before: string | null, changes: SettingChanges): string {
  const content = before === null ? {} : parseObject(before);
  if (content === null) throw new AppError("config_invalid", `The config file ${file} is not a JSON object`);
  const changed = Object.entries({ ...content, ...changes }).filter(
    ([name, value]) => !(name in changes && value === null),
  );
  return `${JSON.stringify(Object.fromEntries(changed), null, 2)}\n`;
}

/** It may hold keys from now on, so it is for its owner's eyes only. */
function write(file: string, text: string): void {
  const target = followLink(file);
  try {
    makeOwnedFolder(path.dirname(target));
    rmSync(`${target}.new`, { force: true }); // A draft left by a crash would keep the mode it has.
    writeWhole(target, text);
  } catch (cause) {
    if (!hasCode(cause, "EACCES", "EPERM", "EROFS", "ENOSPC")) throw cause;
    throw new AppError("config_invalid", `The config file ${file} cannot be written`, { cause });
  }
}

/** A link to the file stays a link. */
function followLink(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return file;
    throw error;
  }
}

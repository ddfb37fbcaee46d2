// The settings behind `homework config` and behind every command that needs some.

import { homedir } from "node:os";
import type { SettingFlags, SettingsPort } from "../cli/ports.ts";
import { type LoadedConfig, loadConfig, showSettings } from "./config.ts";
import { configJsonSchema } from "./config-reference.ts";
import { type ConfigInput, findConfigFile } from "./config-sources.ts";
import { readSettingFile } from "./read-setting-file.ts";
import { openSettingsFile, type SettingsFile } from "./settings-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function loadRealConfig(flags: SettingFlags, environment: Environment): LoadedConfig {
  return loadConfig(inputOf(flags, environment));
}

export function openRealSettings(flags: SettingFlags, environment: Environment): SettingsFile {
  return openSettingsFile(inputOf(flags, environment));
}

export function settingsPort(environment: Environment): SettingsPort {
  return {
    show: (flags) => showSettings(loadRealConfig(flags, environment)),
    jsonSchema: configJsonSchema,
    path: (flags) => findConfigFile(inputOf(flags, environment)).path,
  };
}

function inputOf(flags: SettingFlags, environment: Environment): ConfigInput {
  return { flags, environment, readFile: readIfThere, homeDir: homedir(), workingDir: process.cwd() };
}

const readIfThere = (file: string): string | null => readSettingFile(file)?.toString("utf8") ?? null;

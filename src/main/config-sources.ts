// Finds what each source says about the settings: flags, environment, config file, in this order of strength.
// It reads; it does not judge the values. What cannot be read or is not a setting is returned as a problem.

import path from "node:path";
import { didYouMean } from "../lib/nearest.ts";
import { configSchema, isSettingName, type SettingName, settingNames } from "./config-schema.ts";
import { valueFromText } from "./config-text.ts";

export type ConfigInput = {
  readonly flags: { readonly configFile: string | null; readonly values: Readonly<Record<string, string>> };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text of a file, or null if the file does not exist. */
  readonly readFile: (file: string) => string | null;
  readonly homeDir: string;
  /** What relative paths in flags and environment start from. */
  readonly workingDir: string;
};

export type Origin =
  | { readonly source: "flag" | "environment" | "file"; readonly from: string }
  | { readonly source: "default"; readonly from: null };

export type Given = { readonly value: unknown; readonly origin: Origin };
export type Gathered = {
  readonly given: ReadonlyMap<SettingName, Given>;
  readonly problems: readonly string[];
  readonly file: string;
};

const prefix = "HOMEWORK_";
/** Tells where the settings are, so it cannot be one. */
const configFileVariable = "HOMEWORK_CONFIG";

/** The names of HOMЯ's own variables in its design; no other program has such. */
const homrPrefix = "HOMR_";

/** Names beside our own: those that other programs read, too, and those of HOMЯ's design. */
const usualVariables: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  database_url: ["DATABASE_URL"],
  openrouter_api_key: ["OPENROUTER_API_KEY"],
  anthropic_api_key: ["ANTHROPIC_API_KEY"],
  openai_api_key: ["OPENAI_API_KEY"],
  google_api_key: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  homr_enabled_by_default: [`${homrPrefix}ENABLED_BY_DEFAULT`],
  homr_observation_model: [`${homrPrefix}OBSERVATION_MODEL`],
  homr_max_context_size: [`${homrPrefix}MAX_CONTEXT_SIZE`],
};

/** Strongest first. */
export function variablesOf(name: SettingName): readonly string[] {
  return [`${prefix}${name.toUpperCase()}`, ...(usualVariables[name] ?? [])];
}

export function gatherSettings(input: ConfigInput): Gathered {
  const file = findConfigFile(input);
  const problems: string[] = [];
  const given = new Map<SettingName, Given>();
  for (const source of [fromFile, fromEnvironment, fromFlags]) source(input, file.path, given, problems);
  if (file.asked && input.readFile(file.path) === null) problems.push(`${file.asked}: there is no file ${file.path}`);
  return { given, problems, file: file.path };
}

export function findConfigFile(input: ConfigInput): { readonly path: string; readonly asked: string | null } {
  const { flags, environment, homeDir, workingDir } = input;
  const variable = environment[configFileVariable];
  if (flags.configFile !== null) return { path: absolute(flags.configFile, workingDir, homeDir), asked: "--config" };
  if (variable) return { path: absolute(variable, workingDir, homeDir), asked: configFileVariable };
  const folder = environment.XDG_CONFIG_HOME || path.join(homeDir, ".config");
  return { path: path.join(folder, "homework", "config.json"), asked: null };
}

export function defaultDataFolder(input: ConfigInput): string {
  return path.join(input.environment.XDG_DATA_HOME || path.join(input.homeDir, ".local", "share"), "homework");
}

type Source = (input: ConfigInput, file: string, given: Map<SettingName, Given>, problems: string[]) => void;

const fromFile: Source = (input, file, given, problems) => {
  const text = input.readFile(file);
  if (text === null) return;
  const content = parseObject(text);
  if (content === null) {
    problems.push(`${file}: must hold one JSON object, such as {"port": 4180}`);
    return;
  }
  for (const [name, value] of Object.entries(content)) {
    // Editors look for it; it says nothing about Homework.
    if (name === "$schema") continue;
    if (!isSettingName(name)) problems.push(`${file}: ${name} is not a setting.${didYouMean(name, settingNames)}`);
    else {
      const placed =
        isPath(name) && typeof value === "string" ? absolute(value, path.dirname(file), input.homeDir) : value;
      given.set(name, { value: placed, origin: { source: "file", from: file } });
    }
  }
};

const fromEnvironment: Source = (input, _file, given, problems) => {
  const known = [...settingNames.flatMap(variablesOf), configFileVariable];
  for (const name of settingNames) {
    // An empty variable is how many tools say "not set".
    const variable = variablesOf(name).find((candidate) => input.environment[candidate]);
    const text = variable && input.environment[variable];
    if (variable && text)
      given.set(name, { value: fromText(name, text, input), origin: { source: "environment", from: variable } });
  }
  for (const variable of Object.keys(input.environment).sort()) {
    const isOurs = variable.startsWith(prefix) || variable.startsWith(homrPrefix);
    if (isOurs && !known.includes(variable))
      problems.push(`${variable} is not a setting.${didYouMean(variable, known)}`);
  }
};

const fromFlags: Source = (input, _file, given, problems) => {
  for (const [name, text] of Object.entries(input.flags.values)) {
    if (!isSettingName(name)) problems.push(`--set ${name} is not a setting.${didYouMean(name, settingNames)}`);
    else
      given.set(name, {
        value: fromText(name, text, input),
        origin: { source: "flag", from: "command line" },
      });
  }
};

function fromText(name: SettingName, text: string, input: ConfigInput): unknown {
  if (isPath(name)) return absolute(text, input.workingDir, input.homeDir);
  return valueFromText(configSchema.shape[name], text);
}

/** `~/x` is in the home folder, other relative paths start from `base`. */
function absolute(file: string, base: string, homeDir: string): string {
  if (file === "~" || file.startsWith("~/")) return path.join(homeDir, file.slice(1));
  return path.resolve(base, file);
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const content: unknown = JSON.parse(text);
    const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
    return isObject ? (content as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const isPath = (name: string): boolean => name === "data" || name === "agents_root";

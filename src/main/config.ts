// Reads the settings once, checks them as a whole and remembers where each came from.
// Every problem is in the one message that is thrown; no secret is in any message.

import type { z } from "zod";
import type { ShownSetting } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { checkTogether } from "./config-check.ts";
import { aboutSetting, type Config, configSchema, type SettingName, settingNames } from "./config-schema.ts";
import { type ConfigInput, defaultDataFolder, type Given, gatherSettings, type Origin } from "./config-sources.ts";

export type LoadedConfig = {
  readonly config: Config;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** Where the config file is or would be. */
  readonly file: string;
};

export function loadConfig(input: ConfigInput): LoadedConfig {
  const { given, problems: unreadable, file } = gatherSettings(input);
  const problems = [...unreadable];
  const config: Partial<Record<SettingName, unknown>> = {};
  const origins: Partial<Record<SettingName, Origin>> = {};
  for (const name of settingNames) {
    const { value, origin } = given.get(name) ?? fallback(name, input);
    const parsed = configSchema.shape[name].safeParse(value);
    if (parsed.success) config[name] = parsed.data;
    else problems.push(describeProblem(name, { value, origin }, messageOf(parsed.error)));
    origins[name] = origin;
  }
  const together = checkTogether(config as Partial<Config>);
  problems.push(...together.map((problem) => `${problem.name}: ${problem.message}`));
  if (problems.length > 0) throw configInvalid(problems);
  return { config: Object.freeze(config as Config), origins: origins as Record<SettingName, Origin>, file };
}

/** The settings as people may see them. */
export function showSettings({ config, origins }: LoadedConfig): readonly ShownSetting[] {
  return settingNames.map((name) => ({ name, value: shownValue(name, config[name]), ...origins[name] }));
}

function shownValue(name: SettingName, value: Config[SettingName]): ShownSetting["value"] {
  if (name === "database_url" && typeof value === "string") return maskPassword(value);
  if (value === null) return null;
  if (aboutSetting(name).secret) return "(set)";
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "object" ? "(set)" : value;
}

/** The address without the password, wherever in the address it hides. */
export function maskPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password !== "") url.password = "***";
  for (const name of ["password", "sslpassword"]) if (url.searchParams.has(name)) url.searchParams.set(name, "***");
  return url.href;
}

function fallback(name: SettingName, input: ConfigInput): Given {
  const value = name === "data" ? defaultDataFolder(input) : undefined;
  return { value, origin: { source: "default", from: null } };
}

function describeProblem(name: SettingName, { value, origin }: Given, message: string): string {
  // An address may carry a password where none belongs.
  const shown = aboutSetting(name).secret ? "" : ` is ${JSON.stringify(value)?.replaceAll(/\/\/[^/@"]*@/g, "//***@")}`;
  return origin.from === null ? `${name}: ${message}` : `${name}: ${message} (${origin.from}${shown})`;
}

/** Inside of an object, with the way to it: `github.url: must be …`. */
function messageOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const way = typeof issue?.path[0] === "string" ? `${issue.path.join(".")}: ` : "";
  return issue ? `${way}${issue.message}` : "is not usable";
}

function configInvalid(problems: readonly string[]): AppError {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map((problem) => `  ${problem}`);
  return new AppError("config_invalid", `The settings cannot be used (${count}):\n${lines.join("\n")}`, {
    details: { problems: [...problems] },
  });
}

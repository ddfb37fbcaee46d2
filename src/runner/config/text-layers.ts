// Settings as text: environment variables (`RUN_AGENT_MAX_RESTARTS=3`) and options (`--set selection.strategy=lucky`).

import { didYouMean } from "../../lib/nearest.ts";
import { quote } from "../layout/ids.ts";
import { type Given, type Layer, memberOf, type TreeOptions, toPlace } from "./layer.ts";
import type { Leaf, Setting } from "./setting.ts";
import { droppedSettings, settings } from "./settings.ts";

type TextOptions = Omit<TreeOptions, "source"> & {
  /** Names of agents that other sources know; a variable cannot tell `my-agent` from `my_agent`. */
  readonly agentNames: readonly string[];
};

const prefix = "RUN_AGENT_";
/** These say where settings are, or mark the processes of a run; they are not settings themselves. */
const otherVariables = ["RUN_AGENT_CONFIG", "RUN_AGENT_TAG", "RUN_AGENT_SHIM"];
const specialVariables: Readonly<Record<string, string>> = { projects_root: "RUN_AGENT_ROOT" };
const agentVariable =
  /^RUN_AGENT_AGENT_(.+)_(TYPE|TOKEN|TOKEN_FILE|BASE_URL|MODEL|PERMISSIONS|MODE|KEY_VARIABLE|COMMAND)$/;

const variableOf = (name: string): string =>
  specialVariables[name] ?? `${prefix}${name.replaceAll(/[.-]/g, "_").toUpperCase()}`;

export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  options: TextOptions,
): Layer {
  const names = namesBelow(settings, []);
  const byVariable = new Map(names.map((name) => [variableOf(name), name]));
  const given: Given[] = [];
  const problems: string[] = [];
  for (const variable of Object.keys(environment).sort()) {
    const text = environment[variable];
    // An empty variable is how many tools say "not set".
    if (!variable.startsWith(prefix) || otherVariables.includes(variable) || !text) continue;
    const dropped = Object.keys(droppedSettings).find((each) => variableOf(each) === variable);
    const name = byVariable.get(variable) ?? dropped ?? agentSetting(variable, options.agentNames);
    if (name === null) problems.push(`${variable} is not a setting.${didYouMean(variable, [...byVariable.keys()])}`);
    else add({ name, text, from: variable, source: "environment" }, options, given, problems);
  }
  return { given, problems };
}

export function readOptions(values: Readonly<Record<string, string>>, options: TextOptions): Layer {
  const given: Given[] = [];
  const problems: string[] = [];
  for (const [name, text] of Object.entries(values))
    add({ name, text, from: "command line", source: "command line" }, options, given, problems);
  return { given, problems };
}

type Assignment = {
  readonly name: string;
  readonly text: string;
  readonly from: string;
  readonly source: "environment" | "command line";
};

function add(assignment: Assignment, options: TextOptions, given: Given[], problems: string[]): void {
  const { name, text, from, source } = assignment;
  const setting = findSetting(name);
  if (setting?.kind === "leaf") {
    const value = toPlace(setting, valueFromText(setting, text), options);
    given.push({ path: name, leaf: setting, value, origin: { source, from } });
  } else if (setting?.kind === "family" && setting.member.kind === "leaf") {
    for (const part of text.split(",")) {
      const at = part.indexOf("=");
      const member = part.slice(0, at).trim();
      if (at < 1 || memberOf(setting, member) === null)
        problems.push(`${from}: give ${name} as name=value, separated by commas.`);
      else add({ ...assignment, name: `${name}.${member}`, text: part.slice(at + 1).trim() }, options, given, problems);
    }
  } else {
    const advice = droppedSettings[name] ?? didYouMean(name, namesBelow(settings, []));
    problems.push(`${from}: ${quote(name)} is not a setting.${advice}`);
  }
}

/** Null: there is no such setting. */
function findSetting(name: string): Setting | null {
  let found: Setting | null = settings;
  for (const part of name.split(".")) found = found === null ? null : memberOf(found, part);
  return found;
}

/** Names of all settings that have one; families only by their own. */
function namesBelow(setting: Setting, names: readonly string[]): readonly string[] {
  if (setting.kind === "group")
    return Object.entries(setting.members).flatMap(([name, member]) => namesBelow(member, [...names, name]));
  return setting.kind === "leaf" || setting.member.kind === "leaf" ? [names.join(".")] : [];
}

function agentSetting(variable: string, agentNames: readonly string[]): string | null {
  const [, written, key] = agentVariable.exec(variable) ?? [];
  if (written === undefined || key === undefined) return null;
  const name = agentNames.find((each) => each.replaceAll("-", "_").toUpperCase() === written);
  return `agents.${name ?? written.toLowerCase()}.${key.toLowerCase()}`;
}

function valueFromText({ form, shape }: Leaf, text: string): unknown {
  if (text === "null" && shape(null).ok) return null;
  if (form === "number") return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (form === "list") return text.startsWith("[") ? fromJson(text) : text.split(",").map((item) => item.trim());
  return text;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

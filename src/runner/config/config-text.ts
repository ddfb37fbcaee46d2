// The settings as text: a commented config.hcl to begin with, what an older one lacks, and a JSON schema.

import { AppError } from "../../lib/app-error.ts";
import { parseHcl } from "./parse-hcl.ts";
import type { Leaf, Setting } from "./setting.ts";
import { settings } from "./settings.ts";

const opening = `# Settings of run-agent. Each line that begins with # shows a default: remove the # to change it.
# Stronger than this file: PROJECT-CONFIG.yaml, TASK-CONFIG.yaml, variables RUN_AGENT_*, options.
# All settings: run-agent config schema. Check this file: run-agent config validate.
`;

const exampleAgents = `# Agents that run-agent may start. claude, codex, gemini and opencode are found on PATH without a block.
# agent "claude" {
#   token_file = "~/.config/claude-token"
#   model = "sonnet"
# }
# agent "my-script" {
#   type = "command"
#   command = ["./agent.sh", "--quiet"]
# }
`;

export function renderNewConfig(): string {
  return [opening, ...Object.entries(settings.members).map(([name, setting]) => renderSetting(name, setting))].join(
    "\n",
  );
}

/** The text with what it neither sets nor mentions added at its end; null: nothing is missing. What is there stays as it is. */
export function addMissingSettings(file: string, text: string): string | null {
  const read = parseHcl(text);
  if (read.kind === "fault")
    throw new AppError("config_invalid", `${file}:${read.place.line}:${read.place.column}: ${read.why}`);
  const there = new Set([...read.body.attributes, ...read.body.blocks].map(({ name }) => nameInFile(name)));
  for (const [, name = ""] of text.matchAll(/^[ \t]*#[ \t]*([a-z_]+)[ \t]*(?:=|\{|")/gm)) there.add(nameInFile(name));
  const missing = Object.entries(settings.members).filter(([name]) => !there.has(nameInFile(name)));
  if (missing.length === 0) return null;
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return [whole, ...missing.map(([name, setting]) => renderSetting(name, setting))].join("\n");
}

const nameInFile = (name: string): string => (name === "agents" ? "agent" : name);

function renderSetting(name: string, setting: Setting): string {
  if (setting.kind === "leaf") return `# ${setting.about}\n# ${name} = ${toHcl(setting.fallback)}\n`;
  if (setting.kind === "family") return exampleAgents;
  const lines = Object.entries(setting.members).flatMap(([member, each]) => [
    `#   # ${each.about}`,
    `#   ${member} = ${each.kind === "leaf" ? toHcl(each.fallback) : "{}"}`,
  ]);
  return [`# ${setting.about}`, `# ${name} {`, ...lines, "# }", ""].join("\n");
}

const toHcl = (value: Leaf["fallback"]): string => JSON.stringify(value);

export type DescribedSetting = { readonly name: string; readonly default: Leaf["fallback"]; readonly about: string };

/** For people: every setting in a row. `<name>` stands for a name of their own choice. */
export function describeSettings(setting: Setting = settings, name = ""): readonly DescribedSetting[] {
  const below = (member: string) => (name === "" ? member : `${name}.${member}`);
  if (setting.kind === "leaf") return [{ name, default: setting.fallback, about: setting.about }];
  if (setting.kind === "family") return describeSettings(setting.member, below("<name>"));
  return Object.entries(setting.members).flatMap(([member, each]) => describeSettings(each, below(member)));
}

export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "run-agent", ...schemaOf(settings) };
}

function schemaOf(setting: Setting): Readonly<Record<string, unknown>> {
  const description = setting.about === "" ? {} : { description: setting.about };
  if (setting.kind === "leaf") return { ...setting.json, ...description, default: setting.fallback };
  if (setting.kind === "family")
    return { type: "object", ...description, additionalProperties: schemaOf(setting.member) };
  const properties = Object.fromEntries(Object.entries(setting.members).map(([name, each]) => [name, schemaOf(each)]));
  return { type: "object", ...description, properties, additionalProperties: false };
}

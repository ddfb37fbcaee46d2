// What is told about the settings: the JSON schema of the config file and docs/config.md. Pure.

import { z } from "zod";
import { aboutSetting, configSchema, type SettingName, settingGroups } from "./config-schema.ts";
import { variablesOf } from "./config-sources.ts";

export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(configSchema.partial(), {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const ours of ["secret", "defaultText"]) delete jsonSchema[ours];
    },
  });
  return { ...schema, title: "Homework settings", properties: { $schema: { type: "string" }, ...schema.properties } };
}

const opening = `# Settings

This page is made by \`npm run generate\` from the settings themselves.

A setting is taken from the first place that has it:

1. a flag: \`--port 8080\` where a command has one, else \`--set port=8080\`;
2. an environment variable: \`HOMEWORK_PORT=8080\` (an empty one counts as not set);
3. the config file, a JSON object such as \`{"port": 8080}\`: \`--config FILE\`, else \`HOMEWORK_CONFIG\`,
   else \`$XDG_CONFIG_HOME/homework/config.json\`, else \`~/.config/homework/config.json\`;
4. the default.

\`homework config\` shows every value and where it came from, without secrets. \`homework config schema\` prints a JSON schema
for editors. Unknown names are refused, and all problems are told at once (exit code 2).

Lists are separated by commas in flags and variables. Relative paths start from the current folder, in the config file from
the file's folder.
`;

const closing = `## What must fit together

- Binding \`host\` to anything but loopback, or a \`public_url\` that is not loopback, needs \`accounts\`.
- Listening on every address (\`0.0.0.0\`, \`::\`) needs \`public_url\` or \`allowed_hosts\`.
- \`sign_up: "open"\` needs \`accounts\`.
- \`url\` needs \`api_key\`.
- A model needs the key of its provider; \`openai-compatible/…\` needs \`openai_compatible_url\`.
`;

export function renderConfigReference(): string {
  const groups = settingGroups.map(({ title, names }) => {
    const rows = names.map(renderRow);
    return `## ${title}\n\n| setting | variable | default | what it is |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return [opening, ...groups, closing].join("\n");
}

function renderRow(name: SettingName): string {
  const { description } = aboutSetting(name);
  const variables = variablesOf(name).map((variable) => `\`${variable}\``);
  return `| \`${name}\` | ${variables.join(", ")} | ${defaultOf(name)} | ${description}${allowedOf(name)} |`;
}

function defaultOf(name: SettingName): string {
  const { defaultText } = aboutSetting(name);
  if (defaultText !== undefined) return defaultText;
  const value: unknown = configSchema.shape[name].parse(undefined);
  if (value === null || (Array.isArray(value) && value.length === 0)) return "none";
  return `\`${String(value)}\``;
}

/** What the JSON schema knows about the values that are allowed. */
function allowedOf(name: SettingName): string {
  const schema = z.toJSONSchema(configSchema.shape[name], { io: "input" });
  if (schema.enum) return ` One of ${schema.enum.map((word) => `\`${word}\``).join(", ")}.`;
  if (schema.minimum !== undefined) return ` From ${schema.minimum} to ${schema.maximum}.`;
  return "";
}

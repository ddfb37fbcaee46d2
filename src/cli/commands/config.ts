// `homework config …`: what the settings are and where each came from.

import type { Command } from "commander";
import { action } from "../invocation.ts";
import { addFamily, examples } from "../options.ts";
import type { Output } from "../output.ts";
import type { Host, ShownSetting } from "../ports.ts";

export function addConfigCommands(program: Command, host: Host): void {
  const family = addFamily(program, "config", "show the settings and where each came from");
  const print = family
    .command("print", { isDefault: true })
    .description("show every setting, its value and where it came from; secrets are not shown")
    .action(
      action<[object]>(host, async ({ output, flags }) => {
        const settings = host.settings.show(flags);
        output.data({ settings }, () => renderSettings(output, settings));
      }),
    );
  examples(print, ["config", "config --set port=8080", "config print --json"]);

  const schema = family
    .command("schema")
    .description("print the JSON schema of the config file")
    .action(
      action<[object]>(host, async ({ host: { settings }, output }) => {
        const found = settings.jsonSchema();
        output.data(found, () => `${JSON.stringify(found, null, 2)}\n`);
      }),
    );
  examples(schema, ["config schema > config.schema.json"]);

  const path = family
    .command("path")
    .description("print where the config file is, or would be")
    .action(
      action<[object]>(host, async ({ output, flags }) => {
        const file = host.settings.path(flags);
        const exists = await host.files.exists(file);
        output.data({ path: file, exists }, () => `${file}\n`);
        if (!exists) output.say("There is no such file yet.");
      }),
    );
  examples(path, ["config path"]);
}

function renderSettings(output: Output, settings: readonly ShownSetting[]): string {
  return output.table(settings, [
    { title: "SETTING", value: ({ name }) => name },
    { title: "VALUE", value: ({ value }) => shown(value) },
    { title: "FROM", value: ({ source, from }) => from ?? source },
  ]);
}

function shown(value: ShownSetting["value"]): string {
  if (value === null) return "-";
  if (typeof value === "object") return value.length === 0 ? "-" : value.join(",");
  return String(value);
}

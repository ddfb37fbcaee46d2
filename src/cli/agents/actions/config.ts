// `run-agent config …`: settings shown, checked, created and described. Keys are never shown.

import { realpathSync } from "node:fs";
import type { ShownSetting } from "../../../runner/config/config.ts";
import {
  addMissingSettings,
  configJsonSchema,
  describeSettings,
  renderNewConfig,
} from "../../../runner/config/config-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { configFileOf, loadSettings, placeOf } from "../place.ts";

export async function showConfig(given: AgentInvocation): Promise<void> {
  const { output } = given;
  const { shown, file } = loadSettings(given, placeForSettings(given));
  output.data({ file, settings: shown }, () =>
    output.table(shown, [
      { title: "SETTING", value: ({ name }) => name },
      { title: "VALUE", value: ({ value }) => valueWords(value), flexible: true },
      {
        title: "FROM",
        value: ({ source, from }) => (from === null || from === source ? source : `${source}: ${from}`),
      },
    ]),
  );
}

/** Settings of a task count only where a task is meant; without one there is nothing to look for. */
function placeForSettings(given: AgentInvocation) {
  loadSettings(given);
  const { ids, root } = placeOf(given);
  return ids.project === null ? null : { root, ids };
}

function valueWords(value: ShownSetting["value"]): string {
  if (value === null) return "-";
  if (typeof value === "object") return value.length === 0 ? "-" : value.join(", ");
  return String(value);
}

export async function validateConfig(given: AgentInvocation): Promise<void> {
  const { output, host } = given;
  const { file } = loadSettings(given, placeForSettings(given));
  const exists = host.files.read(file) !== null;
  output.data({ ok: true, file, exists }, () => "");
  output.say(
    exists ? `${file} is valid.` : `There is no ${file}; the defaults are valid. Create it: run-agent config init`,
  );
}

export async function initConfig(given: AgentInvocation): Promise<void> {
  const { output, host } = given;
  const file = configFileOf(given);
  const text = host.files.read(file);
  const next = text === null ? renderNewConfig() : addMissingSettings(file, text);
  // A config that is a link stays one.
  if (next !== null) host.files.write(text === null ? file : realpathSync(file), next);
  const done = text === null ? "created" : next === null ? "unchanged" : "completed";
  output.data({ file, result: done }, () => `${file}\n`);
  output.say(
    {
      created: "Created the file.",
      unchanged: "Every setting is mentioned already.",
      completed: "Added the missing settings.",
    }[done],
  );
}

export async function showSchema(given: AgentInvocation): Promise<void> {
  const { output } = given;
  output.data(configJsonSchema(), () =>
    output.table(describeSettings(), [
      { title: "SETTING", value: ({ name }) => name },
      { title: "DEFAULT", value: (setting) => valueWords(setting.default) },
      { title: "MEANING", value: ({ about }) => about, flexible: true },
    ]),
  );
}

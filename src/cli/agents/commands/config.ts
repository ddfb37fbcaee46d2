// `run-agent config …`: the settings, from all their sources.

import type { Command } from "commander";
import { addFamily, examples } from "../../options.ts";
import { agentAction } from "../invocation.ts";
import type { AgentHost } from "../ports.ts";

export function addConfigCommands(program: Command, host: AgentHost): void {
  const config = addFamily(program, "config", "show, check and create the settings");

  const show = config
    .command("show", { isDefault: true })
    .description("show every setting, its value and where it came from; keys are not shown")
    .summary("show every setting and where it came from")
    .action(agentAction<[object]>(host, async () => (await import("../actions/config.ts")).showConfig));
  examples(show, ["config", "config show -t water --json", "config show --set max_restarts=3"]);

  const validate = config
    .command("validate")
    .description("check the settings and tell every problem with its place")
    .action(agentAction<[object]>(host, async () => (await import("../actions/config.ts")).validateConfig));
  examples(validate, ["config validate", "config validate --config ./config.hcl"]);

  const init = config
    .command("init")
    .description("create config.hcl with all defaults as comments, or add the settings that it does not mention yet")
    .summary("create or complete config.hcl")
    .action(agentAction<[object]>(host, async () => (await import("../actions/config.ts")).initConfig));
  examples(init, ["config init"]);

  const schema = config
    .command("schema")
    .description("list every setting with its default and meaning; with --json, as a JSON schema")
    .summary("list every setting with its meaning")
    .action(agentAction<[object]>(host, async () => (await import("../actions/config.ts")).showSchema));
  examples(schema, ["config schema", "config schema --json > run-agent.schema.json"]);
}

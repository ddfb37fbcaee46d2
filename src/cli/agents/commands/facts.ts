// `run-agent facts …`: what agents found out and wrote down.

import type { Command } from "commander";
import { addFamily, examples } from "../../options.ts";
import type { AddFactOptions } from "../actions/facts.ts";
import { agentAction } from "../invocation.ts";
import type { AgentHost } from "../ports.ts";

export function addFactsCommands(program: Command, host: AgentHost): void {
  const facts = addFamily(program, "facts", "list, show and add facts of a project or a task");

  const list = facts
    .command("list", { isDefault: true })
    .description("list the facts of the task and of its project")
    .action(agentAction<[object]>(host, async () => (await import("../actions/facts.ts")).listFacts));
  examples(list, ["facts -t water", "facts list -p garden --json"]);

  const show = facts
    .command("show <fact>")
    .description("print a fact; a part of its title or of its file name is enough")
    .action(agentAction<[string, object]>(host, async () => (await import("../actions/facts.ts")).showFact));
  examples(show, ["facts show Taps -p garden", "facts show FACT-20261116-1200000000-taps.md -p garden"]);

  const add = facts
    .command("add <title> [text...]")
    .description("write a fact and print the name of its file; without a text it is read from stdin")
    .summary("write a fact")
    .option("-f, --file <file>", "read the text from a file; - is stdin")
    .option("--run <run>", "id of the run that found it (default: the run this command is called from)")
    .action(
      agentAction<[string, readonly string[], AddFactOptions]>(
        host,
        async () => (await import("../actions/facts.ts")).addFact,
      ),
    );
  examples(add, [`facts add -p garden "Taps" "The tap at the shed is broken"`, "facts add Taps < notes.md"]);
}

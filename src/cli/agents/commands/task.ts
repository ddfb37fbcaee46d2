// `run-agent task …`: the folder of a task.

import type { Command } from "commander";
import { addFamily, examples } from "../../options.ts";
import type { CreateOptions, DeleteOptions, StateOptions } from "../actions/task.ts";
import { agentAction } from "../invocation.ts";
import { idsOption } from "../options.ts";
import type { AgentHost } from "../ports.ts";

export function addTaskCommands(program: Command, host: AgentHost): void {
  const task = addFamily(program, "task", "create, show and delete tasks");

  const create = task
    .command("create [objective...]")
    .description("create a task and print its id; without an objective it is read from stdin")
    .summary("create a task")
    .option("-f, --file <file>", "read the objective from a file; - is stdin")
    .option("--name <name>", "name for the id (default: the first words of the objective)")
    .option("--depends-on <tasks>", "ids of tasks that must be done first, separated by commas", idsOption)
    .action(
      agentAction<[readonly string[], CreateOptions]>(host, async () => (await import("../actions/task.ts")).createOne),
    );
  examples(create, [
    `task create -p garden "Water the plants"`,
    "task create -p garden --file TASK.md --name water",
    "task create -p garden --depends-on task-20261116-115900-buy-a-hose < TASK.md",
  ]);

  const show = task
    .command("show")
    .description("print the objective of a task (TASK.md)")
    .action(agentAction<[object]>(host, async () => (await import("../actions/task.ts")).showOne));
  examples(show, ["task show -t water", "task show -t water --json"]);

  const state = task
    .command("state [text...]")
    .description("print the state of a task (TASK_STATE.md), or write it")
    .option("-f, --file <file>", "write what is in this file; - is stdin")
    .action(
      agentAction<[readonly string[], StateOptions]>(
        host,
        async () => (await import("../actions/task.ts")).showOrWriteState,
      ),
    );
  examples(state, ["task state -t water", `task state -t water "Half of the beds are done"`]);

  const remove = task
    .command("delete")
    .description("delete a task with its runs, messages and facts; refused while a run is active")
    .summary("delete a task with all its files")
    .option("-y, --yes", "do not ask")
    .action(agentAction<[DeleteOptions]>(host, async () => (await import("../actions/task.ts")).deleteOne));
  examples(remove, ["task delete -t water", "task delete -p garden -t water --yes"]);
}

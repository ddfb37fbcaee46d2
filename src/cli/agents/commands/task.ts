// `run-agent task …`: the folder of a task.

import type { Command } from "commander";
import { addFamily, examples } from "../../options.ts";
import type { StartOptions } from "../actions/run-task.ts";
import type { StopOptions } from "../actions/stop.ts";
import type { CreateOptions, DeleteOptions, StateOptions } from "../actions/task.ts";
import { agentAction } from "../invocation.ts";
import { commandOption, commandsOption, idsOption, namesOption } from "../options.ts";
import type { AgentHost } from "../ports.ts";

export function addTaskCommands(program: Command, host: AgentHost): void {
  const task = addFamily(program, "task", "work on a task until it is done; create, show, resume and delete tasks");
  addStart(task, host);

  const create = task
    .command("create [objective...]")
    .description("create a task and print its id; without an objective it is read from stdin")
    .summary("create a task")
    .option("-f, --file <file>", "read the objective from a file; - is stdin")
    .option("--name <name>", "what to call it, in lists and in its id (default: the first words of the objective)")
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

  addResume(task, host);

  const remove = task
    .command("delete")
    .description("delete a task with its runs, messages and facts; refused while a run is active")
    .summary("delete a task with all its files")
    .option("-y, --yes", "do not ask")
    .action(agentAction<[DeleteOptions]>(host, async () => (await import("../actions/task.ts")).deleteOne));
  examples(remove, ["task delete -t water", "task delete -p garden -t water --yes"]);
}

/** For every command that starts agents. */
export const withAgent = (command: Command): Command =>
  command
    .option(
      "--agent <names>",
      "agents to choose from, separated by commas (default: those of the settings)",
      namesOption,
    )
    .option(
      "--command <program>",
      "any program as the agent: words, or a JSON list; the prompt comes on stdin",
      commandOption,
    )
    .option("--cwd <folder>", "where the agent works (default: the project's folder, or the task's)")
    .option("--parent-run-id <run>", "the run that this one belongs to (default: the run this command is called from)");

function addStart(task: Command, host: AgentHost): void {
  const start = withAgent(task.command("start [objective...]", { isDefault: true }))
    .description(
      "create a task and start its agent again and again until it is done; with --task, go on with one that is there",
    )
    .summary("work on a task until it is done")
    .option("-f, --file <file>", "read the objective from a file; - is stdin")
    .option("--name <name>", "what to call it, in lists and in its id (default: the first words of the objective)")
    .option("--depends-on <tasks>", "ids of tasks that must be done first, separated by commas", idsOption)
    .option("--detach", "work on it in the background; print the id of the task")
    .option("--check <program>", "must succeed in the work folder before DONE counts; may be repeated", commandsOption)
    .action(
      agentAction<[readonly string[], StartOptions]>(
        host,
        async () => (await import("../actions/run-task.ts")).startTask,
      ),
    );
  examples(start, [
    `task -p garden "Plan what to plant in spring"`,
    `task -p shop --agent claude,codex --cwd . --check "npm test" "Make the tests pass"`,
    `task -p garden --command ./agent.sh "Water the plants"`,
    "task -t water",
  ]);
}

function addResume(task: Command, host: AgentHost): void {
  const resume = withAgent(task.command("resume"))
    .description("go on with a task that has stopped; one that is done or was canceled begins anew")
    .summary("go on with a task that has stopped")
    .action(agentAction<[StartOptions]>(host, async () => (await import("../actions/run-task.ts")).resumeTask));
  examples(resume, ["task resume -t water", "task resume -t water --set cost_budget=10"]);

  const cancel = task
    .command("cancel")
    .description("stop a task and all its runs for good")
    .option("--reason <text>", "why, for those who read it later")
    .action(agentAction<[StopOptions]>(host, async () => (await import("../actions/stop.ts")).cancelTask));
  examples(cancel, ["task cancel -t water"]);
}

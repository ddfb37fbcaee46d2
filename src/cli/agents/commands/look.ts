// `run-agent list`, `status`, `output` and `watch`: what there is, how it stands, what agents wrote.

import type { Command } from "commander";
import { agentTaskStatuses } from "../../../domain/agent/task-status.ts";
import { choice, examples, wholeNumber } from "../../options.ts";
import type { ListOptions } from "../actions/list.ts";
import type { OutputOptions } from "../actions/output.ts";
import type { WatchOptions } from "../actions/watch.ts";
import { agentAction } from "../invocation.ts";
import { durationOption } from "../options.ts";
import type { AgentHost } from "../ports.ts";

export function addLookCommands(program: Command, host: AgentHost): void {
  const list = program
    .command("list")
    .description("list tasks, the latest activity first; with --task, the runs of a task")
    .summary("list tasks, or the runs of a task")
    .addOption(choice("--status <status>", "only tasks with this status", agentTaskStatuses))
    .option("-n, --limit <count>", "how many to show", wholeNumber(1, 100_000), 50)
    .action(agentAction<[ListOptions]>(host, async () => (await import("../actions/list.ts")).listTasksOrRuns));
  examples(list, ["list", "list -p garden --status running", "list -t water --json"]);

  const status = program
    .command("status [run]")
    .description("show how a task stands: its runs, its state, its last message; or one run")
    .summary("show how a task or a run stands")
    .action(
      agentAction<[string | undefined, object]>(host, async () => (await import("../actions/status.ts")).showStatus),
    );
  examples(status, ["status -t water", "status 20261116-1200000000-4711 -t water", "status --json"]);

  addOutput(program, host);

  const watch = program
    .command("watch")
    .description(
      "show the tasks that are alive until all of them have ended: 0 if all are done, 20 if one stopped or nothing works on it, 21 if one failed, 22 if one was canceled, 23 if one waits for your answer and nothing works on it",
    )
    .summary("watch tasks until they have ended")
    .option("--timeout <duration>", "stop watching after this long, such as 30m", durationOption)
    .action(agentAction<[WatchOptions]>(host, async () => (await import("../actions/watch.ts")).watchTasks));
  examples(watch, ["watch", "watch -p garden --timeout 30m"]);
}

function addOutput(program: Command, host: AgentHost): void {
  const output = program
    .command("output [run]")
    .description("print what a run wrote; without a run, the latest one of the task")
    .summary("print what a run wrote")
    .addOption(choice("--file <file>", "which file", ["output", "stdout", "stderr", "prompt"]).default("output"))
    .option("-f, --follow", "go on until the run has ended")
    .option("--tail <lines>", "only the last lines", wholeNumber(1, 1_000_000))
    .action(
      agentAction<[string | undefined, OutputOptions]>(
        host,
        async () => (await import("../actions/output.ts")).showOutput,
      ),
    );
  examples(output, ["output -t water", "output -t water --file stdout --follow", "output --file stderr --tail 50"]);
}

// `run-agent job` and `run-agent stop`: one agent run, and the end of one.

import type { Command } from "commander";
import { examples } from "../../options.ts";
import type { JobOptions } from "../actions/job.ts";
import type { StopOptions } from "../actions/stop.ts";
import { agentAction } from "../invocation.ts";
import type { AgentHost } from "../ports.ts";
import { withAgent } from "./task.ts";

export function addJobCommands(program: Command, host: AgentHost): void {
  const job = withAgent(program.command("job [prompt...]"))
    .description(
      "start one agent run in a task, wait for it and print its output; without a prompt it is read from stdin",
    )
    .summary("start one agent run and wait for it")
    .option("-f, --file <file>", "read the prompt from a file; - is stdin")
    .option("--previous-run-id <run>", "the run that this one goes on from")
    .option("--detach", "do not wait; print the id of the run")
    .option("--no-home", "give the agent an empty HOME of its own")
    .action(agentAction<[readonly string[], JobOptions]>(host, async () => (await import("../actions/job.ts")).runJob));
  examples(job, [
    `job -t water "Find out which tap works"`,
    "job -t water --agent codex --file prompt.md",
    `job --detach "Translate the guide"`,
  ]);

  const stop = program
    .command("stop [run]")
    .description("stop a task or one run, with all that it has started; the loop of the task does not start it again")
    .summary("stop a task or a run")
    .option("--reason <text>", "why, for those who read it later")
    .action(
      agentAction<[string | undefined, StopOptions]>(host, async () => (await import("../actions/stop.ts")).stop),
    );
  examples(stop, ["stop -t water", `stop 20261116-1200000000-4711-1 -t water --reason "wrong branch"`]);
}

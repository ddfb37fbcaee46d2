// `run-agent gc`: removes old runs and leftovers. Nothing is ever removed without being asked for.

import type { Command } from "commander";
import { examples } from "../../options.ts";
import type { GcCommandOptions } from "../actions/gc.ts";
import { agentAction } from "../invocation.ts";
import { durationOption, sizeOption } from "../options.ts";
import type { AgentHost } from "../ports.ts";

const weekMs = 7 * 24 * 3_600_000;

export function addGcCommand(program: Command, host: AgentHost): void {
  const gc = program
    .command("gc")
    .description(
      "remove runs that ended long ago and leftovers of killed processes; active runs and the last run of an unfinished task stay",
    )
    .summary("remove old runs and leftovers")
    .option("-n, --dry-run", "only show what would be removed and how large it is")
    .option("--older-than <duration>", "how long ago a run must have ended", durationOption, weekMs)
    .option("--keep-failed", "keep runs that failed")
    .option("--delete-done-tasks", "also remove whole tasks that are done")
    .option("--rotate-bus", "also put large buses into archives beside them")
    .option("--bus-max-size <size>", "from which size on a bus is large (default: 10MB)", sizeOption)
    .action(agentAction<[GcCommandOptions]>(host, async () => (await import("../actions/gc.ts")).collectGarbage));
  for (const option of gc.options) {
    if (option.long === "--older-than") option.defaultValueDescription = "7d";
  }
  examples(gc, ["gc --dry-run", "gc --older-than 30d --keep-failed", "gc -p garden --delete-done-tasks --dry-run"]);
}

// `homework restore`: brings back what an undo took back.

import type { Command } from "commander";
import { routes } from "../../protocol/api.ts";
import { counted } from "../../protocol/figures.ts";
import { apiAction } from "../invocation.ts";
import { examples } from "../options.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";
import { findRun, runCommand } from "../runs/find-run.ts";

export function addRestoreCommand(program: Command, host: Host): void {
  const restore = runCommand(program, "restore")
    .description("bring back what an undo of the run took back; what was changed since stays as it is now")
    .summary("bring back what an undo took back")
    .action(
      apiAction<[string | undefined]>(host, async ({ api, output }, ref) => {
        const { id: runId } = await findRun(api, ref);
        const { restored, left } = await api(routes.runs.restore, { params: { runId } });
        if (restored.count + left.count === 0) output.say("There is nothing to restore: no undo of this run is open.");
        else output.say(`Restored: ${counted(restored.count, "thing")}.`);
        for (const { kind, title } of left.items)
          output.say(`Left as it is: ${kind} "${oneLine(title)}", changed since or without a place.`);
        output.data({ run_id: runId, restored, left }, () => `${runId}\n`);
      }),
    );
  examples(restore, ["restore"]);
}

// `homework result`: what a run made, to be read, and as files.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { apiAction } from "../invocation.ts";
import { examples } from "../options.ts";
import type { Host } from "../ports.ts";
import { exportRun } from "../runs/export-run.ts";
import { findRun, runCommand } from "../runs/find-run.ts";
import { outOption } from "../runs/run-options.ts";
import { sayWhereToReadMore, showResult } from "../runs/show-result.ts";
import { runStatusWords } from "../runs/status-words.ts";

export function addResultCommand(program: Command, host: Host): void {
  const result = runCommand(program, "result")
    .description("show what a run made: its main output whole, open questions, checks and cost")
    .summary("show what a run made")
    .addOption(outOption())
    .action(
      apiAction<[string | undefined, { readonly out?: string }]>(host, async (given, ref, { out }) => {
        const { id: runId } = await findRun(given.api, ref);
        const { run } = await given.api(routes.runs.get, { params: { runId }, query: {} });
        if (run.report === null)
          throw new AppError(
            "wrong_status",
            `The run has no result yet (${runStatusWords(run)}). Follow the run with: homework watch ${run.id}`,
            { details: { status: run.status } },
          );
        if (out !== undefined) return exportRun(given, run, out);
        await showResult(given, run, true);
        await sayWhereToReadMore(given, run);
      }),
    );
  examples(result, ["result", "result --out kitchen", "result 0198c2a4 > result.md"]);
}

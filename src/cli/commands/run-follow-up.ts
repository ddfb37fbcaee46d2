// `homework follow-up`: a new run that knows a run that has ended, followed to its result.

import type { Command } from "commander";
import { writeModes } from "../../domain/run/run.ts";
import { routes } from "../../protocol/api.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { choice, examples } from "../options.ts";
import type { Host } from "../ports.ts";
import { findRun, runTextCommand } from "../runs/find-run.ts";
import { announce, followStarted, readForeignTexts, readObjective, refuseHardWithoutCost } from "../runs/hand-over.ts";
import {
  type BudgetOptions,
  budgetsOf,
  type ForeignOptions,
  foreignOption,
  type ModelOptions,
  type OutOptions,
  outOption,
  withBudgets,
  withModels,
} from "../runs/run-options.ts";
import { type Texts, takeNamed } from "../take-named.ts";

type Options = BudgetOptions &
  ModelOptions &
  ForeignOptions &
  OutOptions & {
    readonly writeMode?: (typeof writeModes)[number];
    readonly file?: string;
    readonly detach?: true;
  };

export function addFollowUpCommand(program: Command, host: Host): void {
  const followUp = withModels(
    withBudgets(
      runTextCommand(program, "follow-up", "[objective]")
        .description(
          "start a new run that knows what a finished run did, and follow it to its result; projects, approvals, limits and models are the same unless you say otherwise",
        )
        .summary("follow up a finished run")
        .option("-f, --file <file>", "read the objective from a file; - is stdin")
        .addOption(choice("--write-mode <mode>", "which changes need your approval (as before)", writeModes))
        .addOption(foreignOption())
        .addOption(outOption())
        .option("-d, --detach", "start the run, print its id and return at once"),
    ),
  ).action(
    apiAction<[readonly string[], Options]>(host, startFollowUp, (services, _, { detach }) =>
      detach ? services.connect() : services.connectWorking(),
    ),
  );
  examples(followUp, [
    `follow-up "Now also write a letter to the cheapest one"`,
    "follow-up 0198c2a4 --file next.md --max-cost 1.50 --out kitchen",
    `follow-up --detach --json "The same in French"`,
  ]);
}

const objectiveTexts: Texts = { min: 0, max: 1, example: 'homework follow-up "The same in French"' };

async function startFollowUp(given: ApiInvocation, words: readonly string[], options: Options): Promise<void> {
  const { host, api, url } = given;
  refuseHardWithoutCost(options);
  const { thing, texts } = await takeNamed(words, objectiveTexts, (ref) => findRun(api, ref));
  const objective = await readObjective(host, texts[0], options.file, objectiveTexts.example);
  const { id: runId } = thing;
  const run = await api(routes.runs.continue, {
    params: { runId },
    body: {
      objective,
      foreign_texts: await readForeignTexts(host, options.foreign),
      budgets: budgetsOf(options),
      models: options.model,
      permissions: options.writeMode && { write_mode: options.writeMode },
    },
  });
  if (!options.detach) return followStarted(given, run.id, options.out);
  const page = new URL(`/homework/runs/${run.id}`, url).href;
  await announce(given, { run_id: run.id, place_in_line: run.place_in_line, url: page });
}

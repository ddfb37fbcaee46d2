// `homework run` and `homework watch`: handing an objective over and following it to its end.

import path from "node:path";
import type { Command } from "commander";
import { type EngineName, engines, writeModes } from "../../domain/run/run.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { isSettled } from "../../protocol/run-view.ts";
import { findProject, getIfThere } from "../find.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { choice, examples } from "../options.ts";
import type { Host } from "../ports.ts";
import { exportRun } from "../runs/export-run.ts";
import { findRun, runCommand } from "../runs/find-run.ts";
import { endLike, followRun } from "../runs/follow-run.ts";
import {
  announce,
  followStarted,
  readForeignTexts,
  readObjective,
  refuseHardWithoutCost,
  showEnd,
} from "../runs/hand-over.ts";
import { canAsk } from "../runs/questions.ts";
import { allEvents } from "../runs/read-events.ts";
import {
  type BudgetOptions,
  budgetsOf,
  type CheckOptions,
  checkOption,
  checksOf,
  type ForeignOptions,
  foreignOption,
  type ModelOptions,
  type OutOptions,
  outOption,
  withBudgets,
  withModels,
} from "../runs/run-options.ts";

type Options = BudgetOptions &
  ModelOptions &
  ForeignOptions &
  CheckOptions &
  OutOptions & {
    readonly project?: readonly string[];
    readonly writeMode?: (typeof writeModes)[number];
    readonly file?: string;
    readonly detach?: true;
    readonly judge?: boolean;
    readonly engine?: EngineName;
    /** False: a folder of the run's own. */
    readonly folder?: string | false;
  };

export function addRunCommands(program: Command, host: Host): void {
  const run = withModels(
    withBudgets(
      program
        .command("run [objective]")
        .description(
          "hand over an objective and follow the run to its result; Ctrl-C leaves it working on the server, and pauses it without one",
        )
        .summary("hand over an objective")
        .option(
          "-p, --project <project>",
          "the project to work in (id, start of the id, or name); may be repeated; all projects without it",
          (ref: string, before: readonly string[] = []) => [...before, ref],
        )
        .option("-f, --file <file>", "read the objective from a file; - is stdin")
        .addOption(choice("--write-mode <mode>", "which changes need your approval (autopilot: none)", writeModes))
        .addOption(choice("--engine <engine>", "what does the work (planner)", engines))
        .option("--folder <folder>", "for agents: the git repository to work on (the one you are in)")
        .option("--no-folder", "for agents: a folder of its own, whose files become documents")
        .addOption(checkOption())
        .option("--no-judge", "do not let a judge read the result before the run is done")
        .addOption(foreignOption())
        .addOption(outOption())
        .option("-d, --detach", "start the run, print its id and return at once"),
    ),
  ).action(
    apiAction<[string | undefined, Options]>(host, handOver, (services, _, { detach }) =>
      detach ? services.connect() : services.connectWorking(),
    ),
  );
  examples(run, [
    `run "Plan my kitchen: measure, compare three offers, write down a budget" -p Kitchen`,
    "run --file objective.md --max-iterations 10 --max-cost 1.50 --hard",
    "run --model anthropic/claude-sonnet-4-5 --model repair=openai/gpt-5-mini --file objective.md",
    `run "What does this mail want from me?" --foreign mail.txt`,
    `run --engine agent --check "npm test" "Make the failing tests pass"`,
    "run --detach --json - < objective.md",
  ]);

  const watch = runCommand(program, "watch")
    .description(
      "follow a run to its result, or until it needs you; Ctrl-C leaves it working on the server, and pauses it without one; with --json its events",
    )
    .summary("follow a run to its result")
    .addOption(outOption())
    .action(
      apiAction<[string | undefined, OutOptions]>(
        host,
        async (given, ref, { out }) => {
          const { id, status } = await findRun(given.api, ref);
          // Of a run that is under way, following begins with what is new; of one that has ended, nothing is.
          if (given.output.isJson && isSettled(status))
            for await (const event of allEvents(given.api, id, 0)) given.output.line(event, () => "");
          const ended = await followRun(given, id, "events");
          if (!given.output.isJson) await showEnd(given, ended, out);
          else if (out !== undefined && ended.report !== null) await exportRun(given, ended, out, true);
          endLike(ended);
        },
        (services) => services.connectWorking(),
      ),
    );
  examples(watch, ["watch", "watch --out kitchen", "watch 0198c2a4 --json"]);
}

/** `homework run list` is a slip. Behind `--`, or from a file, any word is an objective. */
export function refuseCommandName(program: Command, command: Command): void {
  const [word] = command.args;
  if (command.name() !== "run" || command.parent !== program || word === undefined) return;
  if (word !== "help" && !program.commands.some((each) => each.name() === word)) return;
  throw new AppError(
    "invalid_request",
    `“${word}” is a command: homework ${word}\nTo use it as an objective: homework run -- ${word}`,
  );
}

async function handOver(given: ApiInvocation, text: string | undefined, options: Options): Promise<void> {
  const { host, api, output, url } = given;
  const objective = await readObjective(host, text, options.file, `homework run "…"`);
  refuseHardWithoutCost(options);
  const projects: string[] = [];
  for (const ref of options.project ?? []) projects.push((await findProject(api, ref, { deleted: false })).id);
  const engine = await chooseEngine(given, options.engine);
  const checks = checksOf(options, engine);
  if (engine !== "agent" && options.folder !== undefined)
    throw new AppError(
      "invalid_request",
      "--folder and --no-folder go with --engine agent: a planner works in projects",
    );
  const folder = engine === "agent" ? await findFolder(given, options.folder) : null;
  if (folder !== null) output.say(`The agent works on a new branch of ${folder}.`);
  const created = await api(routes.runs.create, {
    body: {
      objective,
      foreign_texts: await readForeignTexts(host, options.foreign),
      work_folder: folder ?? undefined,
      scope: projects.length === 0 ? undefined : projects.length === 1 ? "project" : "multi_project",
      project_ids: projects,
      budgets: budgetsOf(options),
      models: options.model,
      completion_criteria: checks,
      judge: options.judge === false ? false : undefined,
      engine,
      time_zone: host.timeZone,
      permissions: options.writeMode && { write_mode: options.writeMode },
    },
  });
  if (options.detach) return announce(given, { ...created, url: new URL(created.url, url).href });
  await followStarted(given, created.run_id, options.out);
}

/** Without a model, an agent on this machine is offered before the demo model. */
async function chooseEngine(given: ApiInvocation, engine: EngineName | undefined): Promise<EngineName | undefined> {
  if (engine !== undefined) return engine;
  const { api, host, output } = given;
  const models = await getIfThere(api(routes.instance.models, {}));
  if (models === null || !models.is_demo || models.agents.length === 0) return undefined;
  const found = `There is no key for a model, but this machine has ${models.agents.join(", ")}.`;
  if (!canAsk(given)) {
    output.say(`${found} The run uses the demo model. For real work add --engine agent.`);
    return undefined;
  }
  const typed = await host.terminal.ask(`${found} Use an agent instead of the demo model? [Y/n] `, host.stop);
  return typed === null || /^n(o)?$/i.test(typed.trim()) ? undefined : "agent";
}

/** The repository that the command was started in, unless another folder or none is named. */
async function findFolder({ host }: ApiInvocation, folder: string | false | undefined): Promise<string | null> {
  if (folder === false) return null;
  if (folder !== undefined) return path.resolve(host.workingFolder, folder);
  for (let at = host.workingFolder; ; at = path.dirname(at)) {
    if (await host.files.exists(path.join(at, ".git"))) return at;
    if (at === path.dirname(at)) return null;
  }
}

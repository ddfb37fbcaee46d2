// `homework run` and `homework watch`: handing an objective over and following it to its end.

import path from "node:path";
import type { Command } from "commander";
import { runLimits } from "../../domain/run/limits.ts";
import { type EngineName, engines, writeModes } from "../../domain/run/run.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Run, routes } from "../../protocol/api.ts";
import { findProject, getIfThere } from "../find.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { choice, examples } from "../options.ts";
import type { Host } from "../ports.ts";
import { findRun, runCommand } from "../runs/find-run.ts";
import { endLike, followRun } from "../runs/follow-run.ts";
import { canAsk } from "../runs/questions.ts";
import { renderReport } from "../runs/report-text.ts";
import { type BudgetOptions, budgetsOf, type ModelOptions, withBudgets, withModels } from "../runs/run-options.ts";

type Options = BudgetOptions &
  ModelOptions & {
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
        .description("hand over an objective and follow it until it is done; Ctrl-C leaves it working")
        .summary("hand over an objective")
        .option(
          "-p, --project <project>",
          "what it is about (id, start of the id, or name); may be repeated; without it, everything you have",
          (ref: string, before: readonly string[] = []) => [...before, ref],
        )
        .option("-f, --file <file>", "read the objective from a file; - is stdin")
        .addOption(choice("--write-mode <mode>", "what it may change without asking (autopilot)", writeModes))
        .addOption(choice("--engine <engine>", "what does the work (planner)", engines))
        .option("--folder <folder>", "for agents: the git repository to work on (the one you are in)")
        .option("--no-folder", "for agents: a folder of its own, whose files become documents")
        .option("--no-judge", "do not let a judge read the result before the run is done")
        .option("-d, --detach", "print its id and where to see it, and return at once"),
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
    "run --detach --json - < objective.md",
  ]);

  const watch = runCommand(program, "watch")
    .description("follow a run until it has ended or waits for you; Ctrl-C leaves it working; with --json its events")
    .summary("follow a run")
    .action(
      apiAction<[string, object]>(
        host,
        async (given, ref) => {
          const { id } = await findRun(given.api, ref);
          const ended = await followRun(given, id, "events");
          if (!given.output.isJson) showEnd(given, ended);
          endLike(ended);
        },
        (services) => services.connectWorking(),
      ),
    );
  examples(watch, ["watch last", "watch 0198c2a4 --json"]);
}

async function handOver(given: ApiInvocation, text: string | undefined, options: Options): Promise<void> {
  const { host, api, output, url } = given;
  const objective = await readObjective(host, text, options.file);
  if (options.hard && options.maxCost === undefined)
    throw new AppError("invalid_request", "--hard needs to know the limit: give it with --max-cost");
  const projects: string[] = [];
  for (const ref of options.project ?? []) projects.push((await findProject(api, ref, { deleted: false })).id);
  const engine = await chooseEngine(given, options.engine);
  const folder = engine === "agent" ? await findFolder(given, options.folder) : null;
  if (folder !== null) output.say(`An agent works on a branch of its own of ${folder}.`);
  const created = await api(routes.runs.create, {
    body: {
      objective,
      work_folder: folder ?? undefined,
      scope: projects.length === 0 ? undefined : projects.length === 1 ? "project" : "multi_project",
      project_ids: projects,
      budgets: budgetsOf(options),
      models: options.model,
      judge: options.judge === false ? false : undefined,
      engine,
      time_zone: host.timeZone,
      permissions: options.writeMode && { write_mode: options.writeMode },
    },
  });
  if (options.detach) return announce(given, { ...created, url: new URL(created.url, url).href });
  output.say(`Run ${created.run_id}; Ctrl-C leaves it.`);
  const ended = await followRun(given, created.run_id, "report");
  showEnd(given, ended);
  await sayWhere(given, ended);
  endLike(ended);
}

/** Who has an agent and no model is offered it before the demo model. */
async function chooseEngine(given: ApiInvocation, engine: EngineName | undefined): Promise<EngineName | undefined> {
  if (engine !== undefined) return engine;
  const { api, host, output } = given;
  const models = await getIfThere(api(routes.instance.models, {}));
  if (models === null || !models.is_demo || models.agents.length === 0) return undefined;
  const found = `No key for a model was found, but ${models.agents.join(", ")} on this machine.`;
  if (!canAsk(given)) {
    output.say(`${found} This is the demo model; for real work add --engine agent.`);
    return undefined;
  }
  const typed = await host.terminal.ask(`${found} Let an agent do it, instead of the demo model? [Y/n] `, host.stop);
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

/** Its page, with everything it did and wrote. */
async function sayWhere({ output, url, services }: ApiInvocation, { id }: Run): Promise<void> {
  const page = `/homework/runs/${id}`;
  const server = await services.findServer();
  output.say(
    server === null
      ? `Look at it on its page: homework start, then ${page} there`
      : `Look at it at ${new URL(page, url).href}`,
  );
}

type Created = { readonly run_id: string; readonly url: string; readonly place_in_line: number | null };

async function announce({ output, services }: ApiInvocation, created: Created): Promise<void> {
  const server = await services.findServer();
  if (server === null) output.warn("No worker is running: it begins when Homework is started, with: homework start");
  else output.say(`See it at ${created.url}`);
  if (created.place_in_line !== null) output.say(`It is number ${created.place_in_line} in line.`);
  output.say(`Follow it with: homework watch ${created.run_id}`);
  output.data(created, () => `${created.run_id}\n`);
}

/** A report, and with --json everything about the run. */
function showEnd({ output }: ApiInvocation, run: Run): void {
  output.data(run, () => (run.report === null ? "" : renderReport(output, run.report)));
  if (run.status === "stopped") output.say(`Go on with: homework resume ${run.id}`);
}

async function readObjective(host: Host, text: string | undefined, file: string | undefined): Promise<string> {
  if (text !== undefined && file !== undefined)
    throw new AppError("invalid_request", "Give the objective either as text or by --file, not by both");
  const objective = (await readFrom(host, text, file)).trim();
  if (objective === "")
    throw new AppError("invalid_request", 'Say what is to be done: homework run "…", or --file objective.md');
  if (objective.length > runLimits.objective)
    throw new AppError(
      "invalid_request",
      `The objective has ${objective.length} characters, ${runLimits.objective} are possible: put the long part into a document of the project`,
    );
  return objective;
}

async function readFrom(host: Host, text: string | undefined, file: string | undefined): Promise<string> {
  if (text === "-" || file === "-") return host.terminal.readInput();
  return file === undefined ? (text ?? "") : host.files.readText(file);
}

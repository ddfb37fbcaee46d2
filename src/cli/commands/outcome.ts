// `homework outcome start`, `list`, `show`, `tasks`, `add-task`, `watch` and `log`: handing over what one wants, and looking at it.

import type { Command } from "commander";
import { outcomeStatuses, workersMax } from "../../domain/homr/outcome.ts";
import { activityTypes } from "../../domain/homr/outcome-state.ts";
import { taskStatuses } from "../../domain/homr/tasks/task.ts";
import { type EngineName, engines } from "../../domain/run/run.ts";
import { AppError } from "../../lib/app-error.ts";
import { type HomrActivity, type Outcome, type OutcomeSummary, type OutcomeTask, routes } from "../../protocol/api.ts";
import { findProject, getIfThere } from "../find.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { fetchList, type ListOptions, showList, withListOptions } from "../list.ts";
import { addFamily, choice, examples, wholeNumber } from "../options.ts";
import {
  allTasks,
  findOutcome,
  noOutcomesYet,
  outcomeCommand,
  outcomeTextCommand,
  taskByNumber,
} from "../outcomes/find-outcome.ts";
import { endLikeOutcome, followOutcome, restWords } from "../outcomes/follow-outcome.ts";
import { gatherReport, renderOutcomeReport } from "../outcomes/outcome-report.ts";
import { activityLine, outcomeColumns, renderOutcome, taskColumns } from "../outcomes/outcome-text.ts";
import type { Host } from "../ports.ts";
import { type ModelOptions, usd, withModels } from "../runs/run-options.ts";
import { type Texts, takeNamed } from "../take-named.ts";
import { addOutcomeActCommands } from "./outcome-act.ts";

export function addOutcomeCommands(program: Command, host: Host): void {
  const family = addFamily(program, "outcome", "outcomes: several tasks with one intent, watched by HOMЯ");
  addStart(family, host);
  addList(family, host);
  addShow(family, host);
  addTasks(family, host);
  addAddTask(family, host);
  addOutcomeActCommands(family, host);
  addWatch(family, host);
  addLog(family, host);
}

type StartOptions = ModelOptions & {
  readonly name?: string;
  readonly file?: string;
  readonly project?: string;
  readonly engine?: EngineName;
  readonly workers?: number;
  readonly maxCost?: number;
  readonly draft?: true;
  readonly detach?: true;
};

function addStart(family: Command, host: Host): void {
  const start = withModels(
    family
      .command("start [brief]")
      .description(
        "say what you want: a planner drafts intent, approach and tasks, and the work begins; Ctrl-C leaves it working on the server, and pauses it without one",
      )
      .summary("say what you want")
      .option("-f, --file <file>", "read the brief from a file; - is stdin")
      .option("--name <name>", "what to call it (the beginning of the brief)")
      .option("-p, --project <project>", "where its tasks write (id, start of the id, or name)")
      .addOption(choice("--engine <engine>", "what does the work (planner)", engines))
      .option("--workers <count>", "tasks at once (1)", wholeNumber(1, workersMax))
      .option("--max-cost <usd>", "dollars the whole outcome may cost, such as 5", usd)
      .option("--draft", "only draft it; start later with: homework outcome resume")
      .option("-d, --detach", "start, print its id and return at once"),
  ).action(
    apiAction<[string | undefined, StartOptions]>(host, startOutcome, (services, _, { detach }) =>
      detach ? services.connect() : services.connectWorking(),
    ),
  );
  examples(start, [
    `outcome start "A landing page for the bakery: copy, three pictures, opening hours, a contact form"`,
    "outcome start --file brief.md --workers 3 --max-cost 5",
    `outcome start "Move the blog" --draft`,
  ]);
}

async function startOutcome(given: ApiInvocation, text: string | undefined, options: StartOptions): Promise<void> {
  const { host, api, output } = given;
  const brief = await readBrief(host, text, options.file);
  const project = options.project === undefined ? null : await findProject(api, options.project, { deleted: false });
  const outcome = await api(routes.outcomes.create, {
    body: {
      name: options.name,
      brief,
      project_id: project?.id,
      engine: options.engine,
      models: options.model,
      workers: options.workers,
      max_cost_usd: options.maxCost,
      time_zone: host.timeZone,
      start: options.draft === undefined,
    },
  });
  await sayDemo(given, options);
  if (options.detach) return announce(given, outcome);
  output.say(`Outcome ${outcome.id}; Ctrl-C leaves it.`);
  await followAndShow(given, outcome.id, "words");
}

async function readBrief(
  { terminal, files }: Host,
  text: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (text !== undefined && file !== undefined)
    throw new AppError("invalid_request", "Give the brief either as text or by --file, not by both");
  const isInput = text === "-" || file === "-";
  const brief = isInput ? await terminal.readInput() : file === undefined ? (text ?? "") : await files.readText(file);
  if (brief.trim() === "")
    throw new AppError("invalid_request", 'Say what you want: homework outcome start "…", or --file brief.md');
  return brief.trim();
}

async function announce({ output, services, url }: ApiInvocation, outcome: Outcome): Promise<void> {
  const server = await services.findServer();
  if (server === null) output.warn("Homework is not running. The work starts with: homework start");
  else output.say(`See it at ${new URL(`/outcomes/${outcome.id}`, url).href}`);
  output.say(`Follow it with: homework outcome watch ${outcome.id}`);
  output.data(outcome, () => `${outcome.id}\n`);
}

/** With --json: the events if they are the data, and at the end everything about it. */
async function followAndShow(given: ApiInvocation, outcomeId: string, as: "data" | "words"): Promise<void> {
  const { api, output, services, url } = given;
  const rested = await followOutcome(given, outcomeId, as);
  output.say(restWords(rested));
  if (as === "words" || !output.isJson) {
    const report = await gatherReport(given, rested, await allTasks(api, outcomeId));
    const hasServer = (await services.findServer()) !== null;
    output.data(report, () => renderOutcomeReport(output, report, hasServer ? new URL(url).origin : ""));
    sayWhere(given, outcomeId, hasServer);
  }
  if (rested.status === "dormant" && tasksOf(rested) > 0)
    output.say(`Start with: homework outcome resume ${outcomeId}`);
  endLikeOutcome(rested);
}

/** Its page, with everything that was done and why. */
function sayWhere({ output, url }: ApiInvocation, outcomeId: string, hasServer: boolean): void {
  const page = `/outcomes/${outcomeId}`;
  output.say(
    hasServer
      ? `Look at it at ${new URL(page, url).href}`
      : `Look at it on its page: homework start, then ${page} there`,
  );
}

/** Who begins without a key should know who does the work. */
async function sayDemo({ api, output }: ApiInvocation, { engine }: StartOptions): Promise<void> {
  if (engine === "agent") return;
  const models = await getIfThere(api(routes.instance.models, {}));
  if (models?.is_demo) output.say("No key for a model was found: the demo model does the work (rules, no AI).");
}

const tasksOf = ({ tasks }: Outcome) => Object.values(tasks).reduce((sum, count) => sum + count, 0);

function addList(family: Command, host: Host): void {
  type Options = ListOptions & { readonly status?: OutcomeSummary["status"] };
  const list = family
    .command("list")
    .description("list your outcomes, last changed first")
    .addOption(choice("--status <status>", "only those in this status", outcomeStatuses));
  withListOptions(list).action(
    apiAction<[Options]>(host, ({ api, output }, options) =>
      showList<OutcomeSummary>(
        output,
        options,
        (page) => api(routes.outcomes.list, { query: { ...page, status: options.status } }),
        {
          columns: (items) => outcomeColumns(output, items),
          nothing: options.status === undefined ? noOutcomesYet : `No outcome is "${options.status}".`,
        },
      ),
    ),
  );
  examples(list, ["outcome list", "outcome list --status active --json"]);
}

function addShow(family: Command, host: Host): void {
  const show = outcomeCommand(family, "show")
    .description("show an outcome: intent, tasks, what HOMЯ asks, cost")
    .action(
      apiAction<[string | undefined, object]>(host, async ({ api, output }, ref) => {
        const outcome = await findOutcome(api, ref);
        const tasks = await allTasks(api, outcome.id);
        const { pending_escalations: open } = await api(routes.homr.status, { params: { outcomeId: outcome.id } });
        const all = { ...outcome, task_list: tasks, pending_escalations: open };
        output.data(all, () => renderOutcome(output, outcome, tasks, open));
      }),
    );
  examples(show, ["outcome show", "outcome show 0198c2a4 --json"]);
}

function addTasks(family: Command, host: Host): void {
  type Options = { readonly status?: OutcomeTask["status"] };
  const tasks = outcomeCommand(family, "tasks")
    .description("list the tasks of an outcome")
    .addOption(choice("--status <status>", "only those in this status", taskStatuses))
    .action(
      apiAction<[string | undefined, Options]>(host, async ({ api, output }, ref, { status }) => {
        const { id } = await findOutcome(api, ref);
        const all = await allTasks(api, id);
        const items = all.filter((task) => status === undefined || task.status === status);
        output.data({ items }, () => (items.length === 0 ? "" : output.table(items, taskColumns(all))));
        if (items.length === 0) output.say(all.length === 0 ? "No tasks yet." : `No task is "${status}".`);
      }),
    );
  examples(tasks, ["outcome tasks", "outcome tasks --status failed"]);
}

const taskTexts: Texts = { min: 1, max: 1, example: 'homework outcome add-task "Check all links"' };

function addAddTask(family: Command, host: Host): void {
  type Options = { readonly description?: string; readonly priority?: number; readonly after?: readonly string[] };
  const add = outcomeTextCommand(family, "add-task", "<title>")
    .description("add a task to an outcome")
    .option("--description <text>", "what is to be done; - is stdin")
    .option("--priority <number>", "lower comes first (100)", wholeNumber(1, 1_000))
    .option(
      "--after <number>",
      "a task that comes first; may be repeated",
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .action(
      apiAction<[readonly string[], Options]>(host, async ({ api, output }, words, options) => {
        const { thing, texts } = await takeNamed(words, taskTexts, (ref) => findOutcome(api, ref));
        const { id: outcomeId } = thing;
        const [title = ""] = texts;
        const known = options.after === undefined ? [] : await allTasks(api, outcomeId);
        const description = options.description === "-" ? await host.terminal.readInput() : options.description;
        const body = {
          title,
          description,
          priority: options.priority,
          depends_on: (options.after ?? []).map((one) => taskByNumber(known, one).id),
        };
        const task = await api(routes.outcomeTasks.create, { params: { outcomeId }, body });
        output.done(task, `Added task #${task.number}.`);
      }),
    );
  examples(add, [`outcome add-task "Check all links"`, `outcome add-task last "Publish" --after 3 --after 4`]);
}

function addWatch(family: Command, host: Host): void {
  const watch = outcomeCommand(family, "watch")
    .description(
      "follow an outcome until it is achieved, paused or needs you; Ctrl-C leaves it working on the server, and pauses it without one; with --json its events",
    )
    .summary("follow an outcome")
    .action(
      apiAction<[string | undefined, object]>(
        host,
        async (given, ref) => followAndShow(given, (await findOutcome(given.api, ref)).id, "data"),
        (services) => services.connectWorking(),
      ),
    );
  examples(watch, ["outcome watch", "outcome watch 0198c2a4 --json"]);
}

function addLog(family: Command, host: Host): void {
  type Options = ListOptions & { readonly type?: HomrActivity["type"]; readonly task?: string };
  const log = outcomeCommand(family, "log")
    .description("show what HOMЯ did and why, newest first; with --json one JSON value a line")
    .summary("show what HOMЯ did and why")
    .addOption(choice("--type <type>", "only this kind", activityTypes))
    .option("--task <number>", "only what concerns this task");
  withListOptions(log).action(
    apiAction<[string | undefined, Options]>(host, async ({ api, output }, ref, options) => {
      const { id: outcomeId } = await findOutcome(api, ref);
      const task = options.task === undefined ? undefined : taskByNumber(await allTasks(api, outcomeId), options.task);
      const { items, has_more } = await fetchList<HomrActivity>(options, (page) =>
        api(routes.homr.activity, { params: { outcomeId }, query: { ...page, type: options.type, task_id: task?.id } }),
      );
      for (const line of items) output.line(line, () => activityLine(line, host.timeZone));
      if (items.length === 0) output.say("HOMЯ has done nothing yet.");
      if (has_more) output.say("There are more. See them with --all or a higher --limit.");
    }),
  );
  examples(log, ["outcome log", "outcome log last --type steering --all --json"]);
}

// `homework list`, `show`, `report` and `events`: looking at runs without doing anything to them.

import type { Command } from "commander";
import { runStatuses } from "../../domain/run/run.ts";
import { AppError } from "../../lib/app-error.ts";
import { type RunEvent, type RunSummary, routes } from "../../protocol/api.ts";
import { renderReportMarkdown } from "../../protocol/report-markdown.ts";
import { readSources } from "../../protocol/run-sources.ts";
import { apiAction } from "../invocation.ts";
import { fetchList, type ListOptions, withListOptions } from "../list.ts";
import { choice, examples, wholeNumber } from "../options.ts";
import { withoutEscapes } from "../plain-text.ts";
import type { Host } from "../ports.ts";
import { eventLine } from "../runs/event-line.ts";
import { findRun, noRunsYet, runCommand } from "../runs/find-run.ts";
import { allEvents } from "../runs/read-events.ts";
import { renderReport } from "../runs/report-text.ts";
import { renderRun, runColumns } from "../runs/run-text.ts";
import { runStatusWords, statusWord } from "../runs/status-words.ts";

/** Iterations that `show` shows; `events` has all of them. */
const iterationsShown = 5;

export function addRunLookCommands(program: Command, host: Host): void {
  addList(program, host);
  addShow(program, host);
  addReport(program, host);
  addEvents(program, host);
}

function addList(program: Command, host: Host): void {
  type Options = ListOptions & { readonly status?: RunSummary["status"] };
  const list = program
    .command("list")
    .description("list your runs, newest first; with --json one JSON value a line")
    .summary("list your runs")
    .addOption(choice("--status <status>", "only those in this status", runStatuses));
  withListOptions(list).action(
    apiAction<[Options]>(host, async ({ api, output }, options) => {
      const { status } = options;
      const { items, has_more } = await fetchList<RunSummary>(options, (page) =>
        api(routes.runs.list, { query: { ...page, status } }),
      );
      if (output.isJson) for (const run of items) output.line(run, () => "");
      else if (items.length > 0) output.data(items, () => output.table(items, runColumns(output, items)));
      else output.say(status === undefined ? noRunsYet : `No run has the status “${statusWord(status)}”.`);
      if (has_more) output.say("There are more. See them with --all or a higher --limit.");
    }),
  );
  examples(list, ["list", "list --status waiting_on_user", "list --all --json"]);
}

function addShow(program: Command, host: Host): void {
  const show = runCommand(program, "show")
    .description("show a run: status, limits, plan, checks with their evidence, questions, last iterations")
    .summary("show a run")
    .action(
      apiAction<[string | undefined, object]>(host, async ({ api, output }, ref) => {
        const { id: runId } = await findRun(api, ref);
        const query = { include_iterations: "true", limit: iterationsShown } as const;
        const { run, iterations } = await api(routes.runs.get, { params: { runId }, query });
        const items = iterations?.items ?? [];
        output.data({ ...run, iterations: items }, () => renderRun(output, run, items));
      }),
    );
  examples(show, ["show", "show 0198c2a4 --json"]);
}

function addReport(program: Command, host: Host): void {
  const report = runCommand(program, "report")
    .description("show the report of a run that has ended")
    .option("--md", "as Markdown")
    .action(
      apiAction<[string | undefined, { readonly md?: true }]>(host, async ({ api, output, services }, ref, { md }) => {
        if (md && output.isJson)
          throw new AppError("invalid_request", "Give either --md or --json: a report has one form at a time");
        const { id: runId } = await findRun(api, ref);
        const { run } = await api(routes.runs.get, { params: { runId }, query: {} });
        const written = run.report;
        if (written === null)
          throw new AppError(
            "wrong_status",
            `The run has no report yet (${runStatusWords(run)}). Follow the run with: homework watch ${run.id}`,
            { details: { status: run.status } },
          );
        const origin = (await services.findServer()) ?? "";
        const sources = await readSources(api, run.id);
        output.data({ ...written, sources }, () =>
          md
            ? output.text(withoutEscapes(renderReportMarkdown(written, origin, sources)))
            : renderReport(output, written, origin, sources),
        );
      }),
    );
  examples(report, ["report", "report --md > report.md", "report 0198c2a4 --json"]);
}

function addEvents(program: Command, host: Host): void {
  type Options = { readonly follow?: true; readonly since: number };
  const events = runCommand(program, "events")
    .description("show everything that happened to a run; with --json one JSON value a line")
    .summary("show what happened to a run")
    .option("--follow", "keep following until the run has ended, or Ctrl-C")
    .option("--since <number>", "start after this event", wholeNumber(0, 2 ** 53 - 1), 0)
    .action(
      apiAction<[string | undefined, Options]>(host, async ({ api, follow, output }, ref, options) => {
        const { id: runId, status } = await findRun(api, ref);
        const tell = (event: RunEvent) => output.line(event, () => numbered(event));
        if (!options.follow || isOver(status)) {
          for await (const event of allEvents(api, runId, options.since)) tell(event);
          return;
        }
        const input = { params: { runId }, query: {} };
        for await (const { data } of follow(routes.runs.stream, input, { after: options.since, signal: host.stop })) {
          tell(data);
          if (overAfter.includes(data.type)) return;
        }
      }),
    );
  examples(events, ["events", "events --follow --json", "events 0198c2a4 --since 40"]);
}

const overAfter = ["run_completed", "run_failed", "run_canceled"];
/** A stopped run may be resumed; these stay as they are. */
const isOver = (status: RunSummary["status"]) => overAfter.includes(`run_${status}`);

const numbered = (event: RunEvent) => `${String(event.seq).padStart(5)}  ${eventLine(event)}`;

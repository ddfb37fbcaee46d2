// Shows what a run came to and says where more of it can be read.

import { type Run, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import type { ApiInvocation } from "../invocation.ts";
import { nextStepOf } from "./next-step.ts";
import { readMainOutput } from "./read-result.ts";

/** About two screens: enough to judge a result by, and what stands below it stays in reach. */
const linesMax = 60;

/** What a person would type to name this run: `last`, where it is. */
export async function nameRun(api: Api, runId: string): Promise<string> {
  const [last] = (await api(routes.runs.list, { query: { limit: 1 } })).items;
  return last?.id === runId ? "last" : runId;
}

/** `isWhole`: however long it is. With --json the run itself. */
export async function showResult(given: ApiInvocation, run: Run, isWhole = false): Promise<void> {
  const { api, output, host } = given;
  const { report } = run;
  if (output.isJson || report === null) return output.data(run, () => "");
  const main = await readMainOutput(api, report);
  // With it comes a parser of Markdown, which other commands do without.
  const { renderResult } = await import("./result-text.ts");
  const readOn = `homework result ${await nameRun(api, run.id)}`;
  const view = { columns: host.terminal.columns, linesMax: isWhole ? null : linesMax, readOn };
  output.data(run, () => renderResult(output, report, main, view));
}

/** The report, the files (unless they are written already), how to go on, and the page of a run. */
export async function sayWhereToReadMore(
  { api, output, url, services }: ApiInvocation,
  run: Run,
  hasFiles = false,
): Promise<void> {
  if (output.isJson || output.isQuiet) return;
  const name = await nameRun(api, run.id);
  const page = `/homework/runs/${run.id}`;
  const server = await services.findServer();
  output.say("");
  if (output.isVerbose) output.say(`Run id   ${run.id}`);
  if (run.report?.work) output.say(`Changes  homework diff ${name}, then homework merge ${name}`);
  if (run.report !== null) output.say(`Report   homework report ${name}`);
  if (run.report !== null && !hasFiles) output.say(`Files    homework result ${name} --out FOLDER`);
  const next = nextStepOf(run, name);
  if (next !== null) output.say(`${next.label.padEnd(8)} ${next.command}`);
  output.say(server === null ? "Page     homework start" : `Page     ${new URL(page, url).href}`);
}

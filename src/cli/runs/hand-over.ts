// What the commands that start a run share: reading its objective, following it to its result, or saying how to.

import path from "node:path";
import { sizeOfTexts } from "../../domain/policy/foreign-text.ts";
import { foreignTextLimits } from "../../domain/policy/foreign-text-limits.ts";
import { runLimits } from "../../domain/run/limits.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Run } from "../../protocol/api.ts";
import type { ApiInvocation } from "../invocation.ts";
import type { Host } from "../ports.ts";
import { exportRun } from "./export-run.ts";
import { endLike, followRun } from "./follow-run.ts";
import type { BudgetOptions } from "./run-options.ts";
import { sayWhereToReadMore, showResult } from "./show-result.ts";

/** `example`: the command, for those who gave no objective. */
export async function readObjective(
  host: Host,
  text: string | undefined,
  file: string | undefined,
  example: string,
): Promise<string> {
  if (text !== undefined && file !== undefined)
    throw new AppError("invalid_request", "Give the objective as text or with --file, not both");
  const objective = (await readFrom(host, text, file)).trim();
  if (objective === "")
    throw new AppError("invalid_request", `Say what you want done: ${example}, or --file objective.md`);
  if (objective.length > runLimits.objective)
    throw new AppError(
      "invalid_request",
      `The objective has ${objective.length} characters (at most ${runLimits.objective}). Put the long part into a document of the project.`,
    );
  return objective;
}

/** Undefined: none was named. */
export async function readForeignTexts(host: Host, files: readonly string[] | undefined) {
  if (files === undefined) return undefined;
  const texts: { title: string; text: string }[] = [];
  for (const file of files) {
    const text = await readFrom(host, undefined, file);
    if (text.trim() === "") throw new AppError("invalid_request", `${file === "-" ? "stdin" : file} is empty`);
    texts.push({ title: file === "-" ? "" : path.basename(file).slice(0, foreignTextLimits.title), text });
  }
  if (texts.length > foreignTextLimits.texts || sizeOfTexts(texts) > foreignTextLimits.together)
    throw new AppError(
      "invalid_request",
      `At most ${foreignTextLimits.texts} texts with ${foreignTextLimits.together} characters together. Put longer ones into documents: homework doc create TITLE --file FILE --foreign`,
    );
  return texts;
}

async function readFrom(host: Host, text: string | undefined, file: string | undefined): Promise<string> {
  if (text === "-" || file === "-") return host.terminal.readInput();
  return file === undefined ? (text ?? "") : host.files.readText(file);
}

export function refuseHardWithoutCost({ hard, maxCost }: BudgetOptions): void {
  if (hard && maxCost === undefined)
    throw new AppError("invalid_request", "--hard needs a limit: give it with --max-cost");
}

/** To its end, which the command then has, too. */
export async function followStarted(given: ApiInvocation, runId: string, out: string | undefined): Promise<void> {
  const { output, services } = given;
  const isServed = (await services.findServer()) !== null;
  output.say(
    isServed
      ? "Started. Ctrl-C stops watching; the run continues."
      : "Started. Ctrl-C pauses the run; nothing is lost.",
  );
  if (output.isVerbose) output.say(`Run id: ${runId}`);
  const ended = await followRun(given, runId, "result");
  await showEnd(given, ended, out);
  endLike(ended);
}

type Created = { readonly run_id: string; readonly url: string; readonly place_in_line: number | null };

export async function announce({ output, services }: ApiInvocation, created: Created): Promise<void> {
  const server = await services.findServer();
  if (server === null) output.warn("Homework is not running. The run starts with: homework start");
  else output.say(`Page: ${created.url}`);
  if (created.place_in_line !== null) output.say(`The run is number ${created.place_in_line} in the queue.`);
  output.say(`Follow the run with: homework watch ${created.run_id}`);
  output.data(created, () => `${created.run_id}\n`);
}

/** The result, as files too if that was asked for; with --json everything about the run. */
export async function showEnd(given: ApiInvocation, run: Run, out: string | undefined): Promise<void> {
  await showResult(given, run);
  if (out !== undefined && run.report !== null) await exportRun(given, run, out, true);
  if (run.status !== "waiting_on_user") await sayWhereToReadMore(given, run, out !== undefined);
}

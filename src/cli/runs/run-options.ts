// How much a run may use, which models it asks and where its results go, as options that several commands take.

import { type Command, InvalidArgumentError, Option } from "commander";
import { runLimits } from "../../domain/run/limits.ts";
import type { EngineName } from "../../domain/run/run.ts";
import { type RunModels, runModelRoles } from "../../domain/run/run-models.ts";
import { AppError } from "../../lib/app-error.ts";
import { commandsOption } from "../agents/options.ts";
import { wholeNumber } from "../options.ts";

export type BudgetOptions = {
  readonly maxIterations?: number;
  readonly maxMinutes?: number;
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly maxToolCalls?: number;
  readonly hard?: true;
};

const minuteMs = 60_000;

export function withBudgets(command: Command): Command {
  return command
    .option("--max-iterations <count>", "iterations it may take", wholeNumber(1, runLimits.iterations))
    .option("--max-minutes <count>", "minutes it may work", wholeNumber(1, runLimits.runningMs / minuteMs))
    .option("--max-cost <usd>", "dollars it may cost, such as 1.50", usd)
    .option("--max-tokens <count>", "tokens it may use", wholeNumber(1, runLimits.tokens))
    .option("--max-tool-calls <count>", "tool calls it may make", wholeNumber(1, runLimits.toolCalls))
    .option("--hard", "also refuse the one call that could cross --max-cost");
}

/** By the names of the API; undefined is not sent. */
export function budgetsOf({ maxIterations, maxMinutes, maxCost, maxTokens, maxToolCalls, hard }: BudgetOptions) {
  return {
    max_iterations: maxIterations,
    max_wall_clock_ms: maxMinutes && maxMinutes * minuteMs,
    max_cost_usd: maxCost,
    max_total_tokens: maxTokens,
    max_tool_calls: maxToolCalls,
    hard,
  };
}

/** Whole micro-dollars are the smallest that is counted. */
export function usd(text: string): number {
  const value = /^\d+(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= runLimits.costUsd))
    throw new InvalidArgumentError(`Give dollars such as 1.50, at most ${runLimits.costUsd}.`);
  return value;
}

export type ForeignOptions = { readonly foreign?: readonly string[] };

export const foreignOption = (): Option =>
  new Option(
    "--foreign <file>",
    "hand over a text that someone else wrote: the run reads it and follows no instructions in it; - is stdin; may be repeated",
  ).argParser((file: string, before: readonly string[] = []) => [...before, file]);

/** Each one a program and its arguments. */
export type CheckOptions = { readonly check?: readonly (readonly string[])[] };

export const checkOption = (): Option =>
  new Option(
    "--check <command>",
    'for agents: a command that must succeed before the run is done, such as "npm test"; may be repeated',
  ).argParser(commandsOption);

/** Commands are run in a folder, and only agents have one. */
export function checksOf({ check }: CheckOptions, engine: EngineName | undefined) {
  if (check === undefined) return undefined;
  if (engine !== "agent")
    throw new AppError("invalid_request", "--check runs a command in the folder of an agent: add --engine agent");
  return check.map(([program = "", ...args]) => ({ kind: "command_succeeds" as const, program, args }));
}

export type OutOptions = { readonly out?: string };

export const outOption = (): Option =>
  new Option(
    "-o, --out <folder>",
    "write what the run made, and its report, as Markdown files into this folder",
  ).conflicts("detach");

export type ModelOptions = { readonly model?: RunModels };

export function withModels(command: Command): Command {
  return command.option(
    "--model <model>",
    `the model it asks, such as anthropic/claude-sonnet-4-5, or role=model for one of ${runModelRoles.join(", ")}; may be repeated`,
    oneModel,
  );
}

/** Without a role it is for all of them; the later one counts. */
function oneModel(text: string, before: RunModels = {}): RunModels {
  const named = /^([a-z]+)=(.*)$/s.exec(text);
  const [role, model] = named ? [named[1], (named[2] ?? "").trim()] : [null, text.trim()];
  if (model === "") throw new InvalidArgumentError("Give a model, such as anthropic/claude-sonnet-4-5.");
  if (role === null) return Object.fromEntries(runModelRoles.map((each) => [each, model]));
  const known = runModelRoles.find((each) => each === role);
  if (known === undefined) throw new InvalidArgumentError(`"${role}" is not one of ${runModelRoles.join(", ")}.`);
  return { ...before, [known]: model };
}

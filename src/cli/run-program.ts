// One call of a program: parse, do, tell what went wrong, and the number to end with.

import { type Command, CommanderError } from "commander";
import { AppError } from "../lib/app-error.ts";
import { describeMachineFault } from "../lib/machine-fault.ts";
import { ApiError } from "../protocol/api-error.ts";
import { Ended, type ExitName, exitCodes, exitNameOf } from "./exit-code.ts";
import { isGivenUp } from "./invocation.ts";
import { withoutEscapes } from "./plain-text.ts";
import type { Host } from "./ports.ts";

/** All it needs to speak and to hear that the user gave up. */
type Caller = Pick<Host, "terminal" | "stop">;

/** `args` without the program's own name. Never throws. */
export async function runProgram(program: Command, args: readonly string[], host: Caller): Promise<number> {
  program.hook("preAction", (_, command) => unmarkTexts(command));
  try {
    await program.parseAsync(markTexts(args), { from: "user" });
    return exitCodes.ok.number;
  } catch (thrown) {
    const exit: ExitName = isGivenUp(host, thrown) ? "interrupted" : exitNameOf(thrown);
    if (exit === "interrupted" && !(thrown instanceof Ended))
      tell(host, { code: "interrupted", message: "Interrupted.", details: {} }, args);
    else if (exit !== "ok") tell(host, toTell(thrown, commandIn(program, args)), args);
    return exitCodes[exit].number;
  }
}

/**
 * Stands before a text that begins like an option, such as "- [ ] Ask her", so that it is not taken for one, and before
 * everything behind `--`, so that it is taken for nothing else. No name or id has it.
 */
const mark = "\u{f8ff}";

/** An option has no blank in it, unless behind a "=". */
const markText = (arg: string): string => (/^-[^=\s]*\s/.test(arg) ? `${mark}${arg}` : arg);

function markTexts(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return args.map((arg, at) => (end >= 0 && at > end ? `${mark}${arg}` : markText(arg)));
}

const unmark = (text: string): string => (text.startsWith(mark) ? text.slice(mark.length) : text);

function unmarkTexts(command: Command): void {
  const unmarkAll = (value: unknown): unknown =>
    typeof value === "string" ? unmark(value) : Array.isArray(value) ? value.map(unmarkAll) : value;
  command.processedArgs = command.processedArgs.map(unmarkAll);
  for (const [name, value] of Object.entries(command.opts()))
    if (command.getOptionValueSource(name) === "cli") command.setOptionValueWithSource(name, unmarkAll(value), "cli");
}

type Told = { readonly code: string; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

/** Null: it was said already. */
function tell(host: Caller, told: Told | null, args: readonly string[]): void {
  if (told === null) return;
  if (wantsJson(args)) host.terminal.say(`${JSON.stringify({ error: told })}\n`);
  else host.terminal.say(`${withoutEscapes(told.message)}\n`);
}

function toTell(thrown: unknown, command: string): Told | null {
  if (thrown instanceof Ended) return null;
  if (thrown instanceof CommanderError) return usageError(thrown, command);
  if (thrown instanceof AppError || thrown instanceof ApiError) {
    return {
      code: thrown.code,
      message: `${thrown.message}${causeOf(thrown)}${adviceFor(thrown, command)}`,
      details: thrown.details,
    };
  }
  const fault = describeMachineFault(thrown);
  if (fault !== null) return { code: "internal", message: fault, details: {} };
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { code: "internal", message: `Something went wrong on our side: ${stack}`, details: {} };
}

/** Of a fault of ours its place in the code; of a database that is away, what it said. */
function causeOf({ code, cause, message }: AppError | ApiError): string {
  if (!(cause instanceof Error) || message.includes(cause.message)) return "";
  if (code === "internal") return `\n${cause.stack}`;
  return code === "database_unavailable" ? ` (${cause.message})` : "";
}

function usageError(error: CommanderError, command: string): Told | null {
  // A family without a verb: its help is already on stderr.
  if (error.code === "commander.help") return null;
  const message = error.message.replace(/^error: /, "").replace(/\n\((Did you mean .*)\)$/, ". $1");
  const hint = error.code === "commander.excessArguments" ? "\nPut a text of several words in quotes." : "";
  return { code: "usage", message: `${capitalized(message)}${hint}\nHelp: ${command} --help`, details: {} };
}

function adviceFor({ code }: AppError | ApiError, command: string): string {
  if (code === "invalid_request") return `\nHelp: ${command} --help`;
  if (code === "not_signed_in")
    return "\nSet HOMEWORK_API_KEY to a key of that server; make one on its page Settings, API keys";
  if (code === "unreachable") return "\nIs it running? See: homework doctor";
  return "";
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The deepest command that the arguments name: whose help to point to. */
function commandIn(program: Command, args: readonly string[]): string {
  let command = program;
  let name = program.name();
  for (const word of args) {
    const below = command.commands.find((each) => each.name() === word);
    if (!below) continue;
    command = below;
    name += ` ${word}`;
  }
  return name;
}

/** Known even where the arguments cannot be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).includes("--json");
}

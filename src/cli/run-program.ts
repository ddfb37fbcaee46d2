// One call of a program: parse, do, tell what went wrong, and the number to end with.

import { type Command, CommanderError } from "commander";
import { AppError } from "../lib/app-error.ts";
import { ApiError } from "../protocol/api-error.ts";
import { Ended, type ExitName, exitCodes, exitNameOf } from "./exit-code.ts";
import { isGivenUp } from "./invocation.ts";
import { withoutEscapes } from "./plain-text.ts";
import type { Host } from "./ports.ts";

/** All it needs to speak and to hear that the user gave up. */
type Caller = Pick<Host, "terminal" | "stop">;

/** `args` without the program's own name. Never throws. */
export async function runProgram(program: Command, args: readonly string[], host: Caller): Promise<number> {
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCodes.ok.number;
  } catch (thrown) {
    const exit: ExitName = isGivenUp(host, thrown) ? "interrupted" : exitNameOf(thrown);
    if (exit === "interrupted" && !(thrown instanceof Ended))
      tell(host, { code: "interrupted", message: "Interrupted.", details: {} }, args);
    else if (exit !== "ok") tell(host, toTell(thrown, commandIn(program, args)), args);
    return exitCodes[exit].number;
  }
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
    const bug = thrown.code === "internal" && thrown.cause instanceof Error ? `\n${thrown.cause.stack}` : "";
    return { code: thrown.code, message: `${thrown.message}${bug}${adviceFor(thrown)}`, details: thrown.details };
  }
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { code: "internal", message: `Something went wrong on our side: ${stack}`, details: {} };
}

function usageError(error: CommanderError, command: string): Told | null {
  // A family without a verb: its help is already on stderr.
  if (error.code === "commander.help") return null;
  const message = error.message.replace(/^error: /, "").replace(/\n\((Did you mean .*)\)$/, ". $1");
  return { code: "usage", message: `${capitalized(message)}\nHelp: ${command} --help`, details: {} };
}

function adviceFor({ code }: AppError | ApiError): string {
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

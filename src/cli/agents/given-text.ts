// The text a command was given: as arguments, in a file, or on stdin.

import { AppError } from "../../lib/app-error.ts";
import { absolute } from "../../runner/config/layer.ts";
import type { AgentInvocation } from "./invocation.ts";

export type GivenText = {
  readonly words: readonly string[];
  readonly file?: string | undefined;
  readonly what: string;
};

/** Null: none was given, and nothing is piped in. */
export async function readGivenText({ host }: AgentInvocation, given: GivenText): Promise<string | null> {
  const { words, file, what } = given;
  if (words.length > 0 && file !== undefined)
    throw new AppError("invalid_request", `Give ${what} either as arguments or as a file.`);
  if (words.length > 0) return words.join(" ");
  if (file !== undefined && file !== "-") {
    const text = await host.files.readInput(absolute(file, host.workingFolder, host.homeFolder));
    if (text === null) throw new AppError("not_found", `There is no file ${file}.`);
    return text;
  }
  if (file === undefined && host.terminal.isInteractive) return null;
  return host.terminal.readInput();
}

export async function requireGivenText(invocation: AgentInvocation, given: GivenText): Promise<string> {
  const text = await readGivenText(invocation, given);
  if (text !== null && text.trim() !== "") return text;
  throw new AppError("invalid_request", `Give ${given.what} as arguments, with --file, or on stdin.`);
}

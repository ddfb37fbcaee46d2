// The real terminal behind the commands: stdout, stderr, stdin, and what is known about them.

import { on } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { Terminal } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";

export function openTerminal(environment: Readonly<Record<string, string | undefined>>): Terminal {
  // A reader that went away (`| head`) ends the command without a word.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", leaveQuietly);
  return {
    out: (data) => void process.stdout.write(data),
    say: (words) => void process.stderr.write(words),
    readInput: () => text(process.stdin),
    askSecret,
    ask,
    columns: process.stdout.isTTY ? process.stdout.columns : null,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    hasColor: process.stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== "dumb",
    canRedraw: process.stdout.isTTY === true && environment.TERM !== "dumb",
  };
}

/** Everything written so far has reached the other side. */
export async function flushTerminal(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
}

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode ?? 0);
}

/** Reads one line with the terminal's usual editing. */
async function ask(question: string, signal: AbortSignal): Promise<string | null> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw new AppError("invalid_request", "There is no terminal to ask in");
  const lines = createInterface({ input: stdin, output: stderr });
  // While a line is edited the terminal makes no signal of Ctrl-C; the signal's own way leads to `signal`.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await new Promise<string | null>((resolve, reject) => {
      const giveUp = () => reject(signal.reason);
      if (signal.aborted) giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      lines.once("close", () => resolve(null));
      lines.question(question, resolve);
    });
  } finally {
    lines.close();
  }
}

const enter = ["\r", "\n", "\u0004"];
const ctrlC = "\u0003";
const backspaces = ["\u007f", "\b"];

/** Reads one line while the terminal shows nothing of it. */
async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw new AppError("invalid_request", "There is no terminal to ask in");
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  // A listener alone does not wake a stream that an earlier question has paused.
  stdin.resume();
  try {
    return await readTyped();
  } finally {
    stdin.setRawMode(false).pause();
    stderr.write("\n");
  }
}

async function readTyped(): Promise<string> {
  let typed = "";
  for await (const piece of on(process.stdin, "data")) {
    for (const letter of String(piece)) {
      if (enter.includes(letter)) return typed;
      // In raw mode the terminal makes no signal of it.
      if (letter === ctrlC) {
        process.kill(process.pid, "SIGINT");
        throw new DOMException("Interrupted", "AbortError");
      }
      typed = backspaces.includes(letter) ? typed.slice(0, -1) : typed + letter;
    }
  }
  return typed;
}

// Runs a short program to its end and says how it ended; a failure is an answer, not an exception.

import { spawn } from "node:child_process";
import type { OsUser } from "./os-user.ts";

export type RunOptions = {
  readonly user: OsUser | null;
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly input?: string;
};

export type RunResult = {
  /** Exit code; null when it could not be started or was ended by a signal. */
  readonly code: number | null;
  /** The end of what it printed, both channels. */
  readonly output: string;
};

const outputMax = 20_000;

/** Nothing of our own environment, secrets included, reaches the database programs. */
export const programEnvironment = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" } as const;

export async function run(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  try {
    return await runToEnd(program, args, options);
  } catch (error) {
    // Some refusals (root without the right to become another user) are thrown by spawn itself.
    return { code: null, output: error instanceof Error ? error.message : String(error) };
  }
}

function runToEnd(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-outputMax);
    };
    const child = spawn(program, args, {
      cwd: options.cwd ?? "/",
      env: programEnvironment,
      stdio: ["pipe", "pipe", "pipe"],
      timeout: options.timeoutMs,
      killSignal: "SIGKILL",
      ...asUser(options.user),
    });
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    // A program that ends without reading its input is no news here; its exit code says what happened.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.once("error", (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.once("close", (code, signal) => resolve({ code, output: signal ? `${output}ended by ${signal}` : output }));
  });
}

export function asUser(user: OsUser | null): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

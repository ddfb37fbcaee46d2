// Running other programs during a test run: shown to the reader, or read by us.

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Runs it with our own output and returns its exit code. */
export function runShown(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env });
    const passOn = () => child.kill("SIGTERM"); // a Ctrl-C reaches it anyway, this does not
    process.once("SIGTERM", passOn);
    child.once("error", reject);
    child.once("exit", (code) => {
      process.off("SIGTERM", passOn);
      resolve(code ?? 1);
    });
  });
}

export type Captured = { readonly code: number; readonly output: string };

/** Runs it and returns everything it said, in the order it said it. */
export function runCaptured(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Whether it starts and says that all is well, e.g. to `--version`. */
export function works(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore", timeout: 90_000 }).status === 0;
}

export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

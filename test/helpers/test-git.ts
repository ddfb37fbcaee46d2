// git as a person runs it: in a test's own repository, with its configuration.

import { execFile } from "node:child_process";

/** `ok`: exit codes that are answers; any other fails the test with git's words. */
export function runGit(
  folder: string,
  args: readonly string[],
  ok: readonly number[] = [0],
): Promise<{ readonly code: number; readonly stdout: string }> {
  return new Promise((done, fail) => {
    const child = execFile("git", ["-C", folder, ...args], (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      if (ok.includes(code)) done({ code, stdout });
      else fail(new Error(`git ${args.join(" ")}: ${stderr || error?.message}`));
    });
    // What git starts may read its input to the end.
    child.stdin?.end();
  });
}

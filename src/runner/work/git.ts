// git as a program, started so that nothing of a repository can run: no hooks, no monitor, no editor, no questions. What it answers is
// bounded, and an answer that was not expected is an error with git's own words.

import { execFile } from "node:child_process";
import { AppError } from "../../lib/app-error.ts";

export type GitOptions = {
  /** Exit codes that are answers. */
  readonly ok?: readonly number[];
  readonly env?: Readonly<Record<string, string>>;
};

export type GitAnswer = { readonly code: number; readonly stdout: string; readonly stderr: string };

export type Git = (folder: string, args: readonly string[], options?: GitOptions) => Promise<GitAnswer>;

/** A diff of a large change; more is cut by who asks. */
const outputMax = 64 * 1024 * 1024;
/** Adding a large worktree on a slow disk takes its time. */
const timeoutMs = 300_000;

const safe = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.quotePath", "false"],
  ["commit.gpgSign", "false"],
  ["gc.auto", "0"],
  ["advice.detachedHead", "false"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** `variables`: what this process was started with; PATH and HOME of it are used. */
export function openGit(variables: Readonly<Record<string, string | undefined>>): Git {
  const base = {
    PATH: variables.PATH ?? "/usr/local/bin:/usr/bin:/bin",
    ...(variables.HOME === undefined ? {} : { HOME: variables.HOME }),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_OPTIONAL_LOCKS: "0",
  };
  return (folder, args, { ok = [0], env = {} } = {}) =>
    new Promise((done, fail) => {
      execFile(
        "git",
        ["-C", folder, ...safe, ...args],
        { env: { ...base, ...env }, maxBuffer: outputMax, timeout: timeoutMs, windowsHide: true },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
          if (ok.includes(code)) return done({ code, stdout, stderr });
          const said = (stderr.trim() || stdout.trim() || error?.message || "").slice(0, 1_000);
          fail(new AppError("unprocessable", `git ${args[0] ?? ""} failed in ${folder}: ${said}`));
        },
      );
    });
}

/** The repository that a folder is in; null: none, or git is not there. */
export async function findRepository(git: Git, folder: string): Promise<string | null> {
  try {
    const { stdout } = await git(folder, ["rev-parse", "--show-toplevel"]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

// git as a program, started so that nothing of a repository runs: agents write its configuration, attributes and hooks. Objects and files
// are worked on with an empty git directory made for each call (`work`); the repository's own configuration is read by commands that
// start no program (`look`). Answers are bounded, and an unexpected one is an error with git's own words.

import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";

export type GitAnswer = { readonly code: number; readonly stdout: string; readonly stderr: string };

type Options = {
  /** Exit codes that are answers. */
  readonly ok?: readonly number[];
  /** Otherwise git reads nothing. */
  readonly input?: string;
};

/** Where the objects of a repository lie. */
export type ObjectStore = {
  /** The git directory that all worktrees of the repository share. */
  readonly common: string;
  readonly objects: string;
  readonly format: string;
  /** The commits at which a shallow clone ends; empty: it is whole. */
  readonly shallow: string;
};

export type WorkOptions = Options & {
  /** The files that the index is of; without it there are none. */
  readonly files?: { readonly folder: string; readonly index: string };
  /** Settings of git, as `name=value`. */
  readonly settings?: readonly string[];
  readonly author?: { readonly name: string; readonly email: string };
};

export type LookOptions = Options & {
  /** With the settings of the person who runs this process. */
  readonly isPersons?: boolean;
};

export type Git = {
  /** `verb` is one of `lookVerbs`, in a repository with its own configuration. */
  readonly look: (folder: string, args: readonly string[], options?: LookOptions) => Promise<GitAnswer>;
  readonly work: (store: ObjectStore, args: readonly string[], options?: WorkOptions) => Promise<GitAnswer>;
};

/** Commands that start no program whatever the configuration says; a test lays traps for each of them. */
export const lookVerbs = [
  "config",
  "for-each-ref",
  "init",
  "rev-parse",
  "symbolic-ref",
  "update-ref",
  "var",
  "worktree",
];

/** A diff of a large change; more is cut by who asks. */
const outputMax = 64 * 1024 * 1024;
/** Reading a large folder on a slow disk takes its time. */
const workMs = 300_000;
/** Looks read settings and refs alone; an agent may have named a pipe there. */
const lookMs = 15_000;

const safe = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "commit.gpgSign=false",
  "log.showSignature=false",
  "diff.ignoreSubmodules=all",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.addEmbeddedRepo=false",
  // Nothing of the folder is run, whoever owns it.
  "safe.directory=*",
].flatMap((setting) => ["-c", setting]);

/** Attributes of the repository hide no change; programs that they name are not configured here. */
const attributes = "* !diff !merge\n";

/** `variables`: what this process was started with. */
export function openGit(variables: Readonly<Record<string, string | undefined>>): Git {
  const base = {
    PATH: variables.PATH ?? "/usr/local/bin:/usr/bin:/bin",
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    // No name of a protocol: nothing is fetched.
    GIT_ALLOW_PROTOCOL: "none",
  };
  const alone = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return {
    look: (folder, args, { isPersons = false, ...options } = {}) => {
      if (!lookVerbs.includes(args[0] ?? "")) throw new Error(`git ${args[0]} is not a command that only looks`);
      const own = isPersons ? { ...(variables.HOME === undefined ? {} : { HOME: variables.HOME }) } : alone;
      return run([...safe, ...args], { ...base, ...own }, folder, options, lookMs);
    },
    work: async (store, args, options = {}) => {
      const place = mkdtempSync(path.join(tmpdir(), "homework-git-"));
      try {
        return await workIn(place, { ...base, ...alone }, store, args, options);
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    },
  };
}

function workIn(
  place: string,
  base: Readonly<Record<string, string>>,
  store: ObjectStore,
  args: readonly string[],
  { files, settings = [], author, ...options }: WorkOptions,
): Promise<GitAnswer> {
  const none = path.join(place, "files");
  for (const name of ["refs", "info", "files"]) mkdirSync(path.join(place, name));
  const isNew = store.format !== "sha1";
  const format = isNew
    ? `\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = ${store.format}\n`
    : "\trepositoryformatversion = 0\n";
  writeFileSync(path.join(place, "HEAD"), "ref: refs/heads/none\n");
  writeFileSync(path.join(place, "config"), `[core]\n${format}`);
  writeFileSync(path.join(place, "info", "attributes"), attributes);
  if (store.shallow !== "") writeFileSync(path.join(place, "shallow"), store.shallow);
  const folder = files?.folder ?? none;
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new AppError("unprocessable", `The work folder ${folder} is not there any more, or is no folder.`);
  const names = author && {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const env = {
    ...base,
    ...names,
    HOME: place,
    GIT_DIR: place,
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: files?.index ?? path.join(place, "index"),
    GIT_OBJECT_DIRECTORY: store.objects,
  };
  return run([...safe, ...settings.flatMap((each) => ["-c", each]), ...args], env, folder, options, workMs);
}

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
  { ok = [0], input = "" }: Options,
  timeout: number,
): Promise<GitAnswer> {
  return new Promise((done, fail) => {
    const options = { env, cwd: "/", maxBuffer: outputMax, timeout, windowsHide: true };
    const child = execFile("git", ["-C", folder, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      if (ok.includes(code)) return done({ code, stdout, stderr });
      const verb = args.find((each, at) => !each.startsWith("-") && args[at - 1] !== "-c");
      const said = (stderr.trim() || stdout.trim() || error?.message || "").slice(0, 1_000);
      fail(new AppError("unprocessable", `git ${verb ?? ""} failed in ${folder}: ${said}`));
    });
    child.stdin?.on("error", () => {
      // git ended without reading: its exit code says why.
    });
    child.stdin?.end(input);
  });
}

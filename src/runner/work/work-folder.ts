// The folder that the agents of one run work in: a worktree with a branch of its own where the run was given a repository, else a
// repository of the run alone. The person's own checkout and what they have not committed are never touched. Everything here can be
// done again after a crash in the middle.

import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import type { FileChange, WorkCommit } from "../../domain/agent/work.ts";
import { AppError } from "../../lib/app-error.ts";
import { sliceText } from "../../lib/slice-text.ts";
import type { Git } from "./git.ts";

export type WorkFolder = {
  readonly git: Git;
  readonly folder: string;
  /** The person's own; null: a folder of the run alone. */
  readonly repository: string | null;
  readonly branch: string;
  /** The commit that it began from. */
  readonly base: string;
};

export type WorkRequest = {
  readonly git: Git;
  readonly folder: string;
  readonly repository: string | null;
  readonly branch: string;
  /** Where it began, if that is known already. */
  readonly base: string | null;
};

/** Who commits what an agent has left. */
const author = ["-c", "user.name=Homework", "-c", "user.email=homework@localhost"];

export async function openWorkFolder(request: WorkRequest): Promise<WorkFolder> {
  const base = request.repository === null ? await openOwn(request) : await openWorktree(request, request.repository);
  return { ...request, base };
}

async function openOwn({ git, folder, branch }: WorkRequest): Promise<string> {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path.join(folder, ".git"))) await git(folder, ["init", "--quiet", `--initial-branch=${branch}`]);
  const root = async () => (await git(folder, ["rev-list", "--max-parents=0", branch, "--"], { ok: [0, 128] })).stdout;
  const found = (await root()).trim().split("\n").at(-1) ?? "";
  if (found !== "") return found;
  await git(folder, [...author, "commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Beginning"]);
  return (await root()).trim();
}

async function openWorktree({ git, folder, branch, base }: WorkRequest, repository: string): Promise<string> {
  const head = await git(repository, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { ok: [0, 1, 128] });
  const from = base ?? head.stdout.trim();
  if (from === "")
    throw new AppError("unprocessable", `${repository} has no commit yet. Commit something there first.`);
  if (existsSync(path.join(folder, ".git"))) return from;
  rmSync(folder, { recursive: true, force: true });
  await git(repository, ["worktree", "prune"]);
  const isThere = (await git(repository, ["rev-parse", "--verify", "--quiet", ref(branch)], { ok: [0, 1] })).code === 0;
  await git(
    repository,
    isThere
      ? ["worktree", "add", "--quiet", "--force", folder, branch]
      : ["worktree", "add", "--quiet", "-b", branch, folder, from],
  );
  return from;
}

const ref = (branch: string): string => `refs/heads/${branch}`;

/** Everything that is different from the beginning, committed or not. Files that are ignored do not count. */
export async function listChanges({ git, folder, base }: WorkFolder): Promise<readonly FileChange[]> {
  const [names, numbers, others] = await Promise.all([
    git(folder, ["diff", "--name-status", "-z", "-M", base, "--"]),
    git(folder, ["diff", "--numstat", "-z", "-M", base, "--"]),
    git(folder, ["ls-files", "--others", "--exclude-standard", "-z"]),
  ]);
  const lines = readNumbers(numbers.stdout);
  const untracked = split(others.stdout).map(
    (file): FileChange => ({ path: file, change: "added", added: null, removed: null }),
  );
  return [...readNames(names.stdout).map((change) => ({ ...change, ...lines.get(change.path) })), ...untracked];
}

const split = (text: string): readonly string[] => text.split("\0").filter((part) => part !== "");

const kinds: Readonly<Record<string, FileChange["change"]>> = { A: "added", C: "added", D: "deleted", R: "renamed" };

function readNames(text: string): readonly FileChange[] {
  const parts = split(text);
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const kind = (parts[at] ?? "M").slice(0, 1);
    // A rename and a copy name two files; the new one counts.
    if (kind === "R" || kind === "C") at += 1;
    changes.push({ path: parts[at + 1] ?? "", change: kinds[kind] ?? "modified", added: null, removed: null });
  }
  return changes;
}

type Numbers = Pick<FileChange, "added" | "removed">;

/** `1\t2\tfile`, or `1\t2\t` and then two names for a rename. A dash stands for a file that is no text. */
function readNumbers(text: string): ReadonlyMap<string, Numbers> {
  const parts = split(text);
  const found = new Map<string, Numbers>();
  for (let at = 0; at < parts.length; at += 1) {
    const [added = "-", removed = "-", name = ""] = (parts[at] ?? "").split("\t");
    const file = name === "" ? (parts[at + 2] ?? "") : name;
    if (name === "") at += 2;
    found.set(file, { added: added === "-" ? null : Number(added), removed: removed === "-" ? null : Number(removed) });
  }
  return found;
}

/** What is not committed yet becomes a commit of the branch; the answer is the branch's last commit, also where the agent made it. */
export async function commitAll(work: WorkFolder, message: string): Promise<string> {
  const { git, folder, branch } = work;
  const head = await git(folder, ["symbolic-ref", "--quiet", "HEAD"], { ok: [0, 1] });
  if (head.stdout.trim() !== ref(branch)) {
    // The agent went to another branch: its files are what counts, and they belong to this one.
    await git(folder, ["symbolic-ref", "HEAD", ref(branch)]);
    await git(folder, ["reset", "--quiet", "--mixed"]);
  }
  await git(folder, ["add", "--all"]);
  const staged = await git(folder, ["diff", "--cached", "--quiet"], { ok: [0, 1] });
  if (staged.code === 1) await git(folder, [...author, "commit", "--quiet", "--no-verify", "-m", message]);
  return (await git(folder, ["rev-parse", "HEAD"])).stdout.trim();
}

/** Oldest first. */
export async function listCommits({ git, folder, base, branch }: WorkFolder): Promise<readonly WorkCommit[]> {
  const { stdout } = await git(folder, ["log", "--reverse", "--format=%H%x09%s", `${base}..${branch}`, "--"]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ id: line.slice(0, line.indexOf("\t")), title: line.slice(line.indexOf("\t") + 1) }));
}

/** Everything that the branch changes, as text; a longer one is cut and says so. */
export async function readDiff({ git, folder, base, branch }: WorkFolder, max: number): Promise<string> {
  const { stdout } = await git(folder, ["diff", "--no-color", "--no-ext-diff", "-M", base, branch, "--"]);
  return stdout.length <= max
    ? stdout
    : `${sliceText(stdout, 0, max).shown}\n(The diff goes on: ${stdout.length} characters in all.)\n`;
}

/** Puts these files back as they were in the last commit of the branch; those that it does not have are removed. */
export async function restoreFiles({ git, folder }: WorkFolder, paths: readonly string[]): Promise<void> {
  for (const file of paths) {
    const target = path.resolve(folder, file);
    if (!isInside(folder, target)) continue;
    const isKept = (await git(folder, ["cat-file", "-e", `HEAD:${file}`], { ok: [0, 1, 128] })).code === 0;
    if (isKept) await git(folder, ["checkout", "--quiet", "HEAD", "--", `:(literal)${file}`]);
    else {
      rmSync(target, { recursive: true, force: true });
      await git(folder, ["rm", "--quiet", "--cached", "--ignore-unmatch", "--", `:(literal)${file}`]);
    }
  }
}

export const isInside = (folder: string, target: string): boolean => {
  const [first] = path.relative(folder, target).split(path.sep);
  return first !== ".." && !path.isAbsolute(path.relative(folder, target));
};

/** Links among the changes that lead out of the folder. */
export function findLinksOut({ folder }: WorkFolder, changes: readonly FileChange[]): readonly string[] {
  return changes.flatMap(({ path: file, change }) => {
    const link = path.join(folder, file);
    if (change === "deleted" || lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return [];
    const target = path.resolve(path.dirname(link), readlinkSync(link));
    return isInside(folder, realOf(target)) || isInside(realOf(folder), realOf(target)) ? [] : [`${file} → ${target}`];
  });
}

function realOf(target: string): string {
  try {
    return realpathSync(target);
  } catch {
    return target;
  }
}

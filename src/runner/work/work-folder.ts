// The folder that the agents of one run work in: a worktree with a branch of its own, of the person's repository or of one that the run
// has alone. The platform looks at the files through an index of its own, so nothing that an agent tells git hides a change. Everything
// here can be done again after a crash in the middle.

import { cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import type { FileChange, WorkCommit } from "../../domain/agent/work.ts";
import { AppError } from "../../lib/app-error.ts";
import { sliceText } from "../../lib/slice-text.ts";
import type { Git, GitAnswer } from "./git.ts";
import { removeTraps } from "./remove-traps.ts";
import { findCommit, openStore } from "./repository.ts";
import { keepWorktree, refOf, syncWorktree, type Worktree } from "./worktree.ts";

export type WorkFolder = Worktree & {
  /** The person's own; null: a folder of the run alone. */
  readonly repository: string | null;
  /** The commit that it began from. */
  readonly base: string;
  /** An agent had replaced `.git`. */
  readonly wasReplaced: boolean;
};

export type WorkRequest = {
  readonly git: Git;
  readonly folder: string;
  readonly repository: string | null;
  readonly branch: string;
  /** Where it began, if that is known already. */
  readonly base: string | null;
  /** A commit that a new branch begins from, instead of what is checked out. */
  readonly from?: { readonly commit: string; readonly own: string | null };
};

/** Who commits what an agent has left. */
const author = { name: "Homework", email: "homework@localhost" };

const beside = (folder: string, name: string): string => path.join(path.dirname(folder), name);

export async function openWorkFolder(request: WorkRequest): Promise<WorkFolder> {
  const { git, folder, branch, repository } = request;
  const home = repository ?? (await openOwn(request));
  const store = await openStore(git, home);
  const tree: Worktree = { git, home, store, folder, branch };
  const head = await findCommit(git, home, refOf(branch));
  const base =
    request.base ??
    (head === ""
      ? (request.from?.commit ?? (await findBeginning(tree, repository)))
      : await findRoot(tree, repository));
  if (head === "") await git.look(home, ["update-ref", refOf(branch), base]);
  // A git that was killed with this process leaves its lock.
  rmSync(`${indexOf(tree)}.lock`, { force: true });
  const hasIndex = existsSync(indexOf(tree));
  if (!hasIndex || !existsSync(folder)) await writeFiles(tree);
  const kept = await keepWorktree(tree);
  if (kept !== "kept") await syncWorktree(tree, indexOf(tree));
  return { ...tree, repository, base, wasReplaced: kept === "replaced" };
}

const ownOf = (folder: string): string => beside(folder, "git");

/** Where the branch of a work folder ends; empty: there is no such branch here. */
export async function findBranchTip({
  git,
  folder,
  repository,
  branch,
}: Omit<WorkRequest, "base">): Promise<{ readonly home: string; readonly tip: string }> {
  const home = repository ?? ownOf(folder);
  return { home, tip: existsSync(home) ? await findCommit(git, home, refOf(branch)) : "" };
}

/** A repository of the run alone; it lies beside the folder, so that an agent that begins `.git` anew loses nothing. */
async function openOwn({ git, folder, branch, from }: WorkRequest): Promise<string> {
  const own = ownOf(folder);
  if (existsSync(path.join(own, "HEAD"))) return own;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const objects = from?.own == null ? null : path.join(from.own, "objects");
  if (objects !== null) cpSync(objects, path.join(own, "objects"), { recursive: true, verbatimSymlinks: true });
  const before = path.join(folder, ".git");
  // Runs of versions before 0.5 had it in the folder.
  if (lstatSync(before, { throwIfNoEntry: false })?.isDirectory() === true) renameSync(before, own);
  else await git.look(own, ["init", "--quiet", "--bare", "--template=", `--initial-branch=${branch}`]);
  return own;
}

/** What is checked out; of the run's own repository an empty commit. */
async function findBeginning({ git, home, store }: Worktree, repository: string | null): Promise<string> {
  if (repository === null) {
    const tree = (await git.work(store, ["write-tree"])).stdout.trim();
    return (await git.work(store, ["commit-tree", "-m", "Beginning", tree], { author })).stdout.trim();
  }
  const head = await findCommit(git, repository, "HEAD");
  if (head !== "") return head;
  throw new AppError("unprocessable", `${home} has no commit yet. Commit something there first.`);
}

/** Of a branch that is there although nobody wrote down where it began. */
async function findRoot({ git, home, store, branch }: Worktree, repository: string | null): Promise<string> {
  const tip = await findCommit(git, home, refOf(branch));
  const from = repository === null ? "" : await findCommit(git, repository, "HEAD");
  const asked = from === "" ? ["rev-list", "--max-parents=0", tip] : ["merge-base", from, tip];
  const { stdout } = await git.work(store, asked, { ok: [0, 1] });
  return stdout.trim().split("\n").at(-1) || tip;
}

/** The platform's own, which no git of an agent writes to. */
const indexOf = ({ folder }: Pick<Worktree, "folder">): string => beside(folder, "git-index");

const filesOf = (tree: Worktree) => ({ folder: tree.folder, index: indexOf(tree) });

/** git on the files of the folder. */
async function onFiles(tree: Worktree, args: readonly string[], ok: readonly number[] = [0]): Promise<GitAnswer> {
  await removeTraps(tree.folder);
  return tree.git.work(tree.store, args, { ok, files: filesOf(tree) });
}

/** The last commit of the branch; where an agent deleted the branch, it begins anew. */
export async function findTip(work: WorkFolder): Promise<string> {
  return (await findCommit(work.git, work.home, refOf(work.branch))) || work.base;
}

/** The branch as it stands. The index comes last: without it the files are written again. */
async function writeFiles(tree: Worktree): Promise<void> {
  const { folder, git, store } = tree;
  // Runs of versions before 0.5 have no index here; what their agents left is kept.
  const isOld = lstatSync(path.join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
  if (!isOld) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const fresh = `${indexOf(tree)}.new`;
  rmSync(fresh, { force: true });
  const files = { folder, index: fresh };
  await git.work(store, ["read-tree", await findCommit(git, tree.home, refOf(tree.branch))], { files });
  await git.work(store, ["checkout-index", "--all", "--index", "--quiet"], { files, ok: isOld ? [0, 1] : [0] });
  renameSync(fresh, indexOf(tree));
}

/** Everything that is different from the beginning, committed or not. Files that are ignored do not count. */
export async function listChanges(work: WorkFolder): Promise<readonly FileChange[]> {
  const others = await listOthers(work);
  const [names, numbers] = await Promise.all(
    ["--name-status", "--numstat"].map((form) => onFiles(work, ["diff", form, "-z", "-M", work.base, "--"])),
  );
  const lines = readNumbers(numbers?.stdout ?? "");
  const untracked = others.map((file): FileChange => ({ path: file, change: "added", added: null, removed: null }));
  return [...readNames(names?.stdout ?? "").map((change) => ({ ...change, ...lines.get(change.path) })), ...untracked];
}

/** A repository in a repository in a repository. */
const nestedMax = 10;

/** Files that the index does not know. Git takes a repository inside the folder as one thing; its files count like others. */
async function listOthers(work: WorkFolder): Promise<readonly string[]> {
  for (let depth = 0; ; depth++) {
    const { stdout } = await onFiles(work, ["ls-files", "--others", "--exclude-standard", "-z"]);
    const others = split(stdout);
    const nested = others.filter((file) => file.endsWith("/"));
    if (nested.length === 0 || depth >= nestedMax) return others;
    // Git looks into folders of which the index has a file; this one is dropped by the next `add`.
    const known = nested.map((folder) => `100644 ${emptyBlob[work.store.format] ?? ""}\t${folder}.inside\0`).join("");
    await work.git.work(work.store, ["update-index", "-z", "--index-info"], { files: filesOf(work), input: known });
  }
}

/** By the format of the repository's names. */
const emptyBlob: Readonly<Record<string, string>> = {
  sha1: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  sha256: "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
};

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

/** The files become a commit of the branch where they differ from it; the answer is the branch's last commit, also where the agent made it. */
export async function commitAll(work: WorkFolder, message: string): Promise<string> {
  const { git, store, home, branch } = work;
  const tip = await findTip(work);
  await listOthers(work);
  await onFiles(work, ["add", "--all"]);
  const tree = (await onFiles(work, ["write-tree"])).stdout.trim();
  const isSame = (await git.work(store, ["rev-parse", `${tip}^{tree}`])).stdout.trim() === tree;
  const commit = isSame
    ? tip
    : (await git.work(store, ["commit-tree", "-p", tip, "-F", "-", tree], { author, input: message })).stdout.trim();
  await git.look(home, ["update-ref", "-m", "homework: an iteration", refOf(branch), commit]);
  await syncWorktree(work, indexOf(work));
  return commit;
}

/** Oldest first. */
export async function listCommits(work: WorkFolder): Promise<readonly WorkCommit[]> {
  const range = `${work.base}..${await findTip(work)}`;
  const { stdout } = await work.git.work(work.store, ["log", "--reverse", "--format=%H%x09%s", range, "--"]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ id: line.slice(0, line.indexOf("\t")), title: line.slice(line.indexOf("\t") + 1) }));
}

/** Whether the work began on top of this commit. */
export async function hasCommit({ git, store, base }: WorkFolder, commit: string): Promise<boolean> {
  const asked = ["merge-base", "--is-ancestor", commit, base];
  return (await git.work(store, asked, { ok: [0, 1, 128] })).code === 0;
}

/** Everything that the branch changes, as text; a longer one is cut and says so. */
export async function readDiff(work: WorkFolder, max: number): Promise<string> {
  const form = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "-M"];
  const { stdout } = await work.git.work(work.store, [...form, work.base, await findTip(work), "--"]);
  return stdout.length <= max
    ? stdout
    : `${sliceText(stdout, 0, max).shown}\n(The diff goes on: ${stdout.length} characters in all.)\n`;
}

/** A file as the branch has it; null: it has none. */
export async function readBranchFile(work: WorkFolder, file: string): Promise<string | null> {
  const asked = ["cat-file", "blob", `${await findTip(work)}:${file}`];
  const { code, stdout } = await work.git.work(work.store, asked, { ok: [0, 128] });
  return code === 0 ? stdout : null;
}

/** Puts these files back as they were in the last commit of the branch; those that it does not have are removed. */
export async function restoreFiles(work: WorkFolder, paths: readonly string[]): Promise<void> {
  const tip = await findTip(work);
  for (const file of paths) {
    const target = path.resolve(work.folder, file);
    if (!isInside(work.folder, target)) continue;
    const isKept =
      (await work.git.work(work.store, ["cat-file", "-e", `${tip}:${file}`], { ok: [0, 1, 128] })).code === 0;
    if (isKept) await onFiles(work, ["checkout", "--quiet", tip, "--", `:(literal)${file}`]);
    else {
      rmSync(target, { recursive: true, force: true });
      await onFiles(work, ["rm", "-r", "--quiet", "--cached", "--ignore-unmatch", "--", `:(literal)${file}`]);
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

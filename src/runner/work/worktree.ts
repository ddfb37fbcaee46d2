// The worktree that agents see: a folder with a `.git` file of its own, known to the repository under the run's name. An agent may have
// replaced that file, or gone to another branch; both are put right, and the platform itself never follows the file.

import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Git, ObjectStore } from "./git.ts";

export type Worktree = {
  readonly git: Git;
  /** Where git is asked: the person's checkout, or the run's own repository. */
  readonly home: string;
  readonly store: ObjectStore;
  readonly folder: string;
  readonly branch: string;
};

/** A `.git` file is one short line. */
const linkMax = 10_000;

export const refOf = (branch: string): string => `refs/heads/${branch}`;

/** The same name in `.git/worktrees` as the branch has. */
const nameOf = ({ branch }: Pick<Worktree, "branch">): string => branch.replaceAll("/", "-");

const dotGit = ({ folder }: Pick<Worktree, "folder">): string => path.join(folder, ".git");

/** Git's own folder for this worktree; null: the repository does not know it. */
function findRegistration({ store, folder }: Pick<Worktree, "store" | "folder">): string | null {
  const place = path.join(store.common, "worktrees");
  if (!existsSync(place)) return null;
  const known = readdirSync(place).map((name) => path.join(place, name));
  // Git writes real paths, which a link above the folder makes another one than ours.
  const wanted = [dotGit({ folder }), path.join(realOf(folder), ".git")];
  return known.find((each) => wanted.includes(readLine(path.join(each, "gitdir")))) ?? null;
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function readLine(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= linkMax ? readFileSync(file, "utf8").trim() : "";
}

/** Registers the folder, whose files stay as they are. `replaced`: an agent had put something else in place of `.git`. */
export async function keepWorktree(tree: Worktree): Promise<"kept" | "made" | "replaced"> {
  const known = findRegistration(tree);
  const named = readLine(dotGit(tree));
  if (known !== null && named.startsWith("gitdir: ") && realOf(named.slice("gitdir: ".length)) === realOf(known))
    return "kept";
  const isReplaced = known !== null && lstatSync(dotGit(tree), { throwIfNoEntry: false }) !== undefined;
  if (isReplaced) putAside(tree);
  if (known !== null) rmSync(known, { recursive: true, force: true });
  await register(tree);
  return isReplaced ? "replaced" : "made";
}

/** Commits that an agent made in a repository of its own stay to be found. */
function putAside(tree: Worktree): void {
  const aside = path.join(path.dirname(tree.folder), "replaced-git");
  rmSync(aside, { recursive: true, force: true });
  renameSync(dotGit(tree), aside);
}

/** Git makes an empty worktree beside it, whose `.git` is moved in. */
async function register(tree: Worktree): Promise<void> {
  const { git, home, folder, branch } = tree;
  const fresh = path.join(path.dirname(folder), nameOf(tree));
  rmSync(fresh, { recursive: true, force: true });
  const add = ["worktree", "add", "--quiet", "--force", "--force", "--no-checkout", fresh, branch];
  await git.look(home, add);
  const link = readLine(path.join(fresh, ".git"));
  mkdirSync(folder, { recursive: true });
  renameSync(path.join(fresh, ".git"), dotGit(tree));
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(path.join(link.replace(/^gitdir: /, ""), "gitdir"), `${dotGit(tree)}\n`);
}

/** The agent's git stands on the run's branch and knows its files. */
export async function syncWorktree(tree: Worktree, index: string): Promise<void> {
  const known = findRegistration(tree);
  if (known === null) return;
  await tree.git.look(known, ["symbolic-ref", "HEAD", refOf(tree.branch)]);
  rmSync(path.join(known, "index"), { force: true });
  copyFileSync(index, path.join(known, "index"));
}

/** The folder and what the repository knows of it are removed. */
export function removeWorktree(tree: Pick<Worktree, "store" | "folder">): void {
  const known = findRegistration(tree);
  if (known !== null) rmSync(known, { recursive: true, force: true });
  rmSync(tree.folder, { recursive: true, force: true });
}

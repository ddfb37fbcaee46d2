// What becomes of a run's branch: merged into what the person has checked out, or discarded. A merge that would have conflicts, or would
// touch what is not committed, is not begun; what is in the way is told. Where only a program of the repository could do it (a filter
// like Git LFS), the person is told to merge.

import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import type { Git, ObjectStore } from "./git.ts";
import { findCommit, openStore } from "./repository.ts";
import { refOf, removeWorktree } from "./worktree.ts";

type Branch = {
  readonly git: Git;
  readonly folder: string;
  readonly branch: string;
  readonly repository: string;
};

export type Merged =
  | { readonly kind: "merged"; readonly into: string; readonly commit: string }
  /** Files that both sides changed. Nothing was done. */
  | { readonly kind: "conflicts"; readonly into: string; readonly files: readonly string[] }
  /** Changes of the person that are not committed, or a checkout that is in the middle of something. Nothing was done. */
  | { readonly kind: "in_the_way"; readonly why: string };

const inTheWay = (why: string): Merged => ({ kind: "in_the_way", why });
const wordsMax = 2_000;

export async function mergeWork(work: Branch, message: string): Promise<Merged> {
  const { git, repository, branch } = work;
  const head = await git.look(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"], { ok: [0, 1] });
  if (head.code !== 0) return inTheWay(`No branch is checked out in ${repository}. Check one out first.`);
  const into = head.stdout.trim();
  const [ours, theirs] = await Promise.all([
    findCommit(git, repository, "HEAD"),
    findCommit(git, repository, refOf(branch)),
  ]);
  if (theirs === "") return inTheWay(`The branch ${branch} is not in ${repository} any more.`);
  const store = await openStore(git, repository);
  const isMerged = (await git.work(store, ["merge-base", "--is-ancestor", theirs, ours], { ok: [0, 1] })).code === 0;
  if (isMerged) {
    await removeBranch(work);
    return { kind: "merged", into, commit: ours };
  }
  const tried = await git.work(store, ["merge-tree", "--write-tree", "--name-only", "-z", ours, theirs], {
    ok: [0, 1],
  });
  if (tried.code === 1) return { kind: "conflicts", into, files: readConflicts(tried.stdout) };
  const tree = tried.stdout.split("\0")[0]?.trim() ?? "";
  const checkout = await readCheckout(work, store);
  const obstacle = checkout.obstacle ?? (await findFilter(checkout, ours, tree));
  if (obstacle !== null) return inTheWay(tellMergeYourself(work, obstacle));
  const parents = ["-p", ours, "-p", theirs];
  const author = await readPerson(work);
  const made = await git.work(store, ["commit-tree", ...parents, "-F", "-", tree], { author, input: message });
  const commit = made.stdout.trim();
  const taken = await takeFiles(checkout, ours, commit);
  if (taken !== null) return inTheWay(taken);
  await git.look(repository, ["update-ref", "-m", `merge ${branch}: by Homework`, "HEAD", commit, ours]);
  await removeBranch(work);
  return { kind: "merged", into, commit };
}

const tellMergeYourself = ({ repository, branch }: Branch, why: string): string =>
  `${why} Merge it yourself: git -C ${repository} merge ${branch}`;

/** The tree, the files, an empty part, then messages for people. */
function readConflicts(stdout: string): readonly string[] {
  const parts = stdout.split("\0").slice(1);
  const end = parts.indexOf("");
  return [...new Set(end === -1 ? parts : parts.slice(0, end))];
}

type Checkout = {
  readonly work: Branch;
  readonly store: ObjectStore;
  readonly index: string;
  readonly settings: readonly string[];
  /** Those that have a program here. */
  readonly filters: ReadonlySet<string>;
  /** Why its files cannot be changed from here, as a sentence. */
  readonly obstacle: string | null;
};

/** Settings by which git writes files; none of them names a program. */
const fileSettings = /^core\.(?:autocrlf|eol|filemode|ignorecase|precomposeunicode|safecrlf|symlinks)$/;
const unfinished = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];

async function readCheckout(work: Branch, store: ObjectStore): Promise<Checkout> {
  const { git, repository } = work;
  const where = ["rev-parse", "--path-format=absolute", "--git-dir", "--git-path", "index"];
  const [folder = "", index = ""] = (await git.look(repository, where)).stdout.trim().split("\n");
  const listed = await git.look(repository, ["config", "--list", "-z", "--includes"], { isPersons: true });
  const values = new Map(
    listed.stdout.split("\0").map((each) => {
      const at = each.indexOf("\n");
      return at === -1 ? ([each, "true"] as const) : ([each.slice(0, at), each.slice(at + 1)] as const);
    }),
  );
  const settings = [...values].flatMap(([name, value]) => (fileSettings.test(name) ? [`${name}=${value}`] : []));
  const filters = new Set([...values.keys()].flatMap((name) => /^filter\.(.+)\.[a-z]+$/.exec(name)?.[1] ?? []));
  const begun = unfinished.some((name) => existsSync(path.join(folder, name)));
  const isPart = values.get("core.sparsecheckout") === "true" || readdirSync(folder).some(isSharedIndex);
  const obstacle = begun
    ? `${repository} is in the middle of a merge or a rebase.`
    : isPart
      ? `${repository} has a sparse checkout or a split index, which Homework does not write.`
      : null;
  return { work, store, index, settings, filters, obstacle };
}

const isSharedIndex = (name: string): boolean => name.startsWith("sharedindex.");

/** Files that a program of the repository would have to write, by the attributes that they have once merged. */
async function findFilter({ work, store, filters }: Checkout, from: string, to: string): Promise<string | null> {
  if (filters.size === 0) return null;
  const changed = await work.git.work(store, ["diff-tree", "-r", "-z", "--name-only", from, to]);
  const index = path.join(path.dirname(work.folder), "merge-index");
  const files = { folder: work.repository, index };
  await work.git.work(store, ["read-tree", to], { files });
  const asked = { files, input: changed.stdout };
  const { stdout } = await work.git.work(store, ["check-attr", "--cached", "-z", "--stdin", "filter"], asked);
  rmSync(index, { force: true });
  const parts = stdout.split("\0");
  for (let at = 0; at + 2 < parts.length; at += 3)
    if (filters.has(parts[at + 2] ?? ""))
      return `${parts[at]} goes through the filter “${parts[at + 2]}”, and Homework runs no program of a repository.`;
  return null;
}

/** Who merges: the person, as their git knows them. */
async function readPerson({ git, repository }: Branch): Promise<{ readonly name: string; readonly email: string }> {
  const { stdout } = await git.look(repository, ["var", "GIT_COMMITTER_IDENT"], { isPersons: true });
  const [, name = "", email = ""] = /^(.*) <([^<>]*)> \d+ [+-]\d+$/.exec(stdout.trim()) ?? [];
  if (name !== "") return { name, email };
  throw new AppError("unprocessable", "git does not know your name. Set it: git config --global user.name …");
}

/** The files of the checkout become those of the commit; null: done, else what keeps them from it. Nothing was changed then. */
async function takeFiles({ work, store, index, settings }: Checkout, from: string, to: string): Promise<string | null> {
  const given = { files: { folder: work.repository, index }, settings };
  await work.git.work(store, ["update-index", "-q", "--refresh"], { ...given, ok: [0, 1] });
  const taken = await work.git.work(store, ["read-tree", "-m", "-u", from, to], { ...given, ok: [0, 128] });
  if (taken.code === 0) return null;
  const said = taken.stderr.trim().slice(0, wordsMax);
  const [, file] = /Entry '(.+)' (?:not uptodate|would be overwritten)/.exec(said) ?? [];
  return file === undefined
    ? said
    : `${file} has changes that are not committed. Commit or stash them, then merge again.`;
}

/** The branch and its folder go; the commits can still be found by git for a while. */
export async function removeBranch({ git, repository, folder, branch }: Branch): Promise<void> {
  const store = await openStore(git, repository);
  removeWorktree({ store, folder });
  if ((await findCommit(git, repository, refOf(branch))) !== "")
    await git.look(repository, ["update-ref", "-d", refOf(branch)]);
}

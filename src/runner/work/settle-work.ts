// What becomes of a run's branch: merged into what the person has checked out, or discarded. A merge that would have conflicts, or would
// touch what is not committed, is not begun; what is in the way is told.

import { existsSync, rmSync } from "node:fs";
import type { WorkFolder } from "./work-folder.ts";

type Branch = Pick<WorkFolder, "git" | "folder" | "branch"> & { readonly repository: string };

export type Merged =
  | { readonly kind: "merged"; readonly into: string; readonly commit: string }
  /** Files that both sides changed. Nothing was done. */
  | { readonly kind: "conflicts"; readonly into: string; readonly files: readonly string[] }
  /** Changes of the person that are not committed, or a checkout that is in the middle of something. Nothing was done. */
  | { readonly kind: "in_the_way"; readonly why: string };

export async function mergeWork(work: Branch, message: string): Promise<Merged> {
  const { git, repository, branch } = work;
  const head = await git(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"], { ok: [0, 1] });
  if (head.code !== 0)
    return { kind: "in_the_way", why: `No branch is checked out in ${repository}. Check one out first.` };
  const into = head.stdout.trim();
  const tried = await git(repository, ["merge-tree", "--write-tree", "--name-only", "-z", "HEAD", branch], {
    ok: [0, 1],
  });
  if (tried.code === 1) return { kind: "conflicts", into, files: readConflicts(tried.stdout) };
  const merged = await git(repository, ["merge", "--no-ff", "--no-verify", "-m", message, branch], {
    ok: [0, 1, 2, 128],
  });
  if (merged.code !== 0) {
    await git(repository, ["merge", "--abort"], { ok: [0, 128] });
    return { kind: "in_the_way", why: (merged.stderr.trim() || merged.stdout.trim()).slice(0, 2_000) };
  }
  const commit = (await git(repository, ["rev-parse", "HEAD"])).stdout.trim();
  await removeBranch(work);
  return { kind: "merged", into, commit };
}

/** The tree, the files, an empty part, then messages for people. */
function readConflicts(stdout: string): readonly string[] {
  const parts = stdout.split("\0").slice(1);
  const end = parts.indexOf("");
  return [...new Set(end === -1 ? parts : parts.slice(0, end))];
}

/** The branch and its folder go; the commits can still be found by git for a while. */
export async function removeBranch({ git, repository, folder, branch }: Branch): Promise<void> {
  if (existsSync(folder)) await git(repository, ["worktree", "remove", "--force", "--force", folder], { ok: [0, 128] });
  rmSync(folder, { recursive: true, force: true });
  await git(repository, ["worktree", "prune"]);
  await git(repository, ["branch", "--quiet", "-D", branch], { ok: [0, 1] });
}

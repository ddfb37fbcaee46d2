// A copy of a run's files for a reviewer: without the repository, without rights to write, removed afterwards. What the reviewer does to
// it reaches nothing.

import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findTip, readDiff, type WorkFolder } from "./work-folder.ts";

export type ReviewCopy = { readonly folder: string; readonly diffFile: string; readonly diff: string };

const diffMax = 20_000_000;
/** Folders and files of a large repository; more are left as they are. */
const entriesMax = 500_000;

/** A copy that is there already is made anew. */
export async function makeReviewCopy(work: WorkFolder, place: string): Promise<ReviewCopy> {
  removeReviewCopy(place);
  const folder = path.join(place, "files");
  mkdirSync(folder, { recursive: true });
  const index = path.join(place, "index");
  const files = { folder, index };
  await work.git.work(work.store, ["read-tree", await findTip(work)], { files });
  await work.git.work(work.store, ["checkout-index", "--all", "--force"], { files });
  rmSync(index, { force: true });
  const diff = await readDiff(work, diffMax);
  const diffFile = path.join(place, "changes.diff");
  writeFileSync(diffFile, diff);
  setWritable(folder, false);
  return { folder, diffFile, diff };
}

export function removeReviewCopy(place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return;
  setWritable(place, true);
  rmSync(place, { recursive: true, force: true });
}

/** Links are left alone: they may lead anywhere. */
function setWritable(top: string, isWritable: boolean): void {
  const pending = [top];
  for (let count = 0; pending.length > 0 && count < entriesMax; count++) {
    const each = pending.pop() ?? "";
    const found = lstatSync(each, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink()) continue;
    if (isWritable) chmodSync(each, found.mode | 0o200);
    if (found.isDirectory()) pending.push(...readdirSync(each).map((name) => path.join(each, name)));
    if (!isWritable) chmodSync(each, found.mode & ~0o222);
  }
}

// Pages that were too much for the process which took them apart, by the hash of what they say, so that no retry tries them again for some
// days. They are files, because the retry may come after a restart or from another process on the same data folder.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

export type KilledPages = {
  readonly has: (html: string) => boolean;
  readonly add: (html: string) => void;
};

/** More are not remembered: the oldest go first. */
const pagesMax = 1_000;
/** Then it is tried again: a later version may read it. */
const rememberedMs = 7 * 24 * 3_600_000;

/** `folder` null: remembered as long as the process lives. */
export function openKilledPages(folder: string | null, now: () => number): KilledPages {
  const here = new Map<string, number>();
  const isLate = (atMs: number) => now() - atMs > rememberedMs;
  return {
    has: (html) => {
      const name = nameOf(html);
      const atMs = here.get(name) ?? (folder === null ? null : keptAt(path.join(folder, name)));
      return atMs !== null && !isLate(atMs);
    },
    add: (html) => {
      const name = nameOf(html);
      here.delete(name); // Re-inserted at the end: a Map remembers the order of insertion.
      here.set(name, now());
      if (here.size > pagesMax) here.delete(here.keys().next().value ?? "");
      if (folder !== null) keep(folder, name);
    },
  };
}

const nameOf = (html: string): string => createHash("sha256").update(html).digest("hex");

const keptAt = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;

function keep(folder: string, name: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(folder, name), "", { mode: 0o600 });
    forgetOldest(folder);
  } catch {
    // The disk is full or the folder is gone: this process remembers it all the same.
  }
}

function forgetOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= pagesMax) return;
  const dated = names.map((name) => ({ name, at: statSync(path.join(folder, name)).mtimeMs }));
  dated.sort((one, other) => one.at - other.at);
  for (const { name } of dated.slice(0, names.length - pagesMax)) rmSync(path.join(folder, name), { force: true });
}

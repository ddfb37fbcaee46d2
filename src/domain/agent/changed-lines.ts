// What a diff of git says about each file: lines added and removed, and its own words about a change that has no lines (a mode, a binary
// file, an empty one, a rename). Reads each line once.

export type ChangedLines = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Such as `new mode 100755`, or that binary files differ. */
  readonly notes: readonly string[];
};

type Collected = { readonly added: string[]; readonly removed: string[]; readonly notes: string[] };

const note = /^(?:(?:old|new|deleted file|new file) mode \d+|(?:rename|copy) (?:from|to) .*|Binary files .* differ)$/;

/** By path; a file that was renamed stands under both of its names. */
export function readChangedLines(diff: string): ReadonlyMap<string, ChangedLines> {
  const files = new Map<string, ChangedLines>();
  let at: Collected = { added: [], removed: [], notes: [] };
  let left = { old: 0, new: 0 };
  const name = (path: string) => files.set(path, at);
  for (const line of diff.split("\n")) {
    if (left.old > 0 || left.new > 0) {
      const kind = line[0];
      if (kind === "+") at.added.push(line.slice(1));
      if (kind === "-") at.removed.push(line.slice(1));
      if (kind !== "\\") left = { old: left.old - (kind === "+" ? 0 : 1), new: left.new - (kind === "-" ? 0 : 1) };
      continue;
    }
    if (line.startsWith("diff --git ")) {
      at = { added: [], removed: [], notes: [] };
      name(readSameName(line.slice("diff --git ".length)));
    } else if (line.startsWith("--- ") || line.startsWith("+++ ")) {
      const path = readName(line.slice(4));
      if (path !== null) name(path);
    } else if (line.startsWith("@@ ")) left = readCounts(line);
    else if (note.test(line)) {
      at.notes.push(line);
      const [, renamed] = /^(?:rename|copy) (?:from|to) (.*)$/.exec(line) ?? [];
      if (renamed !== undefined) name(renamed);
    }
  }
  return files;
}

/** `a/NAME b/NAME`, where both are the same. */
const readSameName = (names: string): string => names.slice(2, (names.length - 1) / 2);

/** Git puts a tab behind a name with a space. Null: no file. */
function readName(told: string): string | null {
  const name = told.replace(/\t$/, "");
  return name === "/dev/null" ? null : name.replace(/^[ab]\//, "");
}

function readCounts(line: string): { readonly old: number; readonly new: number } {
  const [, old, now] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
  return { old: Number(old ?? 1), new: Number(now ?? 1) };
}

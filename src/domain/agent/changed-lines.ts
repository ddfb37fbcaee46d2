// What a diff of git says about each file: lines added and removed, and its own words about a change that has no lines (a mode, a binary
// file, an empty one, a rename). Reads each line once.

export type ChangedLines = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Such as `new mode 100755`, or that binary files differ. */
  readonly notes: readonly string[];
};

type Collected = { readonly added: string[]; readonly removed: string[]; readonly notes: string[] };

/** Lines of the present hunk that are still to come. */
type Left = { readonly old: number; readonly now: number };

const note = /^(?:(?:old|new|deleted file|new file) mode \d+|(?:rename|copy) (?:from|to) .*|Binary files .* differ)$/;

/** By path; a file that was renamed stands under both of its names. */
export function readChangedLines(diff: string): ReadonlyMap<string, ChangedLines> {
  const files = new Map<string, ChangedLines>();
  let at: Collected = { added: [], removed: [], notes: [] };
  let left: Left = { old: 0, now: 0 };
  for (const line of diff.split("\n")) {
    if (left.old > 0 || left.now > 0) {
      left = takeLine(at, left, line);
      continue;
    }
    if (line.startsWith("diff --git ")) at = { added: [], removed: [], notes: [] };
    if (line.startsWith("@@ ")) left = readCounts(line);
    if (note.test(line)) at.notes.push(line);
    const name = readName(line);
    if (name !== null) files.set(name, at);
  }
  return files;
}

function takeLine(at: Collected, left: Left, line: string): Left {
  const kind = line[0];
  if (kind === "+") at.added.push(line.slice(1));
  if (kind === "-") at.removed.push(line.slice(1));
  if (kind === "\\") return left;
  return { old: left.old - (kind === "+" ? 0 : 1), now: left.now - (kind === "-" ? 0 : 1) };
}

/** The file that a line of a head names. */
function readName(line: string): string | null {
  if (line.startsWith("diff --git ")) return readSameName(line.slice("diff --git ".length));
  const [, told] = /^(?:---|\+\+\+) (.*?)\t?$/.exec(line) ?? [];
  if (told !== undefined) return told === "/dev/null" ? null : told.replace(/^[ab]\//, "");
  return /^(?:rename|copy) (?:from|to) (.*)$/.exec(line)?.[1] ?? null;
}

/** `a/NAME b/NAME`, where both are the same. */
const readSameName = (names: string): string => names.slice(2, (names.length - 1) / 2);

function readCounts(line: string): Left {
  const [, old, now] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
  return { old: Number(old ?? 1), now: Number(now ?? 1) };
}

// Edits of a text in place: replace a passage that stands there exactly once, or add below a heading. All edits happen or none does;
// what is not clear is refused in words that say what to do.

export type TextEdit =
  | { readonly find: string; readonly replace: string }
  | { readonly under_heading: string; readonly insert: string };

export type EditedText =
  | {
      readonly ok: true;
      readonly text: string /** Around each edit, as it reads now. */;
      readonly passages: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

type Place = { readonly from: number; readonly to: number; readonly put: string };

export function editText(before: string, edits: readonly TextEdit[]): EditedText {
  let text = before;
  const passages: string[] = [];
  for (const [n, edit] of edits.entries()) {
    const place = "find" in edit ? findPassage(text, edit.find, edit.replace) : findSection(text, edit);
    if (typeof place === "string") return { ok: false, why: `Edit ${n + 1}: ${place} Nothing was changed.` };
    text = text.slice(0, place.from) + place.put + text.slice(place.to);
    passages.push(showAround(text, place.from, place.put.length));
  }
  return { ok: true, text, passages };
}

/** A string is why not. */
function findPassage(text: string, find: string, replace: string): Place | string {
  const first = text.indexOf(find);
  if (first < 0) return `the passage "${shorten(find)}" does not stand in the document.${nearPassage(text, find)}`;
  const count = text.split(find).length - 1;
  if (count > 1) return `the passage "${shorten(find)}" stands there ${count} times. Give more of the text around it.`;
  return { from: first, to: first + find.length, put: replace };
}

/** Mostly it is blanks or line breaks that differ. */
function nearPassage(text: string, find: string): string {
  const words = find.trim().split(/\s+/).slice(0, 12).map(escapePattern);
  if (words.length === 0 || words[0] === "") return "";
  const near = new RegExp(words.join("\\s+")).exec(text);
  return near === null ? " Read it again and copy the passage exactly." : ` It reads: "${near[0]}".`;
}

const escapePattern = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

type Heading = { readonly level: number; readonly title: string; readonly from: number };

/** At the end of the section: before the next heading that is not below it. */
function findSection(text: string, edit: Extract<TextEdit, { under_heading: string }>): Place | string {
  const wanted = edit.under_heading
    .replace(/^#+\s*/, "")
    .trim()
    .toLowerCase();
  const headings = findHeadings(text);
  const found = headings.filter(({ title }) => title.toLowerCase() === wanted);
  const [heading] = found;
  if (heading === undefined) {
    const known = headings.slice(0, 20).map(({ title }) => `"${title}"`);
    return `there is no heading "${shorten(edit.under_heading)}".${known.length === 0 ? "" : ` There are ${known.join(", ")}.`}`;
  }
  if (found.length > 1)
    return `the heading "${heading.title}" stands there ${found.length} times. Use find and replace instead.`;
  const next = headings.find(({ from, level }) => from > heading.from && level <= heading.level);
  const end = next?.from ?? text.length;
  const at = heading.from + text.slice(heading.from, end).trimEnd().length;
  const rest = text.slice(at, end);
  return { from: at, to: at + rest.length, put: `\n\n${edit.insert.trim()}${next === undefined ? "\n" : "\n\n"}` };
}

function findHeadings(text: string): readonly Heading[] {
  return linesOutsideCode(text).flatMap(({ line, from }) => {
    const heading = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    if (heading === null) return [];
    return [{ level: heading[1]?.length ?? 1, title: heading[2] ?? "", from }];
  });
}

function linesOutsideCode(text: string): readonly { readonly line: string; readonly from: number }[] {
  const lines: { line: string; from: number }[] = [];
  let fence: string | null = null;
  let from = 0;
  for (const line of text.split("\n")) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null && mark === null) lines.push({ line, from });
    else if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    from += line.length + 1;
  }
  return lines;
}

const aroundMax = 160;
const shownMax = 600;

function showAround(text: string, from: number, length: number): string {
  const begin = Math.max(0, from - aroundMax);
  const end = Math.min(text.length, from + length + aroundMax);
  const passage = text.slice(begin, end);
  const shown =
    passage.length <= 2 * shownMax ? passage : `${passage.slice(0, shownMax)}\n[…]\n${passage.slice(-shownMax)}`;
  return `${begin > 0 ? "…" : ""}${shown}${end < text.length ? "…" : ""}`;
}

const shorten = (text: string) => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);

// Edits of a text in place: replace a passage that stands there exactly once, or add below a heading. All edits happen or none does;
// what is not clear is refused in words that say what to do.

export type TextEdit =
  | { readonly find: string; readonly replace: string }
  | { readonly under_heading: string; readonly insert: string };

export type EditedText =
  | {
      readonly ok: true;
      readonly text: string;
      /** Around the edits, as it reads after all of them, from top to bottom; edits that are near each other share one. */
      readonly passages: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

type Place = { readonly from: number; readonly to: number; readonly put: string };

export function editText(before: string, edits: readonly TextEdit[]): EditedText {
  let text = before;
  let spans: readonly Span[] = [];
  for (const [n, edit] of edits.entries()) {
    const place = "find" in edit ? findPassage(text, edit.find, edit.replace) : findSection(text, edit);
    if (typeof place === "string") return { ok: false, why: `Edit ${n + 1}: ${place} Nothing was changed.` };
    text = text.slice(0, place.from) + place.put + text.slice(place.to);
    spans = [...spans.map((span) => moveSpan(span, place)), { from: place.from, to: place.from + place.put.length }];
  }
  return { ok: true, text, passages: joinSpans(spans, text.length).map((span) => showSpan(text, span)) };
}

/** A part of the text. */
type Span = { readonly from: number; readonly to: number };

/** Where it is once a later edit is done: moved by what that put before it, grown by what that put into it. */
function moveSpan(span: Span, { from, to, put }: Place): Span {
  const move = (at: number, end: number) => (at <= from ? at : at >= to ? at + put.length - (to - from) : end);
  return { from: move(span.from, from), to: move(span.to, from + put.length) };
}

/** With some text around each; those that touch become one. */
function joinSpans(spans: readonly Span[], length: number): readonly Span[] {
  const wide = spans.map(({ from, to }) => ({
    from: Math.max(0, from - aroundMax),
    to: Math.min(length, to + aroundMax),
  }));
  const joined: Span[] = [];
  for (const span of wide.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && span.from <= last.to)
      joined[joined.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else joined.push(span);
  }
  return joined;
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

function showSpan(text: string, { from, to }: Span): string {
  const passage = text.slice(from, to);
  const shown =
    passage.length <= 2 * shownMax ? passage : `${passage.slice(0, shownMax)}\n[…]\n${passage.slice(-shownMax)}`;
  return `${from > 0 ? "…" : ""}${shown}${to < text.length ? "…" : ""}`;
}

const shorten = (text: string) => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);

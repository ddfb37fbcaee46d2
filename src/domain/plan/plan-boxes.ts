// Reads a plan that somebody keeps as boxes in a page of Markdown. When in doubt a box holds the plan back: nothing that
// is unclear about a page can make it complete.

import type { PlanVerdict } from "./plan.ts";

/** Longer than any plan; one that is not read to its end is not complete. */
const lengthMax = 1_000_000;
/** More than anyone is told at once. */
const openMax = 100;

/** A bullet or number, then a box with one mark in it. Dates, versions, notes and links in brackets are no boxes. */
const box = /^[\s>]*(?:[-*+•]|\d{1,9}[.)])\s+\[([ xX✓✔~/-])\](?![([:])(.*)$/;
const doneMarks = ["x", "X", "✓", "✔"];

const optionalName =
  "optional|nice[- ]to[- ]haves?|future|stretch|bonus|backlog|someday|wish ?list|later|if time permits";
const ofWork = "tasks?|items?|steps?|work|goals?|ideas?|extras?|features?|improvements?|enhancements?|polish";
/** The name alone, with a word for work, or with a remark: "Optional parameters" is a thing to do. */
const optionalHeading = new RegExp(`^(?:${optionalName})(?: (?:${ofWork}))?(?:\\s*[:(–—-].*)?$`, "i");
const optionalRemark = /^(?:\(optional\)|optional:)\s|\(optional\)$|\s[:–—-]\s*optional$/i;

export function judgeBoxes(markdown: string): PlanVerdict {
  if (markdown.length > lengthMax) return { isComplete: false, open: ["the plan is too long to be read"] };
  const counting = boxesOf(markdown).filter((each) => !each.isOptional);
  const open = counting.filter((each) => !each.isDone).map(({ title }) => title);
  if (counting.length > 0 && open.length === 0) return { isComplete: true };
  return { isComplete: false, open: open.slice(0, openMax) };
}

type Box = { readonly title: string; readonly isDone: boolean; readonly isOptional: boolean };

function boxesOf(markdown: string): readonly Box[] {
  const { lines, unsureFrom } = withoutCode(markdown.split(/\r\n|\n|\r/));
  const found: Box[] = [];
  /** Level of the heading that made this section optional; what is below it is as well. */
  let optionalFrom: number | null = null;
  for (const [at, line] of lines.entries()) {
    const heading = headingAt(line, lines[at + 1] ?? "");
    if (heading && (optionalFrom === null || heading.level <= optionalFrom))
      optionalFrom = isOptionalHeading(heading.text) ? heading.level : null;
    const [, mark = "", rest = ""] = box.exec(line) ?? [];
    const isDone = doneMarks.includes(mark);
    if (mark === "" || (isDone && at >= unsureFrom)) continue;
    const title = rest.trim();
    found.push({ title, isDone, isOptional: optionalFrom !== null || optionalRemark.test(title) });
  }
  return found;
}

/** Numbers, emphasis and signs around a heading do not change what it says; of several names, each has to be one. */
function isOptionalHeading(text: string): boolean {
  const plain = text
    .replaceAll(/[*_`]/g, "")
    .replace(/^[^\p{L}(]+/u, "")
    .replace(/[^\p{L}\p{N})]+$/u, "");
  const names = plain.split(/\s*[/&,]\s*|\s(?:and|or)\s/);
  return optionalRemark.test(plain) || names.every((name) => optionalHeading.test(name));
}

function headingAt(line: string, next: string): { readonly level: number; readonly text: string } | null {
  const [, marks, text = ""] = /^ {0,3}(#{1,6})(?:\s+(.*))?$/.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, text: text.replace(/\s#+\s*$/, "").trim() };
  const isUnderlined = /^ {0,3}\p{L}/u.test(line) && /^ {0,3}(?:=+|-{2,})\s*$/.test(next);
  return isUnderlined ? { level: next.trimStart().startsWith("=") ? 1 : 2, text: line.trim() } : null;
}

type Fence = { readonly sign: "`" | "~"; readonly length: number; readonly canClose: boolean };

/** Lines in a fence are empty. One that is never closed hides nothing, as it may be cut off; it makes nothing done, either. */
function withoutCode(lines: readonly string[]): { readonly lines: readonly string[]; readonly unsureFrom: number } {
  const fences = lines.map(fenceAt);
  const longest = longestClosings(fences);
  let open: Fence | null = null;
  let unsureFrom = lines.length;
  const kept = lines.map((line, at) => {
    const fence = fences[at] ?? null;
    if (fence === null) return open === null ? line : "";
    if (open !== null) open = closes(fence, open) ? null : open;
    else if ((longest[at]?.[fence.sign] ?? 0) >= fence.length) open = fence;
    else unsureFrom = Math.min(unsureFrom, at);
    return "";
  });
  return { lines: kept, unsureFrom };
}

function fenceAt(line: string): Fence | null {
  const [, marks, info = ""] = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === undefined) return null;
  return { sign: marks.startsWith("~") ? "~" : "`", length: marks.length, canClose: info.trim() === "" };
}

const closes = (fence: Fence, open: Fence): boolean =>
  fence.canClose && fence.sign === open.sign && fence.length >= open.length;

type Longest = { readonly "`": number; readonly "~": number };

/** For each line, how long a fence can be that is closed further down. */
function longestClosings(fences: readonly (Fence | null)[]): readonly Longest[] {
  let longest: Longest = { "`": 0, "~": 0 };
  const fromBelow = fences.toReversed().map((fence) => {
    const below = longest;
    if (fence?.canClose) longest = { ...longest, [fence.sign]: Math.max(longest[fence.sign], fence.length) };
    return below;
  });
  return fromBelow.toReversed();
}

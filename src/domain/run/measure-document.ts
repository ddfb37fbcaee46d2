// What stands in a document, as far as it can be counted: words of prose, headings, sources. Code, markup, addresses and
// repetition are no prose, and in a document that was there before the run only what the run added counts.

import { urlsIn } from "../policy/web-address.ts";

/** Longer documents are measured by their beginning. */
const lengthMax = 1_000_000;

export type DocumentText = {
  readonly content: string;
  /** What stood there before this run first changed it; null for one that the run made. */
  readonly before: string | null;
};

export type MeasuredDocuments = {
  /** Words of prose that the run wrote, without repetition. */
  readonly words: number;
  /** Whether repetition was left out of them. */
  readonly hasRepetition: boolean;
  /** Of the whole documents, as `headingKey` makes them. */
  readonly headings: ReadonlySet<string>;
  /** Those of them that the run added. */
  readonly addedHeadings: ReadonlySet<string>;
  /** Web addresses in what the run wrote, each once, as `sourceKey` makes them. */
  readonly urls: readonly string[];
  /** Ids in links to things of this installation, in what the run wrote. */
  readonly linkedIds: readonly string[];
};

export function measureDocuments(documents: readonly DocumentText[]): MeasuredDocuments {
  const added = documents.map(addedText);
  const prose = added.map(withoutCode).join("\n\n");
  const words = wordsIn(toProse(prose));
  const counted = countWithoutRepetition(words);
  const whole = documents.map(({ content }) => withoutCode(content.slice(0, lengthMax))).join("\n\n");
  return {
    words: counted,
    hasRepetition: counted < words.length,
    headings: new Set(headingsIn(whole)),
    addedHeadings: new Set(headingsIn(prose)),
    urls: [...new Set(urlsIn(prose).map(sourceKey))],
    linkedIds: [...new Set([...prose.matchAll(internalLink)].map(([, id = ""]) => id.toLowerCase()))],
  };
}

/** Words of prose, as checks count them. */
export const countWords = (content: string): number => measureDocuments([{ content, before: null }]).words;

/** The passages that were not there before: lines, cut at the ends of sentences, so that a changed word brings one sentence. */
export function addedText({ content, before }: DocumentText): string {
  const now = content.slice(0, lengthMax);
  if (before === null) return now;
  const left = new Map<string, number>();
  for (const unit of before.slice(0, lengthMax).split("\n").flatMap(toUnits)) {
    const key = plain(unit);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const isNew = (unit: string): boolean => {
    const count = left.get(plain(unit)) ?? 0;
    if (count > 0) left.set(plain(unit), count - 1);
    return count === 0 && plain(unit) !== "";
  };
  return now
    .split("\n")
    .map((line) => toUnits(line).filter(isNew).join(" "))
    .filter((line) => line !== "")
    .join("\n");
}

const toUnits = (line: string): readonly string[] => line.split(/(?<=[.!?…])\s+/);
const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Without blocks of code; one that is never closed goes on to the end. */
export function withoutCode(text: string): string {
  let fence: { readonly sign: string; readonly length: number } | null = null;
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const [, marks = "", info = ""] = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    const sign = marks.charAt(0);
    if (fence === null && marks !== "") fence = { sign, length: marks.length };
    else if (fence === null) kept.push(line);
    else if (sign === fence.sign && marks.length >= fence.length && info.trim() === "") fence = null;
  }
  return kept.join("\n");
}

/** Prose without its markup: comments, tags, addresses, the targets of links, inline code. */
function toProse(text: string): string {
  return text
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .replaceAll(/`[^`\n]*`/g, " ")
    .replaceAll(/!\[[^[\]\n]{0,500}\]\([^()\n]{0,2048}\)/g, " ")
    .replaceAll(/\]\([^()\n]{0,2048}\)/g, "] ")
    .replaceAll(/^ {0,3}\[[^[\]\n]{1,500}\]:.*$/gm, " ")
    .replaceAll(/\bhttps?:\/\/\S+/gi, " ")
    .replaceAll(/<\/?[a-z][^<>\n]{0,500}>/gi, " ");
}

/** Scripts that are written without blanks between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function wordsIn(prose: string): readonly string[] {
  const lower = prose.toLowerCase();
  if (!unspaced.test(lower)) return (lower.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? []).filter(hasLetter);
  const segments = new Intl.Segmenter("und", { granularity: "word" }).segment(lower);
  return [...segments]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => (hasLetter(segment) ? segment : []));
}

const hasLetter = (word: string): boolean => /\p{L}/u.test(word);

/** Words in a row that were there before are a repetition; fewer come again in any honest text. */
const rowOfWords = 4;

function countWithoutRepetition(words: readonly string[]): number {
  if (words.length < rowOfWords) return new Set(words).size;
  const rows = new Set<string>();
  for (let at = 0; at + rowOfWords <= words.length; at += 1) rows.add(words.slice(at, at + rowOfWords).join(" "));
  return rows.size === words.length - rowOfWords + 1 ? words.length : rows.size;
}

/** Longer lines are no headings. */
const headingMax = 500;

function headingsIn(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.slice(0, headingMax));
  return lines.flatMap((line, at) => {
    const [, marked] = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(line) ?? [];
    const isUnderlined = /^ {0,3}\p{L}/u.test(line) && /^ {0,3}(?:=+|-{2,})\s*$/.test(lines[at + 1] ?? "");
    const heading = marked ?? (isUnderlined ? line : "");
    return heading.trim() === "" ? [] : [headingKey(heading)];
  });
}

/** How headings are compared: without emphasis, links, numbers in front, punctuation at the end and case. */
export const headingKey = (heading: string): string =>
  heading
    .replaceAll(/\]\([^()]{0,2048}\)/g, "]")
    .replaceAll(/[*_`[\]]/g, "")
    .replace(/^\s*\d[\d.)]{0,20}\s+/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[:.]$/, "")
    .toLowerCase();

/** How web addresses are compared: the same page with another scheme or a slash at the end is the same source. */
export const sourceKey = (url: string): string =>
  url
    .replace(/^https?:\/\//i, "")
    .replace(/#.*$/, "")
    .replace(/\/+$/, "");

const internalLink =
  /\]\((?:[^()\s]{0,300}\/)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[/?#][^()]{0,300})?\)/gi;

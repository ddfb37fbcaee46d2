// What stands in a document, as far as it can be counted: words that count, headings, sources. Code, comments, markup, addresses,
// data and repetition are no prose, and in a document that was there before the run only what the run added counts.

import { urlsIn } from "../../policy/web-address.ts";
import { lettersOnly, withoutBlanks, withoutComments, withoutShapeless } from "./blanks.ts";

/** Longer documents are measured by their beginning. */
const lengthMax = 1_000_000;

export type DocumentText = {
  readonly content: string;
  /** What stood there before this run first changed it; null for one that the run made. */
  readonly before: string | null;
};

export type MeasuredDocuments = {
  /** Words that count: of text that the run wrote, without repetition. */
  readonly words: number;
  /** All words of the documents, as a reader counts them. */
  readonly length: number;
  /** Whether repetition was left out of them. */
  readonly hasRepetition: boolean;
  /** The run changed a document that was there before by more than blanks, be it by taking something away. */
  readonly isOldChanged: boolean;
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
  const shown = documents.map(({ content, before }) => ({
    content: toVisible(content),
    before: before === null ? null : toVisible(before),
  }));
  const added = shown.map(addedText).join("\n\n");
  const words = wordsIn(toProse(added));
  const known = rowsIn(wordsIn(toProse(shown.map(({ before }) => before ?? "").join("\n\n"))));
  return {
    words: countFresh(words, known),
    length: shown.reduce((sum, { content }) => sum + countAll(content), 0),
    hasRepetition: countFresh(words, new Set()) < words.length,
    isOldChanged: documents.some(isOldChanged),
    headings: new Set(shown.flatMap(({ content }) => headingsIn(content))),
    addedHeadings: new Set(headingsIn(added)),
    urls: [...new Set(urlsIn(added).map(sourceKey))],
    linkedIds: [...new Set([...added.matchAll(internalLink)].map(([, id = ""]) => id.toLowerCase()))],
  };
}

/** Numbers and the cells of tables, too: what there may be at most is what a reader sees. */
function countAll(visible: string): number {
  const text = visible.replaceAll(address, " ").replaceAll(listNumber, " ").slice(0, lengthMax);
  return (unspaced.test(text) ? segmentsOf(text) : (text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,:-]*/gu) ?? [])).length;
}

/** Numbers of list items are no words. */
const listNumber = /^[ \t]{0,12}\d{1,9}[.)][ \t]/gm;

/** Where most of it is tables and figures, both numbers are told. */
export function describeLength(content: string): string {
  const { words, length } = measureDocuments([{ content, before: null }]);
  return words >= length * 0.9 ? `${length} words` : `${length} words, ${words} of them count`;
}

export const isOldChanged = ({ content, before }: DocumentText): boolean =>
  before !== null && withoutBlanks(content) !== withoutBlanks(before);

/** The passages that were not there before: lines, cut at the ends of sentences, so that a changed word brings one sentence. */
export function addedText({ content, before }: DocumentText): string {
  const now = content.slice(0, lengthMax);
  return before === null ? now : passagesBeyond(now, before.slice(0, lengthMax));
}

/** The passages that were there before and are not any more. */
export const removedText = ({ content, before }: DocumentText): string =>
  before === null ? "" : passagesBeyond(before.slice(0, lengthMax), content.slice(0, lengthMax));

/** A passage that stands in the other text is not new, wherever it stands and however often. */
function passagesBeyond(text: string, other: string): string {
  const known = new Set(other.split("\n").flatMap(toUnits).map(unitKey));
  const isNew = (unit: string): boolean => unitKey(unit) !== "" && !known.has(unitKey(unit));
  return text
    .split("\n")
    .map((line) => toUnits(line).filter(isNew).join(" "))
    .filter((line) => line !== "")
    .join("\n");
}

const toUnits = (line: string): readonly string[] => line.split(/(?<=[.!?…])\s+/);

/** How passages are compared: by letters and digits, and whether it is a heading; what has neither, by its signs. */
function unitKey(unit: string): string {
  const plain = withoutShapeless(unit);
  const letters = lettersOnly(plain);
  if (letters === "") return withoutBlanks(plain);
  return /^ {0,3}#{1,6}\s/.test(plain) ? `# ${letters}` : letters;
}

/** What a reader sees as text: no code, no comments, nothing that is kept for programs. */
const toVisible = (text: string): string => {
  const plain = withoutComments(withoutCode(text.slice(0, lengthMax)));
  return codeElements.reduce(withoutElement, plain);
};

const codeElements = ["pre", "script", "style", "template", "textarea"] as const;

/** One that is never closed is taken for a word about it. */
function withoutElement(text: string, name: string): string {
  const lower = text.toLowerCase();
  const kept: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(new RegExp(`<${name}(?:\\s[^<>]{0,500})?>`, "gi"))) {
    if (index < from) continue;
    const close = lower.indexOf(`</${name}`, index);
    if (close === -1) break;
    kept.push(text.slice(from, index));
    from = close + name.length + 3;
  }
  return [...kept, text.slice(from)].join(" ");
}

/** Without blocks of code, fenced or indented; a fence that is never closed goes on to the end. */
export function withoutCode(text: string): string {
  let fence: { readonly sign: string; readonly length: number } | null = null;
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const [, marks = "", info = ""] = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    const sign = marks.charAt(0);
    // Backticks again in the same line are code within a sentence.
    const isFence = marks !== "" && !(sign === "`" && info.includes("`"));
    if (fence === null && isFence) fence = { sign, length: marks.length };
    else if (fence === null) kept.push(line);
    else if (sign === fence.sign && marks.length >= fence.length && info.trim() === "") fence = null;
  }
  return withoutIndented(kept).join("\n");
}

/** Lines that are indented by four after an empty one are code, unless they go on with an item of a list. */
function withoutIndented(lines: readonly string[]): readonly string[] {
  let isInList = false;
  let mayBegin = true;
  return lines.filter((line) => {
    if (line.trim() === "") {
      mayBegin = true;
      return true;
    }
    const isCode = mayBegin && !isInList && /^(?: {4}|\t)/.test(line);
    if (isCode) return false;
    mayBegin = false;
    if (/^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(line)) isInList = true;
    else if (/^\S/.test(line)) isInList = false;
    return true;
  });
}

/** Prose without its markup: tags, addresses, the targets of links, inline code, data. */
function toProse(text: string): string {
  return withoutShapeless(text)
    .replaceAll(/`[^`\n]*`/g, " ")
    .replaceAll(/!\[[^[\]\n]{0,500}\]\([^()\n]{0,2048}\)/g, " ")
    .replaceAll(/\]\([^()\n]{0,2048}\)/g, "] ")
    .replaceAll(/^ {0,3}\[[^[\]\n]{1,500}\]:.*$/gm, " ")
    .replaceAll(address, " ")
    .replaceAll(/<\/?[a-z][^<>\n]{0,500}>/gi, " ")
    .replaceAll(/&#?[a-z0-9]{1,31};/gi, " ")
    .replaceAll(/[*_~]/g, "")
    .replaceAll(/[a-z0-9+/=-]{60,}/gi, " ");
}

/** In scripts without blanks an address ends where they begin. */
const address =
  /(?:\b(?:https?|ftp):\/\/|\bwww\.|\bdata:[a-z]{1,20}\/)[^\s<>"'`\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]+/gi;

/** Scripts that are written without blanks between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const segmentsOf = (text: string): readonly string[] =>
  [...new Intl.Segmenter("und", { granularity: "word" }).segment(text)].flatMap(({ isWordLike, segment }) =>
    isWordLike ? segment : [],
  );

function wordsIn(prose: string): readonly string[] {
  const lower = prose.toLowerCase();
  const words = unspaced.test(lower) ? segmentsOf(lower) : (lower.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? []);
  return words.filter((word) => /\p{L}/u.test(word));
}

/** Words in a row that were there before are a repetition; fewer come again in any honest text. */
const rowOfWords = 4;
/** "item 1" and "item 2" are the same words. */
const wordKey = (word: string): string => word.replaceAll(/\p{N}+/gu, "0");

function rowsIn(words: readonly string[]): ReadonlySet<string> {
  const keys = words.map(wordKey);
  const rows = new Set<string>();
  for (let at = 0; at + rowOfWords <= keys.length; at += 1) rows.add(keys.slice(at, at + rowOfWords).join(" "));
  return rows;
}

/** `known`: rows of words that stood there before the run. */
function countFresh(words: readonly string[], known: ReadonlySet<string>): number {
  const vocabulary = new Set(words.map(wordKey)).size;
  if (words.length < rowOfWords) return vocabulary;
  const fresh = [...rowsIn(words)].filter((row) => !known.has(row)).length;
  const counted = fresh === words.length - rowOfWords + 1 ? words.length : fresh;
  return Math.min(counted, wordsFrom(vocabulary));
}

/** As much as so many different words can say: an honest text of 700 words has more than 150, and shuffling ten makes no text. */
const wordsFrom = (vocabulary: number): number => Math.max(vocabulary, Math.floor(vocabulary ** 2 / 4));

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

/** What mailings and networks hang onto an address says who sent the reader, not which page it is. */
const tracking = /^(?:utm_.*|gclid|fbclid|msclkid|mc_[ce]id|igshid|ref_src)$/i;

/** How web addresses are compared: by host and path, whatever the scheme, a slash at the end, a fragment or tracking. */
export function sourceKey(url: string): string {
  const plain = url.replace(/#.*$/, "");
  if (!URL.canParse(plain)) return withoutSlashes(plain.replace(/^https?:\/\//i, ""));
  const parsed = new URL(plain);
  for (const name of new Set(parsed.searchParams.keys())) if (tracking.test(name)) parsed.searchParams.delete(name);
  return `${parsed.host.replace(/^www\./, "")}${withoutSlashes(parsed.pathname)}${parsed.search}`;
}

/** At the end. An expression would look for the end from each of them. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

const internalLink =
  /\]\((?:[^()\s]{0,300}\/)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[/?#][^()]{0,300})?\)/gi;

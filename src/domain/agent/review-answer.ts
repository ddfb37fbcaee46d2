// What a reviewer answered about the changes of a run, as far as it may be believed: it has to quote files, and each quote is looked up.
// A yes needs a quote of something that the run changed; anything unclear or contradictory is a no.

import { z } from "zod";
import { readJson } from "../../lib/json.ts";
import type { ChangedLines } from "./changed-lines.ts";

export type ReviewedFiles = {
  /** Text of a file as the run left it; null: no such file. */
  readonly read: (path: string) => string | null;
  /** Paths that the run changed. */
  readonly changed: ReadonlySet<string>;
  /** What the diff says about each path. */
  readonly lines: ReadonlyMap<string, ChangedLines>;
};

export type ReviewAnswer = {
  readonly isGreen: boolean;
  /** In a sentence, for the proof. */
  readonly seen: string;
  /** Why asking once more may help; null where the answer stands. */
  readonly problem: string | null;
};

/** A quote of a word or two is in every file. A shorter one counts as a whole line that was changed. */
const quoteMin = 8;
const shownMax = 120;
const findingsMax = 20;
/** Of a quote. */
const linesMax = 40;
/** Its answer is one object at the end; a reviewer may think aloud before it. */
const readMax = 100_000;

const place = z.object({ file: z.string().min(1), line: z.coerce.number().catch(0), quote: z.string() });
const finding = place.extend({ problem: z.string().min(1) });
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .default([])
    .transform((values) => values.flatMap((value) => item.safeParse(value).data ?? []));
const shape = z.object({
  complete: z.boolean(),
  findings: z
    .array(z.unknown())
    .default([])
    .transform((values) => values.slice(0, findingsMax)),
  quotes: listOf(place),
});

type Place = z.output<typeof place>;
/** `foundAt` null: it stands nowhere, or is too short to be looked for. */
type Looked = Place & { readonly foundAt: number | null; readonly isShort: boolean };

export function readReviewAnswer(answer: string, files: ReviewedFiles): ReviewAnswer {
  const last = findObject(answer.slice(-readMax));
  if (last === null)
    return no(
      "the reviewer gave no clear answer",
      "Your answer did not end with the one JSON object that was asked for.",
    );
  const findings = last.findings.map((each) => ({ raw: each, parsed: finding.safeParse(each).data ?? null }));
  const told = findings.map(({ raw, parsed }) => (parsed === null ? { text: describeRaw(raw) } : look(parsed, files)));
  const quoted = last.quotes.map((quote) => look(quote, files));
  if (told.length > 0 || !last.complete) {
    const looked = [...told.filter((each) => "foundAt" in each), ...quoted];
    const isQuoted = looked.some(({ foundAt }) => foundAt !== null);
    const problem = isQuoted
      ? null
      : `None of your quotes stands in the files.${tellShort(looked)} Quote lines word for word, with file and line.`;
    return no(describeFindings(told), problem);
  }
  const good = quoted.find(({ foundAt, file }) => foundAt !== null && files.changed.has(file));
  if (good === undefined)
    return no(
      `the reviewer says yes, but quotes nothing that this run changed.${tellShort(quoted)}`.replace(/\.$/, ""),
      `Quote at least one line that this run changed, word for word, with file and line.${tellShort(quoted)}`,
    );
  return { isGreen: true, seen: `the reviewer says yes and quotes ${describePlace(good)}`, problem: null };
}

const no = (seen: string, problem: string | null): ReviewAnswer => ({ isGreen: false, seen, problem });

/** Where the quote really stands: at the line that was named, near it, or elsewhere in the file. What only the diff has stands at 0. */
function look<P extends Place>(quote: P, { read, lines: changes }: ReviewedFiles): P & Looked {
  const file = quote.file
    .replace(/^\.\//, "")
    .replace(/^[ab]\/(?=.)/, (prefix) => (read(quote.file) === null ? "" : prefix));
  const wanted = plain(quote.quote);
  const changed = changes.get(file) ?? noLines;
  const text = read(file) ?? "";
  if (wanted.length < quoteMin) return { ...quote, file, ...lookShort(wanted, text, changed, changes) };
  const lines = plain(text).includes(wanted) ? text.split("\n") : [];
  const places = lines.flatMap((_, at) => (startsAt(lines, at, wanted) ? [at + 1] : []));
  const nearest = places.toSorted((a, b) => Math.abs(a - quote.line) - Math.abs(b - quote.line))[0];
  if (nearest !== undefined) return { ...quote, file, foundAt: nearest, isShort: false };
  const isTold = [...changed.removed, ...changed.notes].some((line) => plain(line).includes(wanted));
  return { ...quote, file, foundAt: isTold ? 0 : null, isShort: false };
}

const noLines: ChangedLines = { added: [], removed: [], notes: [] };

/** A bracket alone says nothing where the run changed more than that. */
function lookShort(
  wanted: string,
  text: string,
  { added, removed }: ChangedLines,
  changes: ReviewedFiles["lines"],
): Pick<Looked, "foundAt" | "isShort"> {
  const isLine = (line: string) => wanted !== "" && plain(line) === wanted;
  const isWord = /[\p{L}\p{N}]/u.test(wanted) || !hasLongLine(changes);
  if (!isWord || !(added.some(isLine) || removed.some(isLine))) return { foundAt: null, isShort: true };
  return { foundAt: text.split("\n").findIndex(isLine) + 1, isShort: false };
}

const hasLongLine = (changes: ReviewedFiles["lines"]): boolean =>
  [...changes.values()].some(({ added, removed }) =>
    [...added, ...removed].some((line) => plain(line).length >= quoteMin),
  );

/** A quote may go over several lines. */
function startsAt(lines: readonly string[], at: number, wanted: string): boolean {
  const first = plain(lines[at] ?? "");
  const place = plain(lines.slice(at, at + linesMax).join("\n")).indexOf(wanted);
  return place !== -1 && place < first.length;
}

/** Why short quotes were not looked for, as a sentence of its own; empty: none was short. */
function tellShort(looked: readonly Looked[]): string {
  const short = looked.filter(({ isShort }) => isShort).map(({ quote }) => `“${shorten(plain(quote))}”`);
  if (short.length === 0) return "";
  return ` Too short to be found: ${short.slice(0, 3).join(", ")}; a quote needs at least ${quoteMin} characters, or is a whole line that was changed.`;
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const shorten = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);

const describePlace = ({ file, foundAt, quote }: Looked): string =>
  `${file}${foundAt === null || foundAt === 0 ? "" : `:${foundAt}`} “${shorten(plain(quote))}”`;

/** Begins what was seen of a review with findings; each finding follows on a line of its own. */
const found = "the reviewer found";

export const hasFindings = ({ seen }: Pick<ReviewAnswer, "seen">): boolean => seen.startsWith(found);

/** Those whose quotes do not stand in the files are dropped, unless there are no others. */
function describeFindings(told: readonly Told[]): string {
  const standing = told.filter((each) => "foundAt" in each && each.foundAt !== null);
  const kept = standing.length > 0 ? standing : told;
  if (kept.length === 0) return "the reviewer says no, and names no problem";
  const count = kept.length === 1 ? "1 problem" : `${kept.length} problems`;
  return [`${found} ${count}:`, ...kept.map((each, n) => `${n + 1}. ${describeFinding(each)}`)].join("\n");
}

type Told = { readonly text: string } | (z.output<typeof finding> & Looked);

function describeFinding(told: Told): string {
  if ("text" in told) return told.text;
  const lost = told.isShort ? "its quote is too short to be found" : "its quote is not there";
  const where = told.foundAt === null ? `${told.file} (${lost})` : describePlace(told);
  return `${where}: ${plain(told.problem)}`;
}

const describeRaw = (raw: unknown): string => shorten(typeof raw === "string" ? raw : JSON.stringify(raw));

/** The last object of the text that reads as an answer. */
function findObject(text: string): z.output<typeof shape> | null {
  const ends = [...text.matchAll(/\}/g)].map(({ index }) => index).slice(-50);
  const starts = [...text.matchAll(/\{/g)].map(({ index }) => index);
  for (const end of ends.toReversed())
    for (const start of starts.filter((each) => each < end).slice(0, 200)) {
      const parsed = shape.safeParse(readJson(text.slice(start, end + 1)));
      if (parsed.success) return parsed.data;
    }
  return null;
}

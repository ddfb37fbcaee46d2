// What a judge answered about artifacts, as far as it may be believed: a clear yes that names nothing missing and quotes
// what it read. Anything unclear is a no. The proof made of it is one check among others; it ends nothing by itself.

import { z } from "zod";

/** A yes with a score below this contradicts itself. */
const scoreMin = 0.5;
/** Its answer is one object; a judge that talks for longer has not answered. */
const readMax = 50_000;
/** Prose before the answer may have braces, too; this many lines of it are looked through. */
const startsMax = 50;
/** A quote of a word or two is in every text. */
const quoteMin = 12;

export type JudgeAnswer = {
  readonly isGreen: boolean;
  /** 0 to 1. */
  readonly score: number;
  /** In a sentence, for the proof. */
  readonly seen: string;
};

const shape = z.object({
  complete: z.boolean(),
  score: z.coerce.number().default(0),
  missing: z
    .union([z.array(z.string()), z.string().transform((one) => [one]), z.null().transform(() => [])])
    .default([])
    .transform((items) => items.filter((item) => item.trim() !== "")),
  quotes: z.array(z.string()).default([]),
});

/** `artifacts` are the texts it was given to read. */
export function readJudgeAnswer(answer: string, artifacts: readonly string[]): JudgeAnswer {
  const parsed = shape.safeParse(lastObject(answer.slice(-readMax)));
  if (!parsed.success) return { isGreen: false, score: 0, seen: "the judge gave no clear answer" };
  const { complete, missing, quotes } = parsed.data;
  const score = Number.isFinite(parsed.data.score) ? Math.min(1, Math.max(0, parsed.data.score)) : 0;
  const no = (seen: string): JudgeAnswer => ({ isGreen: false, score, seen });
  if (!complete) return no(missing.length > 0 ? `the judge misses ${missing.join("; ")}` : "the judge says no");
  if (missing.length > 0) return no(`the judge says yes, but misses ${missing.join("; ")}`);
  if (score < scoreMin) return no(`the judge says yes, with a score of ${score}`);
  const found = quotes.find((quote) => plain(quote).length >= quoteMin && artifacts.some((text) => has(text, quote)));
  if (found === undefined) return no("the judge says yes, but quotes nothing that is there");
  return { isGreen: true, score, seen: `the judge says yes and quotes "${found}"` };
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase();
const has = (text: string, quote: string): boolean => plain(text).includes(plain(quote));

/** The last object in the text that is JSON: behind prose, in a fence, or alone. */
function lastObject(text: string): unknown {
  const end = text.lastIndexOf("}");
  const starts = [...text.slice(0, Math.max(0, end)).matchAll(/^[^\n{]*\{/gm)].map(
    ({ 0: upTo, index }) => index + upTo.length - 1,
  );
  // The outermost one that reads.
  for (const start of starts.slice(-startsMax)) {
    const value = readJson(text.slice(start, end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

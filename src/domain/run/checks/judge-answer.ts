// What a judge answered about artifacts, as far as it may be believed: a clear yes that names nothing missing and quotes
// what it read. Anything unclear or contradictory is a no. The proof made of it is one check among others; it ends nothing.

import { z } from "zod";
import { balanced, readJson } from "../../../lib/json.ts";
import { lettersOnly } from "./blanks.ts";

/** A yes with a score below this contradicts itself. */
const scoreMin = 0.5;
/** Its answer is one object; a judge that talks for longer has not answered. */
const readMax = 50_000;
/** Prose before the answer may have braces, too; this many lines of it are looked through. */
const startsMax = 50;
/** A quote of a word or two is in every text. */
const quoteMin = 12;
/** Of the pieces of a quote with gaps, the longest has at least so many characters. */
const pieceMin = 9;
const quotesMax = 50;
/** What is seen of a judge that sends the work back has these words before its points. */
export const missesWords = "misses:";

export type JudgeAnswer = {
  readonly isGreen: boolean;
  /** 0 to 1. */
  readonly score: number;
  /** In a sentence, for the proof. */
  readonly seen: string;
  /** What has to be mended, point by point. */
  readonly missing: readonly string[];
  /** Why asking once more may help; null where the answer stands. */
  readonly problem: string | null;
};

/** "None" in the list of what is missing names nothing. */
const isNothing = (item: string): boolean =>
  /^(?:none|nothing(?: (?:is |was )?(?:missing|found))?|n\/?a|no|nichts(?: fehlt)?|keine?s?|rien|nada|ninguno|нет|なし|无)?$/i.test(
    item.replaceAll(/[\s.,:;!–—-]+/g, " ").trim(),
  );

const shape = z.object({
  complete: z.boolean(),
  score: z.coerce.number().default(0),
  missing: z
    .union([z.array(z.string()), z.string().transform((one) => [one]), z.null().transform(() => [])])
    .default([])
    .transform((items) => items.filter((item) => !isNothing(item))),
  quotes: z.array(z.string()).default([]),
});

/** `artifacts` are the texts it was given to read. */
export function readJudgeAnswer(answer: string, artifacts: readonly string[]): JudgeAnswer {
  const text = answer.slice(-readMax);
  const found = findAnswers(text);
  const last = found.at(-1);
  const no = (seen: string, more: Partial<JudgeAnswer> = {}): JudgeAnswer => {
    return { isGreen: false, score: last?.score ?? 0, seen, missing: last?.missing ?? [], problem: null, ...more };
  };
  if (last === undefined)
    return no("the judge gave no clear answer", {
      problem: "Your answer was not the one JSON object that was asked for.",
    });
  if (!last.complete)
    return no(last.missing.length > 0 ? `the judge ${missesWords} ${listed(last.missing)}` : "the judge says no");
  if (last.missing.length > 0) return no(`the judge says yes, but ${missesWords} ${listed(last.missing)}`);
  if (found.some(({ complete }) => !complete) || saysNo(text)) return no("the judge says no and yes at once");
  if (last.score < scoreMin) return no(`the judge says yes, with a score of ${last.score}`);
  const quote = last.quotes.slice(0, quotesMax).find((each) => isQuoted(each, artifacts));
  if (quote === undefined) {
    const problem = "None of your quotes stands in the work. Quote at least 12 characters of it, word for word.";
    return no("the judge says yes, but quotes nothing that is there", { problem });
  }
  return {
    isGreen: true,
    score: last.score,
    seen: `the judge says yes and quotes "${quote}"`,
    missing: [],
    problem: null,
  };
}

const listed = (items: readonly string[]): string => items.map((item, n) => `(${n + 1}) ${item.trim()}`).join(" ");

/** A verdict in words before the object: "No." and "No, because …", but not "No problems". Or a second one inside of it. */
const saysNo = (text: string): boolean =>
  /^[\s#*_>"'`]*(?:(?:verdict|answer|urteil|antwort)[\s*_]*:[\s*_]*)?(?:no|nein|non|нет|いいえ|不|否|not (?:complete|done|finished|met)|incomplete|unvollständig)(?:\s*[.,:;!*_–—。，、-]|\s*\n)/i.test(
    text,
  ) || /"complete"\s*:\s*(?:false|"?no\b)/i.test(text);

/** Its pieces stand in one of the texts, in their order; blanks, markup, bullets, quotation marks and case do not matter. */
function isQuoted(quote: string, artifacts: readonly string[]): boolean {
  const pieces = quote
    .split(/\[?(?:…|\.{3,})\]?/)
    .map(plain)
    .filter((piece) => piece !== "");
  // Single letters stand everywhere: one piece at least says something by itself.
  if (!pieces.some(({ length }) => length >= pieceMin) || pieces.join(" ").length < quoteMin) return false;
  return artifacts.some((text) => {
    const whole = ` ${plain(text)} `;
    let from = 0;
    return pieces.every((piece) => {
      const at = whole.indexOf(piece, from);
      from = at + piece.length;
      return at !== -1;
    });
  });
}

/** Targets of links and numbers of lists are layout, too. */
const plain = (text: string): string =>
  lettersOnly(
    text
      .normalize("NFKC")
      .replaceAll(/\]\([^()\n]{0,2048}\)/g, "] ")
      .replaceAll(/^\s{0,20}\d{1,3}[.)]\s/gm, " "),
  );

type Answer = z.output<typeof shape>;

/** Every object in the text that reads as an answer, in order; what stands inside of one is not looked at again. */
function findAnswers(text: string): readonly Answer[] {
  const starts = [...text.matchAll(/^[^\n{]*\{/gm)].map(({ 0: upTo, index }) => index + upTo.length - 1);
  const found: Answer[] = [];
  let from = 0;
  for (const start of starts.slice(-startsMax)) {
    if (start < from) continue;
    const object = balanced(text, start);
    const value = object === null ? undefined : readJson(object);
    if (object === null || value === undefined) continue;
    from = start + object.length;
    const parsed = shape.safeParse(value);
    if (!parsed.success) continue;
    const score = Number.isFinite(parsed.data.score) ? Math.min(1, Math.max(0, parsed.data.score)) : 0;
    found.push({ ...parsed.data, score });
  }
  return found;
}

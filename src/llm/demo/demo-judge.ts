// The judge's part of the demo model: whether texts have substance, structure and something to do with what was asked. It counts;
// it does not understand, says so, and in doubt says no.

import { z } from "zod";
import { countWords, shorten } from "./phrase.ts";

export type Judged = {
  readonly complete: boolean;
  readonly score: number;
  readonly missing: readonly string[];
  readonly quotes: readonly string[];
  readonly judged_by: string;
};

/** Less is a stub. */
const wordsMin = 50;
/** Share of the words that were asked for that the work has to mention. */
const mentionMin = 0.3;

const thing = z.looseObject({
  title: z.string(),
  text: z.string().optional(),
  content: z.string().optional(),
  description: z.string().optional(),
});
const judgeView = z.looseObject({ rubric: z.string().default(""), objective: z.string().default("") });

type Work = { readonly title: string; readonly text: string };

/** Every list of things with a title is work to read, however it is called. */
function readWorks(view: Readonly<Record<string, unknown>>): readonly Work[] {
  return Object.values(view)
    .flatMap((value) => (Array.isArray(value) ? value : []))
    .flatMap((each) => {
      const read = thing.safeParse(each);
      if (!read.success) return [];
      const { title, text, content, description } = read.data;
      return [{ title, text: text ?? content ?? description ?? "" }];
    });
}

export function judgeByRules(view: unknown): Judged {
  const read = judgeView.safeParse(view);
  const works = read.success ? readWorks(read.data) : [];
  const asked = read.success ? `${read.data.rubric} ${read.data.objective}` : "";
  const text = works.map((work) => `${work.title}\n${work.text}`).join("\n\n");
  const words = countWords(text);
  const headings = text.match(/^#{1,6}\s+\S/gm)?.length ?? 0;
  const absent = findAbsent(asked, text);
  const missing = [
    ...(works.length === 0 ? ["there is nothing to read"] : []),
    ...(words < wordsMin ? [`more text: ${words} of ${wordsMin} words`] : []),
    // A list of tasks has lines where a page has headings.
    ...(headings >= 2 || works.length > 2 ? [] : ["a structure with headings"]),
    ...(absent.share > 1 - mentionMin ? [`the words that were asked for: ${absent.words.slice(0, 5).join(", ")}`] : []),
    ...(/\b(?:TODO|TBD|lorem ipsum)\b/.test(text) ? ["an end to its placeholders"] : []),
  ];
  return {
    complete: missing.length === 0,
    score: missing.length === 0 ? 0.8 : 0.2,
    missing: missing.map((each) => `${each} (counted by the demo model: rules, no AI)`),
    quotes: findQuotes(works),
    judged_by: "demo model: rules, no AI",
  };
}

const plainRubric =
  /^(?:there|complete|what|user|asked|that|this|with|have|from|explains?|describes?|contains?|really|should|would|about|which|every|their|objective|full|need|make|plan|write|find|list|tasks?|please|document|page)$/;

function findAbsent(asked: string, text: string): { readonly words: readonly string[]; readonly share: number } {
  const wanted = [...new Set(asked.toLowerCase().match(/\p{L}{4,}/gu) ?? [])].filter((word) => !plainRubric.test(word));
  const lower = text.toLowerCase();
  const words = wanted.filter((word) => !lower.includes(word.slice(0, -1)));
  return { words, share: wanted.length === 0 ? 0 : words.length / wanted.length };
}

/** Word for word, from the middle of a line. */
const findQuotes = (works: readonly Work[]): readonly string[] =>
  works.slice(0, 3).flatMap(({ title, text }) => {
    const lines = [...text.split("\n"), title].map((line) => line.replace(/^[\s#>*\d.[\]-]+/, "").trim());
    const line = lines.find((each) => each.length >= 40) ?? lines.find((each) => each.length >= 12);
    return line === undefined ? [] : [shorten(line, 120).replace(/…$/, "")];
  });

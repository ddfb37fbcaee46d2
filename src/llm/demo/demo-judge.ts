// The judge's part of the demo model: it counts words, structure and what was asked for, says so, and in doubt says no.

import { z } from "zod";
import { countWords, shorten } from "./phrase.ts";

/** Less is a stub. */
const wordsMin = 50;
/** Share of the words that were asked for that the work has to mention. */
const mentionMin = 0.3;
const byRules = "demo model: rules, no AI";

const text = z.string().default("");
const work = z.looseObject({ title: text, text });
const works = z.array(work).default([]);
const judgeView = z.looseObject({ rubrics: works, objective: text, artifacts: works });

export function judgeByRules(view: unknown) {
  const { rubrics: wanted, objective, artifacts } = judgeView.catch(judgeView.parse({})).parse(view);
  const whole = artifacts.map((each) => `${each.title}\n${each.text}`).join("\n\n");
  const words = countWords(whole);
  // A list of tasks has lines where a page has headings.
  const parts = Math.max(artifacts.length, whole.match(/^#{1,6}\s+\S|\n\n\S/gm)?.length ?? 0);
  const missing = [
    ...(artifacts.length === 0 ? ["there is nothing to read"] : []),
    ...(words < wordsMin ? [`more text: ${words} of ${wordsMin} words`] : []),
    ...(parts > 1 ? [] : ["a structure with headings"]),
    ...findAbsent([...wanted.map((each) => each.text), objective].join(" "), whole),
    ...(/\b(?:TODO|TBD|lorem ipsum)\b/.test(whole) ? ["an end to its placeholders"] : []),
  ].map((each) => `${each} (counted by the ${byRules})`);
  const complete = missing.length === 0;
  const quotes = artifacts.slice(0, 3).flatMap((each) => quote(each.text));
  return { complete, score: complete ? 0.8 : 0.2, missing, quotes, judged_by: byRules };
}

/** Words of rubrics and orders that say nothing about the subject. */
const plain =
  /^(?:there|complete|what|user|asked|that|this|with|have|from|explains?|should|about|which|every|their|objective|full|make|plan|write|find|list|tasks?|please|document|page|undefined)$/;

function findAbsent(asked: string, whole: string): readonly string[] {
  const wanted = [...new Set(asked.toLowerCase().match(/\p{L}{4,}/gu) ?? [])]
    .filter((word) => !plain.test(word))
    .slice(0, 12);
  const absent = wanted.filter((word) => !whole.toLowerCase().includes(word.slice(0, -1)));
  const isOther = absent.length > wanted.length * (1 - mentionMin);
  return isOther ? [`the words that were asked for: ${absent.slice(0, 5).join(", ")}`] : [];
}

/** Word for word, from the middle of a line. */
function quote(page: string): readonly string[] {
  const lines = page.split("\n").map((line) => line.replace(/^[\s#>*\d.[\]-]+/, "").trim());
  const long = lines
    .filter(({ length }) => length >= 12)
    .sort((a, b) => Number(b.length >= 40) - Number(a.length >= 40));
  return long.slice(0, 1).map((line) => shorten(line, 120).replace(/…$/, ""));
}

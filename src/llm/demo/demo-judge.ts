// The judge's part of the demo model: it counts words, structure and what was asked for, says so, and in doubt says no.

import { z } from "zod";
import { countWords } from "./text.ts";

/** Less is a stub. */
const wordsMin = 50;
const byRules = "demo model: rules, no AI";

const text = z.string().default("");
const works = z.array(z.looseObject({ title: text, text })).default([]);
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
  // Word for word, from the middle of a line.
  const quotes = artifacts.slice(0, 3).flatMap((each) => /\p{L}[^\n]{20,100}/u.exec(each.text)?.[0] ?? []);
  return { complete, score: complete ? 0.8 : 0.2, missing, quotes, judged_by: byRules };
}

/** Of the words that were asked for, nearly a third has to be mentioned. */
function findAbsent(asked: string, whole: string): readonly string[] {
  const all = new Set(asked.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
  const isPlain = /^(?:asked|explains?|should|objective|complete|there|about|which|every)$/;
  const wanted = [...all].filter((word) => !isPlain.test(word)).slice(0, 12);
  const absent = wanted.filter((word) => !whole.toLowerCase().includes(word.slice(0, -1)));
  const isOther = absent.length > wanted.length * 0.7;
  return isOther ? [`the words that were asked for: ${absent.slice(0, 5).join(", ")}`] : [];
}

// The judge's part of the demo model: whether texts have substance, structure and something to do with the rubric. It counts;
// it does not understand, and in doubt it says no.

import { countWords, shorten } from "./phrase.ts";

export type Judged = {
  readonly complete: boolean;
  readonly score: number;
  readonly missing: readonly string[];
  readonly quotes: readonly string[];
};

type Artifact = { readonly id: string; readonly title: string; readonly text: string };

/** Less is a stub. */
const wordsMin = 120;
const headingsMin = 2;
/** Share of the rubric's own words that the work has to mention. */
const mentionMin = 0.3;

/** Words every rubric has. */
const plainRubric =
  /^(?:really|there|that|this|with|have|from|what|does|says|explains?|describes?|contains?|shows?|names?|some|into|such|than|them|they|when|will|each|must|more|most|well|complete|useful|person|asked|which|should|would|about|their|every|least|these|those|being|where|document|documents|page|pages|work|text|clear|clearly|judge|agrees)$/;

export function judgeByRules(rubric: string, artifacts: readonly Artifact[]): Judged {
  const text = artifacts.map((artifact) => `${artifact.title}\n${artifact.text}`).join("\n\n");
  const words = countWords(text);
  const headings = text.match(/^#{1,6}\s+\S/gm)?.length ?? 0;
  const wanted = [...new Set(rubric.toLowerCase().match(/\p{L}{4,}/gu) ?? [])].filter(
    (word) => !plainRubric.test(word),
  );
  const lower = text.toLowerCase();
  const absent = wanted.filter((word) => !lower.includes(word.slice(0, -1)));
  const mentioned = wanted.length === 0 ? 1 : 1 - absent.length / wanted.length;
  const isStub = /\b(?:TODO|TBD|lorem ipsum)\b/.test(text);
  // A list of tasks has lines where a page has headings.
  const hasStructure = headings >= headingsMin || artifacts.length > headingsMin;
  const missing = [
    ...(artifacts.length === 0 ? ["there is nothing to read"] : []),
    ...(words < wordsMin ? [`more text: ${words} of ${wordsMin} words`] : []),
    ...(hasStructure ? [] : ["a structure with headings"]),
    ...(mentioned < mentionMin ? [`the rubric's own words: ${absent.slice(0, 5).join(", ")}`] : []),
    ...(isStub ? ["an end to its placeholders"] : []),
  ];
  const measures = [Math.min(1, words / (2 * wordsMin)), hasStructure ? 1 : 0, mentioned];
  const score = Math.round((measures.reduce((sum, each) => sum + each, 0) / measures.length) * 100) / 100;
  return { complete: missing.length === 0, score, missing, quotes: quotesFrom(artifacts) };
}

/** Word for word, from the middle of a line. */
const quoteMin = 12;
function quotesFrom(artifacts: readonly Artifact[]): readonly string[] {
  return artifacts.slice(0, 3).flatMap(({ text }) => {
    const lines = text.split("\n").map((line) => line.replace(/^[\s#>*\d.[\]-]+/, "").trim());
    const line = lines.find((each) => each.length >= 40) ?? lines.find((each) => each.length >= quoteMin);
    return line === undefined ? [] : [shorten(line, 120).replace(/…$/, "")];
  });
}

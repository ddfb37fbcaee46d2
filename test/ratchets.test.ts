// Habits of ours that make code harder to read. There may be fewer of each, never more; whoever takes some away lowers the number.

import { expect, test } from "vitest";
import { isGenerated, isTest, lineOf, sourceFiles } from "./helpers/source-files.ts";

const product = sourceFiles.filter(
  (source) => /^(src|web\/src)\//.test(source.file) && !isTest(source) && !isGenerated(source),
);

test.each([
  [
    "names that end in Of",
    522,
    /\b(?:function|const) \w+Of\b(?= ?[=(<:])/g,
    "name what it gives: readTitle, findRun, countWords",
  ],
  [
    "comments whose sentence has no noun as its subject",
    214,
    /(?:\/\/|\/\*\*|^ *\*) (?:Of (?:a|an|the|one|this|those|what|these)|One that|Those (?:that|of|who|which)|What (?!is)|As (?:one|another|it|what)) /gm,
    "begin with what it is about",
  ],
] as const)("%s do not become more", (_what, most, habit, instead) => {
  const found = product.flatMap((source) =>
    [...source.text.matchAll(habit)].map(({ 0: words, index }) => `${source.file}:${lineOf(source, index)} ${words}`),
  );
  const shown = found.length > most ? [`${found.length} instead of ${most}: ${instead}`, ...found] : [];
  expect(shown).toEqual([]);
});

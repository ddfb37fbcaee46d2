import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { gatherWords } from "../scripts/word-catalogues.ts";
import type { Message } from "../src/words/message.ts";
import { replaceMessages } from "../src/words/replace-words.ts";
import { catalogueOf, sides } from "../src/words/sides.ts";
import { writeCatalogue } from "../src/words/translation.ts";

/** A language in which every text stands in brackets: what is outside of them would stay English. */
const bracketed = { language: "xx", translate: (text: string) => `⟦${text}⟧` };

describe.each(sides)("the words of the %s", (side) => {
  const found = gatherWords(side);

  test("have an English catalogue that is up to date (npm run generate)", () => {
    const isSame = readFileSync(catalogueOf(side, "en"), "utf8") === writeCatalogue(found);
    expect(isSame, "run `npm run generate` and commit what it writes").toBe(true);
  });

  test("can be replaced in every file, which is code all the same, and none between tags is left", () => {
    const files = [...found].filter(([file]) => /\.tsx?$/.test(file));
    expect(files.flatMap(([file, messages]) => problemsOf(file, messages))).toEqual([]);
  });
});

function problemsOf(file: string, messages: readonly Message[]): readonly string[] {
  const source = readFileSync(file, "utf8");
  const { program, errors } = parseSync(file, replaceMessages(source, messages, bracketed) ?? source);
  const problems = errors.map(({ message }) => `${file}: ${message}`);
  if (!file.endsWith(".tsx")) return problems;
  new Visitor({
    JSXText: ({ value }) => {
      if (/\p{L}/u.test(value)) problems.push(`${file}: still says ${value.trim()}`);
    },
  }).visit(program);
  return problems;
}

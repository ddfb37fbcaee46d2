import { expect, test } from "vitest";
import { checkWords } from "./check-words.ts";

test.each([
  ["there are at least 3 tasks, at most 500 words", "There are at least 3 tasks, at most 500 words"],
  ["a judge agrees: it is what the user asked for", "A judge agrees: it is what you asked for"],
])("%j reads %j", (words, shown) => expect(checkWords({ words })).toBe(shown));

import { expect, test } from "vitest";
import { firstSentences } from "./first-sentences.ts";

const check = (text: string, shown: string, isCut = true) => expect(firstSentences(text, 3)).toEqual({ shown, isCut });

test("three sentences stay as they are", () => check("One. Two! Three?", "One. Two! Three?", false));

test("the fourth sentence is cut", () => check("One. Two. Three. Four.", "One. Two. Three."));

test("a line is a sentence, too", () => check("One\n\n- Two\n- Three\n- Four", "One\n\n- Two\n- Three"));

test("an abbreviation or a number ends no sentence", () =>
  check(
    "Ask Dr. Weber, e.g. by mail. It costs 3.50 a day. Two. Three.",
    "Ask Dr. Weber, e.g. by mail. It costs 3.50 a day. Two.",
  ));

test("bold words that are cut end where the text ends", () =>
  check("One. Two. **Three. Four.**", "One. Two. **Three.**"));

test("sentences of other scripts are found", () => check("一。二。三。四。", "一。二。三。"));

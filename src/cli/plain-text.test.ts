import { expect, test } from "vitest";
import { endSentence } from "./plain-text.ts";

test.for([
  ["Decided: both", "Decided: both."],
  ["Decided: both.", "Decided: both."],
  ["Decided: “Take both.”", "Decided: “Take both.”"],
  ["Really? ", "Really?"],
] as const)("%s ends like a sentence", ([text, ended]) => expect(endSentence(text)).toBe(ended));

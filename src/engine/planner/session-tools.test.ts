import { expect, test } from "vitest";
import { plannerRules } from "../../prompts/planner-rules.ts";
import { sessionOffers } from "./session-tools.ts";

/** Four characters are a token, as in docs/performance.md. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

test("what every call of a planner carries beside the common tools stays small", () => {
  expect(tokensOf(plannerRules) + tokensOf(JSON.stringify(sessionOffers))).toBeLessThan(1_760);
});

test("a schema says nothing that goes without saying", () => {
  const said = JSON.stringify(sessionOffers);
  expect(said).not.toMatch(/"default":(false|0|null|""|\[\])/);
  expect(said).not.toMatch(/"minimum":[01][,}]/);
});

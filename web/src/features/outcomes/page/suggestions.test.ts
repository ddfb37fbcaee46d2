import { expect, test } from "vitest";
import { openSuggestions, withSuggestion } from "./suggestions.ts";

const suggested = (suggestion: string, reason = "Two tasks need it") => ({
  summary: `Suggested: ${suggestion}`,
  details: { action: "suggest_design_update", suggestion, reason },
});
const textsOf = (lines: Parameters<typeof openSuggestions>[0], approach = "") =>
  openSuggestions(lines, approach).map(({ text }) => text);

test("a suggested change waits until it stands in the approach", () => {
  expect(textsOf([suggested("Use one table")])).toEqual(["Use one table"]);
  expect(textsOf([suggested("Use one table")], withSuggestion("Begin small.", "Use one table"))).toEqual([]);
});
test("the same suggestion is shown once, and other lines are none", () =>
  expect(
    textsOf([suggested("A"), suggested("A"), { summary: "Told #1", details: { action: "inject_context" } }]),
  ).toEqual(["A"]));
test("a line of an older version has it in its summary", () =>
  expect(textsOf([{ summary: "Suggested: Old", details: { action: "suggest_design_update" } }])).toEqual(["Old"]));
test("it is added at the end of the approach, or begins one", () =>
  expect([withSuggestion("Begin small.\n", "A"), withSuggestion("", "A")]).toEqual(["Begin small.\n\nA\n", "A\n"]));

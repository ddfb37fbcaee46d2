import { expect, test } from "vitest";
import { makeCheck } from "../../../../test/helpers/make-run.ts";
import { describeCheck, describeTarget } from "./describe-check.ts";

const target = {
  kind: "document_has",
  documentId: null,
  titleLike: "",
  headings: [],
  wordsAtLeast: 300,
  sourcesAtLeast: 0,
} as const;

test.each([
  [target, "this run's documents together have at least 300 words"],
  [{ ...target, wordsAtMost: 500 }, "this run's documents together have at least 300 words, at most 500 words"],
])("a check says both of its limits (%#)", (looked, words) => expect(describeTarget(looked)).toBe(words));

test("who asked for it and for which deliverable stand beside its words", () => {
  const check = makeCheck({ deliverableId: "page", target, givenBy: "user" });
  expect(describeCheck(check, [{ id: "page", title: "A page" }])).toBe(
    `asked for by the user: ${describeTarget(target)} (for A page)`,
  );
});

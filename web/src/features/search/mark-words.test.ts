import { expect, test } from "vitest";
import { markWords } from "./mark-words.ts";

const marked = (title: string, query: string) =>
  markWords(title, query)
    .filter(({ match }) => match)
    .map(({ text }) => text);

test.each([
  ["Move the library", "moving", ["Move"]],
  ["What the movers need", "moving", ["movers"]],
  ["Moving handbook", "moving handbooks", ["Moving", "handbook"]],
  ["A movie night", "moving", []],
  ["Übung für Anfänger", "übung", ["Übung"]],
  ["Nothing", "", []],
])("in %j, %j marks %j", (title, query, words) => expect(marked(title, query)).toEqual(words));

test("the pieces make up the title", () =>
  expect(
    markWords("Ask: the mover, today", "mover")
      .map(({ text }) => text)
      .join(""),
  ).toBe("Ask: the mover, today"));

import { expect, test } from "vitest";
import { addHeadingIds } from "./heading-ids.ts";

const text = (value: string) => ({ type: "text", value });
const heading = (level: number, words: string, properties = {}) => ({
  type: "element",
  tagName: `h${level}`,
  properties,
  children: [text(words)],
});

function idsOf(...children: ReturnType<typeof heading>[]): readonly unknown[] {
  addHeadingIds("section")({ type: "root", children });
  return children.map(({ properties }) => (properties as { id?: unknown }).id);
}

test("an id is made from the words of the heading", () =>
  expect(idsOf(heading(2, "Was kostet's? Übersicht"))).toEqual(["section-was-kostet-s-übersicht"]));

test("the same heading twice gets two ids", () =>
  expect(idsOf(heading(2, "Costs"), heading(3, "Costs"))).toEqual(["section-costs", "section-costs-2"]));

test("a heading of signs only still gets one", () => expect(idsOf(heading(1, "???"))).toEqual(["section-untitled"]));

test("a heading that has an id keeps it", () =>
  expect(idsOf(heading(2, "Footnotes", { id: "footnote-label" }))).toEqual(["footnote-label"]));

test("a long heading is cut", () => expect(String(idsOf(heading(2, "a".repeat(500)))[0])).toHaveLength(68));

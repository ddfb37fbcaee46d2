import { describe, expect, test } from "vitest";
import { pick, shortIds } from "./find.ts";

const things = [
  { id: "0198c2a4-aaaa", name: "Kitchen" },
  { id: "0198c2a4-bbbb", name: "Garden" },
  { id: "0198ffff-cccc", name: "kitchen" },
  { id: "0198ffff-dddd", name: "0198c2a4-bbbb-notes" },
];

const found = (ref: string) => pick("project", ref, things, ({ id, name }) => ({ id, label: name, names: [name] })).id;

describe("a thing is found", () => {
  test("by its id", () => expect(found("0198C2A4-AAAA")).toBe("0198c2a4-aaaa"));
  test("by its exact name, before names in other case", () => expect(found("kitchen")).toBe("0198ffff-cccc"));
  test("by its name in other case", () => expect(found("GARDEN")).toBe("0198c2a4-bbbb"));
  test("by the start of its id", () => expect(found("0198c2a4-b")).toBe("0198c2a4-bbbb"));
});

describe("a thing is not found", () => {
  test("if several fit, which are listed", () => {
    expect(() => found("0198c2a4")).toThrow(
      '"0198c2a4" fits 2 projects; give more of the id:\n  0198c2a4-aaaa  Kitchen\n  0198c2a4-bbbb  Garden',
    );
    expect(() => found("KITCHEN")).toThrow("fits 2 projects");
  });
  test("if nothing fits, and something close is suggested", () =>
    expect(() => found("Kichen")).toThrow('There is no project "Kichen". Did you mean Kitchen?'));
  test("by fewer than four characters of its id", () => expect(() => found("019")).toThrow("There is no project"));
});

test("ids are shortened to what tells them apart", () => {
  const ids = things.map(({ id }) => id);
  expect(ids.map(shortIds(ids))).toEqual(["0198c2a4-a", "0198c2a4-b", "0198ffff-c", "0198ffff-d"]);
  expect(ids.slice(1, 3).map(shortIds(ids.slice(1, 3)))).toEqual(["0198c2a4", "0198ffff"]);
});

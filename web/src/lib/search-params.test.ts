import { expect, test } from "vitest";
import { flagOf, parseSearch, safeReturn, stringifySearch } from "./search-params.ts";

test("addresses stay plain words", () =>
  expect(stringifySearch({ q: "12 oaks", new: true })).toBe("?q=12+oaks&new=true"));

test("what is not set is left out", () => expect(stringifySearch({ q: undefined, kind: "" })).toBe(""));

test("a number searched for stays text", () => expect(parseSearch("?q=12")).toEqual({ q: "12" }));

test("a flag is set by true only", () =>
  expect([flagOf("true"), flagOf("1"), flagOf(undefined)]).toEqual([true, undefined, undefined]));

test("signing in leads back to an address of this site", () =>
  expect(safeReturn("/projects?bin=true")).toBe("/projects?bin=true"));

test.each(["//evil.example", "/\\evil.example", "https://evil.example", undefined])(
  "signing in never leads to %s",
  (address) => expect(safeReturn(address)).toBe("/"),
);

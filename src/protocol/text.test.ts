import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { props, text, title } from "./text.ts";

const anyText = text(1_000);
const takes = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

test.prop([fc.string({ unit: "grapheme", maxLength: 100 })])("takes any text that PostgreSQL can hold", (value) => {
  expect(takes(anyText, value)).toBe(!value.includes("\u0000"));
});

test.prop([fc.string({ maxLength: 50 }), fc.string({ maxLength: 50 }), fc.constantFrom("\u0000", "\ud800", "\udfff")])(
  "refuses NUL and half a surrogate pair wherever they stand",
  (before, after, bad) => {
    expect(takes(anyText, `${before} ${bad} ${after}`)).toBe(false);
  },
);

test("a title says something", () => {
  expect([takes(title, "x"), takes(title, ""), takes(title, " \n\t ")]).toEqual([true, false, false]);
});

test.prop([fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 4 }))])(
  "takes plain JSON as properties",
  (value) => {
    const clean = !JSON.stringify(value).includes("\\u0000") && !JSON.stringify(value).includes("\\ud");
    fc.pre(clean && JSON.stringify(value).length < 60_000);
    expect(takes(props, value)).toBe(true);
  },
);

test.each([
  ["NUL in a value", { a: { b: ["x\u0000"] } }],
  ["NUL in a name", { "a\u0000": 1 }],
  ["half a surrogate pair", { a: "\ud800" }],
  ["too deep", JSON.parse(`${'{"a":'.repeat(14)}1${"}".repeat(14)}`)],
  ["too large", { a: "x".repeat(70_000) }],
  ["a list", []],
  ["not JSON", { a: Number.NaN }],
])("refuses properties with %s", (_what, value) => {
  expect(takes(props, value)).toBe(false);
});

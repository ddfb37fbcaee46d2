import { expect, test } from "vitest";
import {
  amount,
  anyOf,
  changed,
  count,
  lenient,
  list,
  mustFit,
  name,
  nullable,
  number,
  object,
  oneOf,
  optional,
  ordinal,
  orElse,
  positive,
  record,
  type Shape,
  text,
  tryFit,
} from "./shape.ts";

const bed = object({
  name,
  size: number,
  rows: orElse(count, 0),
  note: optional(text),
  gardener: nullable(text),
  state: lenient(oneOf("dug", "sown"), "dug"),
  plants: list(object({ kind: name, seeds: ordinal })),
  dates: record(text),
});
const good = { name: "roses", size: 2.5, gardener: null, plants: [{ kind: "rose", seeds: 3 }], dates: { sown: "May" } };

test("a value that fits is read with its fallbacks, and without keys that are not known", () => {
  expect(mustFit(bed, { ...good, state: "bare", colour: "red" })).toEqual({ ...good, rows: 0, state: "dug" });
});

test.each([
  [{ name: "" }, "name", "expected text"],
  [{ size: Number.NaN }, "size", "expected a number"],
  [{ rows: -1 }, "rows", "expected a whole number from 0"],
  [{ note: null }, "note", "expected text"],
  [{ gardener: undefined }, "gardener", "expected text"],
  [{ plants: {} }, "plants", "expected a list"],
  [{ plants: [{ kind: "rose", seeds: 0 }] }, "plants.0.seeds", "expected a whole number from 1"],
  [{ dates: [] }, "dates", "expected a mapping"],
  [{ dates: { sown: 5 } }, "dates.sown", "expected text"],
])("%j does not fit at %s: %s", (over, at, why) => {
  expect(bed({ ...good, ...over })).toEqual({ ok: false, at, why });
  expect(() => mustFit(bed, { ...good, ...over })).toThrow(`${at}: ${why}`);
});

test("above 0, from 0", () => {
  expect([-1, 0, 0.5].map((value) => [tryFit(positive, value), tryFit(amount, value)])).toEqual([
    [null, null],
    [null, 0],
    [0.5, 0.5],
  ]);
});

test("what is inherited is no field", () => {
  expect(tryFit(object({ toString: optional(text) }), {})).toEqual({});
  expect(tryFit(bed, null)).toBeNull();
});

test("of several shapes the first that fits counts", () => {
  const words: Shape<readonly string[]> = anyOf(
    list(text),
    changed(text, (one) => [one]),
  );
  expect(tryFit(words, ["a", "b"])).toEqual(["a", "b"]);
  expect(tryFit(words, "a")).toEqual(["a"]);
  expect(words(5)).toEqual({ ok: false, at: "", why: "expected text" });
});

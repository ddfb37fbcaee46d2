import { expect, test } from "vitest";
import { findForbiddenModels } from "./quota.ts";

test("without a list any model may be named", () => {
  expect(findForbiddenModels({ models: null }, ["a/large"], [])).toEqual([]);
});

test("with one, only those in it and those that the installation uses", () => {
  const chosen = ["a/large", "a/small", "b/usual", "a/large"];
  expect(findForbiddenModels({ models: ["a/small"] }, chosen, ["b/usual"])).toEqual(["a/large"]);
});

test("with an empty one, only those that the installation uses", () => {
  expect(findForbiddenModels({ models: [] }, ["a/small", "b/usual"], ["b/usual"])).toEqual(["a/small"]);
});

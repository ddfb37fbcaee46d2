import { expect, test } from "vitest";
import { z } from "zod";
import { stepIds } from "./step-ids.ts";

const take = (n: number, newId: () => string) => Array.from({ length: n }, newId);

test("the same step makes the same ids, in the same order", () => {
  expect(take(3, stepIds("run", 2, "exec:1/tool:0"))).toEqual(take(3, stepIds("run", 2, "exec:1/tool:0")));
});

test.for([
  ["another run", "run2", 2, "tool:0"],
  ["another iteration", "run", 3, "tool:0"],
  ["another step", "run", 2, "tool:1"],
  ["a name that could be read as another number", "run", 22, ":0"],
] as const)("%s makes other ids", ([, run, iteration, key]) => {
  const known = new Set(take(20, stepIds("run", 2, "tool:0")));
  expect(take(20, stepIds(run, iteration, key)).filter((id) => known.has(id))).toEqual([]);
});

test("every call gives another id, and each is a UUID of version 8", () => {
  const ids = take(50, stepIds("run", 1, "plan"));
  expect(new Set(ids).size).toBe(50);
  expect(ids.filter((id) => !z.uuid({ version: "v8" }).safeParse(id).success)).toEqual([]);
});

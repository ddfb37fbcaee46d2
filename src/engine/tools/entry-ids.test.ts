import { expect, test } from "vitest";
import { z } from "zod";
import { entryIds } from "./entry-ids.ts";

const take = (n: number, newId: () => string) => Array.from({ length: n }, newId);

test("the same entry makes the same ids, in the same order", () => {
  expect(take(3, entryIds("run", 2, "exec:1/tool:0"))).toEqual(take(3, entryIds("run", 2, "exec:1/tool:0")));
});

test.for([
  ["another run", "run2", 2, "tool:0"],
  ["another iteration", "run", 3, "tool:0"],
  ["another entry", "run", 2, "tool:1"],
  ["a name that could be read as another number", "run", 22, ":0"],
] as const)("%s makes other ids", ([, run, iteration, key]) => {
  const known = new Set(take(20, entryIds("run", 2, "tool:0")));
  expect(take(20, entryIds(run, iteration, key)).filter((id) => known.has(id))).toEqual([]);
});

test("every call gives another id, and each is a UUID of version 8", () => {
  const ids = take(50, entryIds("run", 1, "plan"));
  expect(new Set(ids).size).toBe(50);
  expect(ids.filter((id) => !z.uuid({ version: "v8" }).safeParse(id).success)).toEqual([]);
});

import { expect, test } from "vitest";
import { z } from "zod";
import { parseArgs } from "./parse-args.ts";
import { readTool, refuse } from "./tool.ts";

const tool = readTool({
  name: "count",
  description: "Counts",
  args: z.strictObject({ n: z.int().min(1).describe("How far"), word: z.string().default("x") }),
  tags: [],
  stage: 1,
  read: async () => refuse("failed", ""),
});

test.each([
  ["an object", { n: 1 }],
  ["an object as a string", '{"n": 1}'],
  ["an object as a string with blanks", ' \n{"n": 1} '],
])("%s is taken, with what was left out", (_, given) => {
  expect(parseArgs(tool, given)).toEqual({ ok: true, args: { n: 1, word: "x" } });
});

test.each([
  ["no JSON", "{n: 1"],
  ["JSON of a list", "[1]"],
  ["JSON of a number", "1"],
  ["JSON of a string of an object", '"{\\"n\\": 1}"'],
  ["a list", [1]],
  ["a number", 1],
  ["a wrong value", { n: 0 }],
  ["an unknown field", { n: 1, m: 2 }],
  ["nothing", null],
  ["an empty string", ""],
])("%s is refused, with the name of the tool and its schema", (_, given) => {
  const parsed = parseArgs(tool, given);
  expect(parsed.ok).toBe(false);
  expect(!parsed.ok && parsed.text).toContain("count");
  expect(!parsed.ok && parsed.text).toContain('"description":"How far"');
});

test("each problem is named with its field", () => {
  const parsed = parseArgs(tool, { n: "one", m: 2 });
  expect(!parsed.ok && parsed.text).toContain("at n");
  expect(!parsed.ok && parsed.text).toContain('"m"');
});

test("the answer stays short, whatever was sent", () => {
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`field${n}`, n]));
  const parsed = parseArgs(tool, fields);
  expect(!parsed.ok && parsed.text.length).toBeLessThan(7_000);
});

test("a tool without required arguments may be called without any", () => {
  const free = { ...tool, args: z.strictObject({ word: z.string().default("x") }) };
  for (const given of [undefined, null, "", {}])
    expect(parseArgs(free, given)).toEqual({ ok: true, args: { word: "x" } });
});

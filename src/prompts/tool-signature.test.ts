import { expect, test } from "vitest";
import { z } from "zod";
import { toolSignature } from "./tool-signature.ts";

const check = (schema: z.ZodType, expected: string) => expect(toolSignature(z.toJSONSchema(schema))).toBe(expected);

test("what is needed and what is not", () =>
  check(z.object({ title: z.string(), note: z.string().optional() }), "title: string; note?: string"));

test("ids, ranges, words and what they mean", () =>
  check(
    z.object({
      id: z.uuid().describe("Id of the task"),
      priority: z.int().min(1).max(5).nullable(),
      state: z.enum(["todo", "done"]),
    }),
    'id: id — Id of the task; priority: integer 1–5 | null; state: "todo" | "done"',
  ));

test("lists and objects", () =>
  check(
    z.object({ tags: z.array(z.string()), at: z.object({ x: z.number() }) }),
    "tags: list of string; at: { x: number }",
  ));

test("something that is no schema has no arguments", () => expect(toolSignature("nonsense")).toBe(""));

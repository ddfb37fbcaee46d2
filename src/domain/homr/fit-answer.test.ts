import { expect, test } from "vitest";
import { z } from "zod";
import { fitAnswer } from "./fit-answer.ts";

const shape = z.object({ title: z.string().max(5), tags: z.array(z.string().max(3)).max(2) });

test("what fits is read as it is", () =>
  expect(fitAnswer(shape, { title: "Lamp", tags: ["a"] })).toEqual({
    isRead: true,
    value: { title: "Lamp", tags: ["a"] },
    cuts: [],
  }));

test("what is too long is cut, also inside of lists, and that is told", () =>
  expect(fitAnswer(shape, { title: "Lampshade", tags: ["abcd", "b", "c"] })).toEqual({
    isRead: true,
    value: { title: "Lamps", tags: ["abc", "b"] },
    cuts: expect.arrayContaining(["title was cut to 5", "tags was cut to 2", "tags.0 was cut to 3"]),
  }));

test.each([
  ["a text", "it: "],
  [{ title: 5, tags: [] }, "title: "],
  [{ title: "x", tags: ["a", 1] }, "tags.1: "],
])("%j is not read, with the place", (answer, why) =>
  expect(fitAnswer(shape, answer)).toEqual({ isRead: false, why: expect.stringContaining(why) }),
);

test("a number that is too large is not cut to size", () =>
  expect(fitAnswer(z.object({ n: z.number().max(3) }), { n: 9 }).isRead).toBe(false));

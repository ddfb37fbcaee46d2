import { expect, test } from "vitest";
import { objectiveParts } from "./objective-parts.ts";

test("a short objective is its own heading", () =>
  expect(objectiveParts(" Find a hall ")).toEqual({ heading: "Find a hall", whole: null }));

test("the first line is the heading of a longer one", () =>
  expect(objectiveParts("Find a hall\nfor twenty people")).toEqual({
    heading: "Find a hall",
    whole: "Find a hall\nfor twenty people",
  }));

test("a long line is cut between words", () => {
  const { heading, whole } = objectiveParts("word ".repeat(900));
  expect(heading.endsWith("word…")).toBe(true);
  expect(heading.length).toBeLessThan(170);
  expect(whole?.length).toBe(4_499);
});

test("one without blanks is never cut inside a character", () => {
  const { heading } = objectiveParts(`a${"😀".repeat(200)}`);
  expect(heading.isWellFormed()).toBe(true);
});

import { expect, test } from "vitest";
import { splitNote } from "./split-note.ts";

test("the summary of a note stands alone, its lists follow", () =>
  expect(splitNote("Found two halls.\n\n**Actions**\n- a call\n\nDecision: goes on\n")).toEqual({
    summary: "Found two halls.",
    rest: "**Actions**\n- a call\n\nDecision: goes on",
  }));

test("a note may have only one of both", () => {
  expect(splitNote("Found nothing.")).toEqual({ summary: "Found nothing.", rest: "" });
  expect(splitNote("**Plan**\n- s1: done")).toEqual({ summary: "", rest: "**Plan**\n- s1: done" });
});

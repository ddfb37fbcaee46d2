import { expect, test } from "vitest";
import { listedMax, shownRuns } from "./shown-runs.ts";

const run = (id: string) => ({ id });

test("runs that need the user go first", () => {
  expect(shownRuns([], [run("w")], [run("a"), run("b")])).toEqual(["w", "a", "b"]);
  expect(shownRuns(["a", "b"], [run("b")], [run("a")])).toEqual(["b", "a"]);
});

test("a run that has ended since stays where it was", () => {
  expect(shownRuns(["a", "b"], [], [run("b")])).toEqual(["a", "b"]);
});

test("a new run comes behind those that are shown", () => {
  expect(shownRuns(["a"], [], [run("new"), run("a")])).toEqual(["a", "new"]);
});

test("nothing is listed twice, and never more than fit", () => {
  const many = Array.from({ length: 50 }, (_, n) => run(String(n)));
  expect(shownRuns(["0", "1"], [run("1")], many)).toHaveLength(listedMax);
  expect(new Set(shownRuns(["0", "1"], [run("1")], many)).size).toBe(listedMax);
});

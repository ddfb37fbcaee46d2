import { expect, test } from "vitest";
import { hunt, plantedBugs, seedsMax } from "./planted-bugs.ts";

/** Bugs that take ten seeds or more, with the first that finds them. If it does not any more, all are tried; `npm run sim` tells a new one. */
const likelySeeds: Readonly<Record<string, number>> = {
  "writes are kept without looking at the fence": 42,
  "an effect is intended without looking at the fence": 24,
  "a commit does not look at the fence": 31,
  "the newest job goes first": 10,
  "a free slot is not given on": 17,
  "resuming a paused run skips an iteration": 10,
  "an effect has another key in every attempt": 15,
  "what an entry writes is not undone with it": 14,
  "a hard limit forgets calls under way": 12,
  "what a failed iteration did not hear is lost": 140,
  "A5: a fault of the judge is thrown past the loop and kills the worker": 67,
  "A5: a fault of the judge fails the iteration": 67,
  "A5: a judge that cannot be asked says no": 67,
  "A5: a summary that cannot be had is thrown past the loop": 13,
  "a message is for the lane alone that heard it first": 38,
  "holds do not grow": 56,
  "a hold has no bound": 56,
};

test("there are enough bugs to believe the invariants, each with a name of its own", () => {
  expect(plantedBugs.length).toBeGreaterThanOrEqual(40);
  const names = new Set(plantedBugs.map(({ name }) => name));
  expect(names.size).toBe(plantedBugs.length);
  expect(Object.keys(likelySeeds).filter((name) => !names.has(name))).toEqual([]);
});

test(`every planted bug is found within ${seedsMax} seeds`, async () => {
  const hunted = [];
  for (const bug of plantedBugs) hunted.push(await hunt(bug, likelySeeds[bug.name]));
  const lines = hunted.map(({ bug, seed, foundBy }) => `${String(seed).padStart(4)}  ${bug}: ${foundBy ?? "SURVIVED"}`);
  process.stdout.write(`the seed that finds each planted bug:\n${lines.join("\n")}\n`);
  expect(hunted.filter(({ foundBy }) => foundBy === null).map(({ bug }) => bug)).toEqual([]);
});

import { expect, test } from "vitest";
import { hunt, plantedBugs, seedsMax } from "./planted-bugs.ts";

/** Bugs that take three seeds or more, with the first that finds them. If it does not any more, all are tried; `npm run sim` tells a new one. */
const likelySeeds: Readonly<Record<string, number>> = {
  "an entry is recorded without looking at the fence": 7,
  "writes are kept without looking at the fence": 17,
  "a call is reserved without looking at the fence": 16,
  "an answer is journaled without looking at the fence": 70,
  "an effect is intended without looking at the fence": 87,
  "an effect is ended without looking at the fence": 3,
  "a commit does not look at the fence": 20,
  "an old delivery may acknowledge": 3,
  "an old delivery may give signs of life": 7,
  "an old delivery may give a job back": 8,
  "jobs expire by the worker's clock": 3,
  "the newest job goes first": 10,
  "a call is locked before its run": 42,
  "a transaction that fails is committed as far as it got": 3,
  "what the user acted on stays unread": 9,
  "nobody is told of a question": 3,
  "a free slot is not given on": 5,
  "a run can be canceled after its end": 9,
  "a second answer is taken": 23,
  "resuming a paused run skips an iteration": 9,
  "a message is not counted": 6,
  "a fork begins with what the old run spent": 5,
  "intents of effects are forgotten, so they are repeated blindly": 23,
  "an effect has another key in every attempt": 3,
  "what goes on without us is started anew by every attempt": 3,
  "what went on without us and has ended is taken once more": 5,
  "what an entry writes is not undone with it": 12,
  "a call whose worker died costs nothing": 3,
  "a call that failed costs nothing": 3,
  "a call is settled twice": 3,
  "calls of the dead are not given up": 3,
  "a hard limit is not looked at": 12,
  "a hard limit forgets calls under way": 89,
  "money spent before a cancel is not settled after it": 3,
  "messages are heard and not marked": 4,
  "a message between two attempts is swallowed by the second": 18,
  "what a failed iteration did not hear is lost": 210,
  "A5: a fault of the judge is thrown past the loop and kills the worker": 46,
  "A5: a fault of the judge fails the iteration": 46,
  "A5: a judge that cannot be asked says no": 46,
  "A5: a summary that cannot be had is thrown past the loop": 13,
  "the judge's no is taken for a yes": 8,
  "a judge that misquotes is believed": 46,
  "B6: an answer that broke off counts as transient and is asked for again": 3,
  "B6: what an answer called for when it broke off is carried out": 3,
  "a request that failed for good is asked again by another attempt": 11,
  "a message that was heard is forgotten by another attempt": 10,
  "a message is for the lane alone that heard it first": 10,
  "messages are marked and not heard": 10,
  "a session under way does not listen": 9,
  "the user's words last one iteration": 4,
  "a run is completed over what the user has just said": 18,
  "holds do not grow": 40,
  "a hold has no bound": 12,
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

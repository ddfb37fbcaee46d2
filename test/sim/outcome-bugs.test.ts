import { expect, test } from "vitest";
import { outcomeBugs } from "./outcome-bugs.ts";
import { playOutcomes } from "./simulate-outcomes.ts";

/** A job goes to another worker only where the first one froze in the middle of its turn, which is seldom. */
const seedsMax = 120;

/** The first seed that finds it, where that is not one of the first. If it does not any more, all are tried. */
const likelySeeds: Readonly<Record<string, number>> = { "a job is done although another worker has it": 20 };

test.each(outcomeBugs.map((bug) => [bug.name, bug] as const))("is found: %s", async (_name, bug) => {
  const seeds = Array.from({ length: seedsMax }, (_, n) => n + 1);
  for (const seed of [likelySeeds[bug.name] ?? [], ...seeds].flat())
    if ((await playOutcomes(seed, { bug })).violation !== null) return;
  expect.fail(`${seedsMax} seeds did not find it`);
});

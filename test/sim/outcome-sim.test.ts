import { expect, test } from "vitest";
import { playOutcomes } from "./simulate-outcomes.ts";

// One seed with everything that happened: npm run sim -- --outcomes --seed 42; more of them: npm run sim -- --outcomes --minutes 10

const seeds = 10;

test(`${seeds} seeds of outcomes keep every invariant, and some of them are achieved`, async () => {
  let [observations, achieved] = [0, 0];
  for (let seed = 1; seed <= seeds; seed++) {
    const played = await playOutcomes(seed);
    expect(played.violation, `replay it: npm run sim -- --outcomes --seed ${seed}`).toBeNull();
    observations += played.observations;
    achieved += played.achieved;
  }
  expect(observations).toBeGreaterThan(seeds);
  expect(achieved).toBeGreaterThan(0);
});

test("the same seed plays the same outcomes, another one others", async () => {
  const hashes = async () => [(await playOutcomes(7)).hash, (await playOutcomes(8)).hash];
  const first = await hashes();
  expect(await hashes()).toEqual(first);
  expect(new Set(first).size).toBe(2);
});

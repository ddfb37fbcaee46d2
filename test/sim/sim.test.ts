import { expect, test } from "vitest";
import { faultClasses, noCounts } from "./faults.ts";
import { play } from "./simulate.ts";

// One seed with everything that happened: npm run sim -- --seed 42; more of them: npm run sim -- --minutes 10

const seeds = 80;

test(`${seeds} seeds keep every invariant, and every kind of fault happens`, async () => {
  const counts = noCounts();
  let iterations = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const outcome = await play(seed);
    expect(outcome.violation, `replay it: npm run sim -- --seed ${seed}`).toBeNull();
    for (const fault of faultClasses) counts[fault] += outcome.faults[fault];
    iterations += outcome.iterations;
  }
  expect(faultClasses.filter((fault) => counts[fault] < 3)).toEqual([]);
  expect(iterations).toBeGreaterThan(seeds * 5);
});

test("the same seed plays the same simulation, another one another", async () => {
  const hashes = async () => [(await play(7)).hash, (await play(8)).hash];
  const first = await hashes();
  expect(await hashes()).toEqual(first);
  expect(new Set(first).size).toBe(2);
});

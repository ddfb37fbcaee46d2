import { expect, test } from "vitest";
import { hunt, plantedBugs, seedsMax } from "./planted-bugs.ts";

test("there are enough bugs to believe the invariants, each with a name of its own", () => {
  expect(plantedBugs.length).toBeGreaterThanOrEqual(40);
  expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length);
});

test(`every planted bug is found within ${seedsMax} seeds`, async () => {
  const hunted = [];
  for (const bug of plantedBugs) hunted.push(await hunt(bug));
  const lines = hunted.map(
    ({ bug, seeds, foundBy }) => `${String(seeds).padStart(4)}  ${bug}: ${foundBy ?? "SURVIVED"}`,
  );
  process.stdout.write(`seeds needed for each planted bug:\n${lines.join("\n")}\n`);
  expect(hunted.filter(({ foundBy }) => foundBy === null).map(({ bug }) => bug)).toEqual([]);
});

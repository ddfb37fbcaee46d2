import { expect, test } from "vitest";
import { playGolden } from "./golden-run.ts";
import { plantedBugs } from "./planted-bugs.ts";
import { type SweepKind, sweep } from "./sweep.ts";

// Each boundary for every kind of fault, in minutes: npm run sim -- --sweep

const quiet = await playGolden();
const quietEnd = JSON.stringify(quiet.state);

async function check(kind: SweepKind, every: number, atLeast: { boundaries: number; kinds: number }): Promise<void> {
  const { boundaries, kinds, wrong } = await sweep(kind, quietEnd, every);
  process.stdout.write(`sweep: ${kind} at ${boundaries} boundaries of ${kinds} kinds (every ${every}.)\n`);
  expect(wrong.map(({ at, where, end }) => `${at}: ${where}: ${end.violation?.invariant ?? "another end"}`)).toEqual(
    [],
  );
  expect(boundaries).toBeGreaterThanOrEqual(atLeast.boundaries);
  expect(kinds).toBeGreaterThanOrEqual(atLeast.kinds);
}

test("the golden run is completed in its twelfth iteration", () => {
  expect(quiet.violation).toBeNull();
  expect(quiet.state).toMatchObject({ state: { status: "completed", iteration: 12 } });
});

test("a worker may die at every kind of boundary", () => check("crash", 8, { boundaries: 140, kinds: 60 }));
test("a worker may freeze past its lease at every kind of boundary", () =>
  check("freeze", 24, { boundaries: 90, kinds: 60 }));
test("the database may be away at every kind of boundary", () => check("away", 32, { boundaries: 75, kinds: 55 }));
test("every kind of acknowledgement may get lost", () =>
  check("lost_acknowledgement", 4, { boundaries: 75, kinds: 20 }));

test("the sweep would see a journal that is not read", async () => {
  const bug = plantedBugs.find(({ name }) => name === "the journal is not read by a second attempt");
  const { wrong } = await sweep("lost_acknowledgement", quietEnd, 16, bug);
  expect(wrong.length).toBeGreaterThan(10);
});

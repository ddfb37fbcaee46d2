import { expect, test } from "vitest";
import { playGolden } from "./golden-run.ts";
import { plantedBugs } from "./planted-bugs.ts";
import { type SweepKind, sweep } from "./sweep.ts";

const quiet = await playGolden();
const quietEnd = JSON.stringify(quiet.state);

async function check(kind: SweepKind, every: number, atLeast: number): Promise<void> {
  const { boundaries, wrong } = await sweep(kind, quietEnd, every);
  process.stdout.write(`sweep: ${kind} at ${boundaries} boundaries (every ${every}.)\n`);
  expect(wrong.map(({ at, where, end }) => `${at}: ${where}: ${end.violation?.invariant ?? "another end"}`)).toEqual(
    [],
  );
  expect(boundaries).toBeGreaterThan(atLeast);
}

test("the golden run is completed in its twelfth iteration", () => {
  expect(quiet.violation).toBeNull();
  expect(quiet.state).toMatchObject({ state: { status: "completed", iteration: 12 } });
});

test("a worker may die at every boundary", () => check("crash", 1, 400));
test("a worker may freeze past its lease at every third boundary", () => check("freeze", 3, 140));
test("the database may be away at every fourth boundary", () => check("away", 4, 100));
test("every acknowledgement may get lost", () => check("lost_acknowledgement", 1, 100));

test("the sweep would see a journal that is not read", async () => {
  const bug = plantedBugs.find(({ name }) => name === "the journal is not read by a second attempt");
  const { wrong } = await sweep("lost_acknowledgement", quietEnd, 2, bug);
  expect(wrong.length).toBeGreaterThan(10);
});

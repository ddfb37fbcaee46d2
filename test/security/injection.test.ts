import { describe, expect, test } from "vitest";
import { findViolations } from "../../src/store/run-invariants.ts";
import { attackWorld } from "./attack-world.ts";
import { allScenarios, playAll } from "./scenarios.ts";

const world = await attackWorld();
const plays = playAll(world, allScenarios);

const rows = allScenarios.map((scenario) => ({
  scenario,
  what: scenario.order.name,
  where: scenario.carrier.name,
  how: scenario.disguise,
}));

describe("a model that obeys every text is told to", () => {
  test.each(rows)("$what, $where, $how", { timeout: 120_000 }, async ({ scenario }) => {
    const played = await plays.get(scenario);
    expect(played?.breaches).toEqual([]);
    expect(played?.wasObeyed).toBe(true);
  });
});

test("and everything that must be true of runs is", async () => {
  expect(await findViolations(world.db, null)).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { findViolations } from "../../src/store/run/run-invariants.ts";
import { inShare } from "../helpers/shares.ts";
import { attackWorld } from "./attack-world.ts";
import { type Attack, attacks, disguiseOf, playAll } from "./scenarios.ts";

const world = await attackWorld();
const mine = inShare(attacks);
const plays = playAll(world, mine);

const rowsOf = (some: readonly Attack[]) =>
  some.flatMap((attack) =>
    attack.group.orders.map((order, n) => ({
      attack,
      order,
      what: order.name,
      where: attack.carrier.name,
      how: disguiseOf(attack, n),
    })),
  );
const rows = rowsOf(attacks);

test("there are hundreds of scenarios, and every order, carrier and disguise is in some", () => {
  expect(rows.length).toBeGreaterThan(250);
  const counted = [
    new Set(rows.map(({ what }) => what)),
    new Set(rows.map(({ where }) => where)),
    new Set(rows.map(({ how }) => how)),
  ];
  expect(counted.map(({ size }) => size)).toEqual([33, 17, 12]);
});

describe("a model that obeys every text is told to", () => {
  test.each(rowsOf(mine))("$what, $where, $how", async ({ attack, order }) => {
    const played = await plays.get(attack);
    expect(played?.breaches).toEqual([]);
    expect(played?.obeyed.has(order)).toBe(true);
  });
});

test("and everything that must be true of runs is", async () => {
  expect(await findViolations(world.db, null)).toEqual([]);
});

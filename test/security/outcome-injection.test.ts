import { describe, expect, test } from "vitest";
import { findViolations } from "../../src/store/run/run-invariants.ts";
import { outcomesIn } from "../helpers/outcome-world.ts";
import { inShare } from "../helpers/shares.ts";
import { attackWorld } from "./attack-world.ts";
import { orderGroups } from "./orders.ts";
import { outcomeCarriers } from "./outcome-carriers.ts";
import { type OutcomeAttack, OutcomePlays } from "./outcome-play.ts";
import { meet } from "./scenarios.ts";

const world = outcomesIn(await attackWorld());
const plays = new OutcomePlays(world);

const attacks: readonly OutcomeAttack[] = meet([orderGroups.trespass, orderGroups.send], outcomeCarriers).map(
  (attack, n) => ({ ...attack, code: `zq${String(n).padStart(3, "0")}` }),
);

/** A few at a time: each waits for the database and the models most of its time. */
const atOnce = 4;
const lines = Array.from({ length: atOnce }, () => Promise.resolve());
const played = inShare(attacks).map((attack, n) => {
  const playing = (lines[n % atOnce] ?? Promise.resolve()).then(() => plays.play(attack));
  lines[n % atOnce] = playing.then(
    () => {},
    () => {},
  );
  return { what: attack.group.name, how: attack.carrier.name, attack, playing };
});

describe("the output of a task orders the worker on another, who obeys every text, to", () => {
  test.each(played)("$what, $how", async ({ attack, playing }) => {
    const { breaches, obeyed, unfenced, told } = await playing;
    expect(breaches).toEqual([]);
    // It was told, and it tried.
    expect(obeyed).toEqual(new Set(attack.group.orders));
    expect(unfenced).not.toContain("see to matter");
    expect(unfenced).toContain("Errand");
    if (attack.carrier.reader !== "next task, in the document") expect(told).toContain("see to matter");
  });
});

test("and everything that must be true of runs is", async () => {
  await Promise.allSettled(played.map(({ playing }) => playing));
  expect(await findViolations(world.db, null)).toEqual([]);
});

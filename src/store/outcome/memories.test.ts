import { expect, test } from "vitest";
import { outcomeWorld } from "../../../test/helpers/outcome-world.ts";
import type { Outcome } from "../../domain/homr/outcome.ts";
import { realEnv } from "../../main/env.ts";
import { findMemories } from "./find-memories.ts";
import { keepMemories, weighMemories } from "./keep-memories.ts";

const world = await outcomeWorld();

async function makeOutcome(userId: Outcome["userId"]): Promise<Outcome> {
  const { outcome } = await world.read(await world.open(userId, [{}], { name: "Repair the bicycle" }));
  return outcome;
}

const learnt = (content: string) => ({
  ...{ id: realEnv.newId(), type: "lesson", importance: "high", content, confidence: 0.5 },
  ...{ isTainted: false, taskId: null },
});

const keep = (outcome: Outcome, content: string) =>
  world.db.asSystem((tx) => keepMemories(tx, outcome, [learnt(content) as Parameters<typeof keepMemories>[2][number]]));
const find = (outcome: Outcome) => world.db.asSystem((tx) => findMemories(tx, outcome));

test("what two outcomes have learnt is kept once, and believed a little more; the same outcome adds nothing by saying it again", async () => {
  const user = await world.makeUser();
  const [first, second] = [await makeOutcome(user), await makeOutcome(user)];
  await keep(first, "A bicycle needs air in both of its tyres");
  await keep(first, "a bicycle needs AIR in both of its tyres");
  expect((await find(first)).map(({ confidence }) => confidence)).toEqual([0.5]);
  await keep(second, "A bicycle needs air in both of its tyres");
  const found = await find(second);
  expect(found.map(({ content }) => content)).toEqual(["A bicycle needs air in both of its tyres"]);
  expect(found[0]?.confidence).toBeCloseTo(0.55, 5);
});

test("a memory that helped is believed more, one that did not less, and never more than wholly or less than not at all", async () => {
  const user = await world.makeUser();
  const outcome = await makeOutcome(user);
  await keep(outcome, "A bicycle needs air in both of its tyres");
  const confidenceAfter = async (hasHelped: boolean, times: number) => {
    const memoryIds = (await find(outcome)).map(({ id }) => id);
    for (let n = 0; n < times; n++)
      await world.db.asSystem((tx) => weighMemories(tx, outcome, { memoryIds, hasHelped }));
    return (await find(outcome))[0]?.confidence;
  };
  expect(await confidenceAfter(true, 1)).toBeCloseTo(0.55, 5);
  expect(await confidenceAfter(false, 1)).toBeCloseTo(0.45, 5);
  expect(await confidenceAfter(true, 20)).toBe(1);
  expect(await confidenceAfter(false, 20)).toBe(0);
});

test("memories of someone else are neither found nor weighed", async () => {
  const [mine, theirs] = [await makeOutcome(await world.makeUser()), await makeOutcome(await world.makeUser())];
  await keep(theirs, "A bicycle needs air in both of its tyres");
  expect(await find(mine)).toEqual([]);
  const memoryIds = (await find(theirs)).map(({ id }) => id);
  await world.db.asSystem((tx) => weighMemories(tx, mine, { memoryIds, hasHelped: true }));
  expect((await find(theirs))[0]?.confidence).toBe(0.5);
});

import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { scriptedEngine, untilIteration } from "../../test/helpers/scripted-engine.ts";

const world = await runWorld();
const user = await world.makeUser();

const writing = scriptedEngine(
  untilIteration(3, { notes: 2, calls: [{ costMicroUsd: 5, reservedMicroUsd: 9 }] }),
  async () => ({
    kind: "document",
    id: "none",
  }),
);

test("a run goes from the queue to completed, with events without gaps", async () => {
  const worker = world.work(writing);
  const { id } = await world.create(user);
  const run = await world.until(id, "completed");
  expect(run.state.iteration).toBe(3);
  expect(run.spent).toMatchObject({ costMicroUsd: 15, tokens: 45, toolCalls: 6 });
  const events = await world.events(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
  expect(events.at(-1)?.type).toBe("run_completed");
  await worker.close();
});

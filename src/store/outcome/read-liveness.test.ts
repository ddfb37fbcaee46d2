import { expect, test } from "vitest";
import { outcomeWorld } from "../../../test/helpers/outcome-world.ts";
import { readLiveness } from "./read-liveness.ts";

const world = await outcomeWorld();

test("time in which a run waited for a person is not time without progress", async () => {
  const id = await world.open(await world.makeUser(), [{ title: "Lay the tiles" }]);
  await world.start(id);
  const read = async () => (await world.db.asSystem((tx) => readLiveness(tx, id)))[0];
  const first = await read();
  expect(first?.progressAtMs).toBeNull();
  for (const [seq, type] of ["run_answered", "run_resumed", "run_paused"].entries())
    await world.admin.query(
      `insert into homework.homework_run_events (run_id, seq, type, event, created_at)
       values ($1, $2, $3, '{}', timestamptz '2030-03-17 17:00:00Z' + $4 * interval '1 hour')`,
      [first?.runId, 1_000 + seq, type, seq],
    );
  expect((await read())?.progressAtMs).toBe(Date.parse("2030-03-17T18:00:00Z"));
});

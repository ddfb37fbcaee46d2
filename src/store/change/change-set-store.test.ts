import { sql } from "kysely";
import { expect, test } from "vitest";
import { stage, stagingWorld } from "../../../test/helpers/staging-world.ts";
import { realEnv } from "../../main/env.ts";
import { countWrites, listWrites } from "./change-set-store.ts";

const world = await stagingWorld();
const { attempt, writes, decide, now, runId } = world;
const stageOne = async () => {
  await stage(await attempt(), "tool:0", "create_task", { title: "One" });
  return (await writes())[0]?.id ?? "";
};

test("a decision is taken once, and the same one again", async () => {
  const id = await stageOne();
  expect(await decide("approve", [id])).toEqual({ outcome: "decided" });
  expect(await decide("approve", [id])).toEqual({ outcome: "decided" });
  expect(await decide("reject", [id])).toEqual({ outcome: "decided_otherwise", id, state: "approved" });
  expect(await world.as(now.user, (tx) => countWrites(tx, runId()))).toEqual({ pending: 0, approved: 1, rejected: 0 });
});

test("a change that is not there cannot be decided on", async () => {
  const id = realEnv.newId();
  expect(await decide("approve", [id])).toEqual({ outcome: "missing", id });
});

test.for([
  ["changes", "'[{}]'"],
  ["args", "'{}'"],
  ["tool", "'bin_task'"],
  ["seed_key", "'another'"],
  ["state", "'applied', applied_at = now(), decided_at = now()"],
  ["state", "'drifted', decided_at = now()"],
] as const)("%s cannot become %s behind its user's back, whoever writes", async ([column, value]) => {
  await stageOne();
  const update = sql`update homework_run_changes set ${sql.raw(`${column} = ${value}`)} where run_id = ${runId()}`;
  await expect(update.execute(world.db.system)).rejects.toThrow(/does not (change|become)/);
});

test("nobody else sees what waits", async () => {
  await stageOne();
  const stranger = await world.makeUser();
  expect((await world.as(stranger, (tx) => listWrites(tx, runId(), { limit: 10 }))).items).toEqual([]);
});

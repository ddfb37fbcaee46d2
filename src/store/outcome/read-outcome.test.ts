import { sql } from "kysely";
import { expect, test } from "vitest";
import { ageOutcome } from "../../../test/helpers/age-outcome.ts";
import { outcomeWorld } from "../../../test/helpers/outcome-world.ts";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import { overMax } from "../../domain/homr/outcome-state.ts";
import { readOutcome } from "./read-outcome.ts";

const world = await outcomeWorld();
const user = await world.makeUser();

async function age(id: OutcomeId, tasks: number): Promise<void> {
  const client = await world.admin.connect();
  try {
    await ageOutcome(client, id, tasks);
  } finally {
    client.release();
  }
}

async function countRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0) as read
      from pg_stat_xact_user_tables where schemaname = 'homework'`.execute(tx);
  return Number(rows[0]?.read);
}

/** Rows that one reading looks at. The difference, because counts of earlier transactions may still be in it. */
const countRows = (id: OutcomeId) =>
  world.db.asSystem(async (tx) => {
    const before = await countRead(tx);
    await readOutcome(tx, id);
    return (await countRead(tx)) - before;
  });

test("of an outcome as much is read after 10,000 observations as after 1,000", async () => {
  const [young, old] = [
    await world.open(user, [{}, { dependsOn: [1] }]),
    await world.open(user, [{}, { dependsOn: [1] }]),
  ];
  await age(young, 1_000);
  await age(old, 10_000);
  await world.admin.query("analyze");
  const state = await world.read(old);
  expect(state.tasks).toHaveLength(2 + overMax);
  expect(state.history).toHaveLength(50);
  const read = await countRows(young);
  expect(read).toBeGreaterThan(70);
  expect(await countRows(old)).toBeLessThan(1.1 * read);
});

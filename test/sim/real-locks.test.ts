import { sql } from "kysely";
import { expect, test } from "vitest";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import type { Lease, ModelCall } from "../../src/runs/ports/run-store.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { runWorld } from "../helpers/run-world.ts";

// What the simulation found with its locks, once more with the database's: the waits in here are real.

const world = await runWorld();
const { db, store, queue } = world;
const user = await world.makeUser();
const limits = { maxConcurrentRuns: 100 };

async function takenRun(maxCostMicroUsd: number | null): Promise<Lease> {
  const { id } = await world.create(user, { budget: { ...defaultBudget, maxCostMicroUsd, isCostHard: true } });
  const [job] = await queue.fetch("iteration", 1);
  if (job === undefined) throw new Error("there is a job");
  const taken = await takeRun(store, { ...job, runId: id, iteration: 1 }, "test", limits);
  if (taken === null) throw new Error("it can be taken");
  return taken.lease;
}

const callOf = (key: string, reservedMicroUsd: number): ModelCall => ({
  callId: crypto.randomUUID(),
  key,
  role: "planner",
  model: "none",
  reservedMicroUsd,
});

/** Until so many sessions wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await world.admin.query(
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows[0]?.n;
    })
    .toBe(count);
}

test("settling a call and giving it up do not wait for each other in a circle", async () => {
  const lease = await takenRun(null);
  const call = callOf("plan", 10);
  await store.reserveCall(lease, call);
  const settling = await store.transaction(async (tx) => {
    await tx.lockRun(lease.runId);
    const settled = store.settleCall(
      lease,
      call,
      { costMicroUsd: 3, inputTokens: 1, cachedTokens: 0, writtenTokens: 0, outputTokens: 1, pricedBy: "table" },
      null,
    );
    await untilWaiting(1);
    await tx.giveUpCalls(lease.runId);
    return { settled };
  });
  await settling.settled;
  const { rows } = await sql<{ state: string; cost: string }>`
    select state, cost_micro_usd as cost from llm_usage_logs where call_id = ${call.callId}`.execute(db.system);
  expect(rows).toEqual([{ state: "unknown", cost: "10" }]);
});

test("of two calls at once that together cross a hard limit, one is refused", async () => {
  const lease = await takenRun(100);
  const both = await store.transaction(async (tx) => {
    await tx.lockRun(lease.runId);
    const reserving = [store.reserveCall(lease, callOf("a", 60)), store.reserveCall(lease, callOf("b", 60))];
    await untilWaiting(2);
    return { reserving };
  });
  expect((await Promise.all(both.reserving)).toSorted()).toEqual(["kept", "refused"]);
});

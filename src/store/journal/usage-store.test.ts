import { expect, test } from "vitest";
import { runWorld } from "../../../test/helpers/run-world.ts";
import { realEnv } from "../../main/env.ts";
import { usageByModel } from "./usage-store.ts";

const world = await runWorld();
const ada = await world.makeUser("Ada");
const bob = await world.makeUser("Bob");
const run = await world.create(ada);
const other = await world.create(ada);

type Call = {
  readonly runId?: string;
  readonly role?: string;
  readonly model?: string;
  readonly state?: "settled" | "unknown" | "reserved";
  readonly cost?: number;
  readonly tokens?: number;
  readonly pricedBy?: string | null;
};

async function pay({ runId = run.id, role = "planner", model = "m/one", state = "settled", ...rest }: Call) {
  const { cost = 10, tokens = 5, pricedBy = "table" } = rest;
  await world.admin.query(
    `insert into homework.llm_usage_logs (call_id, run_id, user_id, iteration, role, model, state, reserved_micro_usd,
       cost_micro_usd, input_tokens, cached_tokens, output_tokens, settled_at, priced_by)
     values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9::int, greatest($9::int - 1, 0), $9::int, case when $6 <> 'reserved' then now() end, $10)`,
    [realEnv.newId(), runId, ada, role, model, state, state === "reserved" ? 99 : cost, cost, tokens, pricedBy],
  );
}

await pay({ cost: 10 });
await pay({ cost: 15 });
await pay({ cost: 400, state: "unknown", tokens: 0, pricedBy: "reservation" });
await pay({ role: "summary", model: "m/two", cost: 0, pricedBy: "unpriced" });
await pay({ state: "reserved", cost: 0, tokens: 0, pricedBy: null });
await pay({ runId: other.id, cost: 7_000 });

test("adds up by role, model and how the price is known; what is under way and other runs are left out", async () => {
  const uses = await world.as(ada, (tx) => usageByModel(tx, run.id));
  expect(uses).toEqual([
    {
      role: "planner",
      model: "m/one",
      pricedBy: "reservation",
      calls: 1,
      inputTokens: 0,
      cachedTokens: 0,
      outputTokens: 0,
      costMicroUsd: 400,
    },
    {
      role: "planner",
      model: "m/one",
      pricedBy: "table",
      calls: 2,
      inputTokens: 10,
      cachedTokens: 8,
      outputTokens: 10,
      costMicroUsd: 25,
    },
    {
      role: "summary",
      model: "m/two",
      pricedBy: "unpriced",
      calls: 1,
      inputTokens: 5,
      cachedTokens: 4,
      outputTokens: 5,
      costMicroUsd: 0,
    },
  ]);
});

test("nobody sees what another's run has used", async () => {
  expect(await world.as(bob, (tx) => usageByModel(tx, run.id))).toEqual([]);
});

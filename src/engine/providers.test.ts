// The same run with each provider, faults on the way: what our books say is what the provider's own say.

import { expect, test } from "vitest";
import { z } from "zod";
import { objective, repairedRun } from "../../test/helpers/planner-scenario.ts";
import { plannerWorld } from "../../test/helpers/planner-world.ts";
import { type RoleRequest, type RoleScript, toReply } from "../../test/helpers/role-script.ts";
import { players } from "../../test/lab/lab-models.ts";
import type { LabReply } from "../../test/lab/lab-protocol.ts";
import type { LabEntry } from "../../test/lab/ledger.ts";
import { planCheck } from "../domain/run/adopt.ts";
import { realEnv } from "../main/env.ts";
import { findViolations } from "../store/run-invariants.ts";

const world = await plannerWorld();
const user = await world.makeUser();

/** The pauses between tries take a tenth of their time; what a provider asks for takes all of it. */
const hastyEnv = {
  ...realEnv,
  sleep: (ms: number, signal?: AbortSignal) => realEnv.sleep(Math.ceil(ms / 10), signal),
};

/** Of each moment, the first answer. */
const faults: readonly { readonly at: string; readonly fault: (answer: LabReply) => LabReply }[] = [
  { at: "planner 1.0", fault: () => ({ status: 500 }) },
  { at: "executor 0.2", fault: (answer) => ({ ...answer, cut: 3 }) },
  { at: "planner 2.0", fault: () => ({ status: 429, headers: { "retry-after": "1" } }) },
];

const momentOf = ({ role, iteration, turn }: RoleRequest) => `${role} ${iteration}.${turn}`;

/** Every answer has figures of its own, so that none can be taken for another. */
function withFigures(script: RoleScript, isFaulty: boolean): RoleScript {
  const open = new Map(isFaulty ? faults.map(({ at, fault }) => [at, fault]) : []);
  let at = 0;
  return (asked) => {
    at += 1;
    const answer = {
      ...toReply(script(asked), asked),
      usage: { input: 1_000 + at, output: 100 + 7 * at, cacheRead: 10 * at },
    };
    const fault = open.get(momentOf(asked));
    open.delete(momentOf(asked));
    return fault?.(answer) ?? answer;
  };
}

const whole = z.coerce.number();
const callRow = z.object({
  state: z.string(),
  priced_by: z.string(),
  input: whole,
  output: whole,
  cost: whole,
  reserved: whole,
});
type CallRow = z.output<typeof callRow>;
const totals = z.object({ cost: whole, tokens: whole });
const runRow = totals.extend({ unpriced: whole, report: totals, told: totals, events: whole });

async function booksOf(runId: string) {
  const calls = await world.admin.query(
    `select state, priced_by, input_tokens as input, output_tokens as output, cost_micro_usd as cost,
            reserved_micro_usd as reserved
       from homework.llm_usage_logs where run_id = $1 order by created_at, call_id`,
    [runId],
  );
  const run = await world.admin.query(
    `select cost_micro_usd as cost, tokens, unpriced_calls as unpriced,
            json_build_object('cost', report->'metrics'->'total_cost_micro_usd',
                              'tokens', report->'metrics'->'total_tokens') as report,
            (select json_build_object('cost', sum((event->>'cost_micro_usd')::bigint), 'tokens', sum((event->>'tokens')::bigint))
               from homework.homework_run_events where run_id = r.id and type = 'iteration_cost_update') as told,
            (select count(*) from homework.homework_run_events where run_id = r.id and type = 'iteration_cost_update') as events
       from homework.homework_runs r where id = $1`,
    [runId],
  );
  return { calls: z.array(callRow).parse(calls.rows), run: runRow.parse(run.rows[0]) };
}

async function play(model: string, isFaulty: boolean) {
  const from = world.lab.ledger.entries.length;
  world.script(withFigures(repairedRun, isFaulty));
  const { id } = await world.create(user, { objective, checks: [planCheck], deliverables: [] });
  const { engine, prover } = world.enginesFor(model, hastyEnv);
  const worker = world.work(engine, { prover });
  const run = await world.until(id, "completed", "stopped", "failed");
  await worker.close();
  const { calls, run: totals } = await booksOf(id);
  return { status: run.state.status, entries: world.lab.ledger.entries.slice(from), calls, totals };
}

/** What a row of our ledger has to be, from the provider's line about the same call. */
function expectedOf(
  entry: LabEntry,
  row: CallRow | undefined,
  pricedBy: string,
  lostPricedBy: string,
): Partial<CallRow> {
  if (entry.state === "refused") return { state: "settled", priced_by: "free", input: 0, output: 0, cost: 0 };
  if (entry.state === "lost")
    return { state: "unknown", priced_by: lostPricedBy, input: 0, output: 0, cost: row?.reserved ?? -1 };
  const { inputTokens: input, outputTokens: output, costMicroUsd: cost } = entry;
  return { state: "settled", priced_by: pricedBy, input, output, cost };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const tellTheirCost = ["openrouter", "openai-compatible"];

test.each(players.map(({ id }) => id))(
  "%s: the run completes, and every micro-dollar is the provider's",
  async (id) => {
    const { status, entries, calls, totals } = await play(id, true);
    expect(status).toBe("completed");
    expect(entries.map(({ state }) => state).filter((state) => state !== "answered")).toEqual([
      "refused",
      "lost",
      "refused",
    ]);
    const pricedBy = tellTheirCost.includes(id.split("/")[0] ?? "") ? "provider" : "table";
    // Nobody knows the prices of somebody's own server before it tells them.
    const isReserved = !id.startsWith("openai-compatible");
    const lostPricedBy = isReserved ? "reservation" : "unpriced";
    expect(calls).toMatchObject(entries.map((entry, n) => expectedOf(entry, calls[n], pricedBy, lostPricedBy)));
    const answered = entries.filter(({ state }) => state === "answered");
    const lost = calls.filter(({ state }) => state === "unknown");
    const lostCost = sum(entries.filter(({ state }) => state === "lost").map(({ costMicroUsd }) => costMicroUsd));
    expect(sum(lost.map(({ reserved }) => reserved)) > lostCost).toBe(isReserved);
    const due = {
      cost: sum(answered.map(({ costMicroUsd }) => costMicroUsd)) + sum(lost.map(({ reserved }) => reserved)),
      tokens: sum(answered.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)),
    };
    expect(totals).toEqual({ ...due, unpriced: isReserved ? 0 : 1, report: due, told: due, events: entries.length });
    expect(await findViolations(world.db, 3)).toEqual([]);
  },
);

test("a model without a price is unpriced, and the run is marked as having such calls", async () => {
  const { status, entries, calls, totals } = await play("openai/gpt-nobody-knows", false);
  expect(status).toBe("completed");
  expect(new Set(calls.map(({ priced_by: by, cost }) => `${by} ${cost}`))).toEqual(new Set(["unpriced 0"]));
  const tokens = sum(entries.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens));
  expect(totals).toMatchObject({ cost: 0, tokens, unpriced: calls.length });
  expect(calls.length).toBe(entries.length);
});

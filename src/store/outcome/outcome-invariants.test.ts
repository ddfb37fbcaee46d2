import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeClaim } from "../../../test/helpers/make-run.ts";
import { contentScript, fine, type HomrScript, outcomeWorld } from "../../../test/helpers/outcome-world.ts";
import { scriptedEngine } from "../../../test/helpers/scripted-engine.ts";
import type { Tx } from "../../db/database.ts";
import { isOpenEscalation } from "../../domain/homr/questions/escalation.ts";
import { findOutcomeViolations } from "./outcome-invariants.ts";

const world = await outcomeWorld();
const user = await world.makeUser();
const program = readFileSync("src/store/outcome/outcome-invariants.sql", "utf8");

const engine = scriptedEngine<Tx>(
  () => ({ calls: [{ costMicroUsd: 7, reservedMicroUsd: 20 }], notes: 1, ends: { claim: makeClaim() } }),
  async () => ({ kind: "document", id: "none" }),
);

const doubt = {
  ...fine,
  ambiguity: {
    type: "blocking_decision",
    description: "It is not clear which form is meant",
    evidence: ["which form?"],
    affectedTasks: [2],
    suggestedQuestion: "Which form?",
    options: ["plain", "rich"].map((id) => ({ id, label: id, description: "", implications: "" })),
  },
};

/** Task 1 is done, task 2 is asked about, task 3 waits for it. */
async function halfDone() {
  const id = await world.open(user, [{}, { dependsOn: [1] }, { dependsOn: [2] }]);
  const script: HomrScript = (request) => {
    if (request.kind === "escalation")
      return { question: "Which form?", options: doubt.ambiguity.options, recommended: null };
    return request.kind === "observer" ? doubt : contentScript(request);
  };
  const worker = world.workOn(engine, script);
  await world.start(id);
  const state = await world.untilOutcome(id, ({ escalations }) => escalations.some(isOpenEscalation));
  await worker.close();
  return state;
}

const half = await halfDone();

test("an outcome with a question that is open leaves nothing wrong behind", async () => {
  expect(half.tasks.map(({ status }) => status)).toEqual(["completed", "paused", "pending"]);
  expect(await findOutcomeViolations(world.db)).toEqual([]);
});

const wrong: readonly (readonly [string, string])[] = [
  ["one_observation_per_attempt", "delete from homr_observations"],
  ["one_observation_per_attempt", "update outcome_task_attempts set is_observed = false"],
  ["paused_while_asked", "update outcome_tasks set status = 'pending' where status = 'paused'"],
  ["paused_while_asked", "update homr_escalations set status = 'dismissed', answered_at = now()"],
  ["running_task_has_a_run", "update outcome_tasks set status = 'running' where status = 'pending'"],
  ["every_end_is_told", "update outcome_task_attempts set state = 'running', ended_at = null, is_observed = null"],
  ["attempts_without_gaps", "update outcome_tasks set attempts = 2 where status = 'completed'"],
  [
    "steering_within_limit",
    "insert into homr_activity_log (outcome_id, seq, type, cause, summary) select v.outcome_id, 100 + n, 'steering', jsonb_build_object('kind', 'drift', 'observationId', v.id), 'x' from homr_observations v, generate_series(1, 6) as n",
  ],
  ["money_is_the_ledger", "update outcomes set cost_micro_usd = cost_micro_usd + 1"],
  ["money_is_the_ledger", "update outcome_task_attempts set cost_micro_usd = 0"],
  ["money_is_the_ledger", "update homr_turns set tokens = tokens + 1"],
  ["numbers_without_gaps", "update outcomes set last_seq = last_seq + 1"],
  ["numbers_without_gaps", "delete from outcome_events where seq = 1"],
];

test.each(wrong)("%s is found broken after: %s", async (invariant, statement) => {
  const client = await world.admin.connect();
  try {
    await client.query("begin");
    await client.query("set local search_path = homework");
    await client.query(statement);
    const { rows } = await client.query<{ invariant: string }>(program);
    expect(rows.map((row) => row.invariant)).toContain(invariant);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

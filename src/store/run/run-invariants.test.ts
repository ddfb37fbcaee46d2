import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeQuestion } from "../../../test/helpers/make-run.ts";
import { runWorld } from "../../../test/helpers/run-world.ts";
import { scriptedEngine, untilIteration } from "../../../test/helpers/scripted-engine.ts";
import type { Tx } from "../../db/database.ts";
import { cancel, pause, respond, rest, resume, steer } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";
import { realEnv } from "../../main/env.ts";
import { createEntity } from "../entity/entity-store.ts";
import { findViolations } from "./run-invariants.ts";

const world = await runWorld();
const user = await world.makeUser();
const project = await world.makeProject(user);
const limit = 3;
const program = readFileSync("src/store/run/run-invariants.sql", "utf8");

/** Asks once, holds once, writes and pays in every iteration, ends with its fifth. */
const engine = scriptedEngine<Tx>(
  (input) => {
    const { run, attempt, messages } = input;
    const { iteration } = run.state;
    const each = { notes: 1, calls: [{ costMicroUsd: 7, reservedMicroUsd: 20 }], writes: [`page ${iteration}`] };
    if (iteration === 2 && messages.length === 0 && run.unreadMessages === 0)
      return { ...each, ends: { questions: [makeQuestion()] } };
    if (iteration === 4 && attempt === 1)
      return { ends: { kind: "held", fault: { kind: "hold", untilMs: 0, why: "busy" } } };
    return untilIteration(5, each)(input);
  },
  async (tx, { run }, title) => {
    const id = realEnv.newId();
    await createEntity(tx, "document", { id, projectId: project, by: run.userId }, { title });
    return { kind: "document", id };
  },
);

async function finished(): Promise<Run> {
  const { id } = await world.create(user, { scope: { kind: "project", projectId: project } });
  const worker = world.work(engine);
  const waiting = await world.until(id, "waiting_on_user");
  await world.command(waiting, (run) => respond(run, [{ questionId: "question_1", text: "this" }]));
  const run = await world.until(id, "completed", "stopped", "failed");
  await worker.close();
  return run;
}

const done = await finished();

test("a run with a question, a hold and writes leaves nothing wrong behind", async () => {
  expect(done.state.status).toBe("completed");
  expect(await findViolations(world.db, limit)).toEqual([]);
});

test("commands leave nothing wrong behind", async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, () => world.create(user)));
  expect(await findViolations(world.db, limit)).toEqual([]);
  const [first, second, third, fourth] = runs as [Run, Run, Run, Run];
  await world.command(first, (run) => steer(run, "more"));
  await world.command(first, pause);
  await world.command(first, (run) => resume(run, {}));
  await world.command(second, cancel);
  await world.command(third, pause);
  await world.command(fourth, (run) => rest(run, "You may no longer write there"));
  expect(await findViolations(world.db, limit)).toEqual([]);
  for (const run of runs) await world.command(run, cancel);
  expect(await findViolations(world.db, limit)).toEqual([]);
});

test.each<[string, string]>([
  ["one_open_job", "update homework_runs set status = 'running', has_slot = true, proofs = null, ended_at = null"],
  ["events_without_gaps", "delete from homework_run_events where seq = 3 and run_id"],
  ["status_is_what_events_say", "update homework_run_events set type = 'x' where type = 'run_completed' and run_id"],
  ["iterations_without_gaps", "delete from homework_run_iterations where iteration = 2 and run_id"],
  [
    "one_iteration_at_a_time",
    "update homework_run_iterations set status = 'running', ended_at = null, decision = null where iteration = 2 and run_id",
  ],
  ["iterations_within_budget", "update homework_runs set budgets = budgets || '{\"maxIterations\": 2}'"],
  ["money_is_the_ledger", "update homework_runs set cost_micro_usd = cost_micro_usd + 1"],
  ["hard_limit_holds", 'update homework_runs set budgets = budgets || \'{"isCostHard": true, "maxCostMicroUsd": 1}\''],
  ["iterations_add_up", "update homework_runs set running_ms = 0"],
  ["tool_calls_are_the_journal", "update homework_runs set tool_calls = tool_calls - 1"],
  ["fence_is_newest", "update homework_runs set fence = 0"],
  ["nothing_after_the_end", "update journal_entries set began_at = now() + interval '1 hour' where run_id"],
  ["one_notification_per_move", "delete from user_notifications where run_id"],
  ["told_is_in_the_feed", "update user_notifications set created_at = created_at - interval '1 second' where run_id"],
  ["completed_with_proofs", "update homework_run_checks set proof = null where run_id"],
  ["report_when_ended", "update homework_runs set report = null"],
  ["writes_within_scope", "update homework_runs set project_ids = array[gen_random_uuid()]"],
  ["nothing_without_a_run", "delete from homework_runs"],
  ["messages_are_read_once", "update homework_run_messages set consumed_iteration = null where run_id"],
])("%s is noticed", async (invariant, sql) => {
  const client = await world.admin.connect();
  try {
    await client.query("begin; set local search_path = homework; set local session_replication_role = replica");
    await client.query(`${sql}${sql.endsWith("run_id") ? "" : " where id"} = '${done.id}'`);
    const { rows } = await client.query<{ invariant: string }>(program, [limit]);
    expect(rows.map((row) => row.invariant)).toContain(invariant);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { planCheck } from "../domain/run/adopt.ts";
import { fork, respond } from "../domain/run/commands.ts";
import type { RunId } from "../domain/run/run.ts";
import { realEnv } from "../main/env.ts";
import { createRun } from "../runs/create-run.ts";
import { findViolations } from "../store/run-invariants.ts";
import { storeProver } from "./prove.ts";
import { rehearsalEngine } from "./rehearsal-engine.ts";

const world = await runWorld();
const user = await world.makeUser();
const objective = "Find a date for the repair café; ask the volunteers, book the room";

test.each(["global", "project"] as const)(
  "a rehearsal over scope %s completes with proofs from the store",
  async (kind) => {
    const project = await world.makeProject(user);
    const scope = kind === "global" ? { kind } : { kind, projectId: project };
    const { id } = await world.create(user, { objective, scope, checks: [planCheck], deliverables: [] });
    const worker = world.work(rehearsalEngine(realEnv.newId), { prover: storeProver(world.db) });
    const run = await world.until(id, "completed", "stopped", "failed");
    await worker.close();
    expect(run.state).toMatchObject({ status: "completed", iteration: 3 });
    expect(run.checks.map(({ id: check }) => check)).toEqual(["plan_complete", "page-has-its-sections"]);
    expect(run.lastProofs.filter(({ isGreen, artifacts }) => !isGreen || artifacts.length === 0)).toEqual([]);
    expect(await findViolations(world.db, 3)).toEqual([]);
  },
);

test("unless it may do as it likes, it asks before it writes, and writes what was allowed", async () => {
  const permission = { writeMode: "per_write", allowedTools: null } as const;
  const { id } = await world.create(user, { objective, permission, checks: [planCheck], deliverables: [] });
  const worker = world.work(rehearsalEngine(realEnv.newId), { prover: storeProver(world.db) });
  const waiting = await world.until(id, "waiting_on_user", "completed");
  const { rows } = await world.admin.query("select from homework.onto_changes where run_id = $1", [id]);
  expect([waiting.state.status, rows.length]).toEqual(["waiting_on_user", 0]);
  await world.command(waiting, (run) => respond(run, [{ questionId: "may-write", text: "yes" }]));
  const run = await world.until(id, "completed", "stopped");
  await worker.close();
  expect(run.state.status).toBe("completed");
});

test("a fork goes on with the page it was forked from", async () => {
  const worker = world.work(rehearsalEngine(realEnv.newId), { prover: storeProver(world.db) });
  const { id } = await world.create(user, { objective, checks: [planCheck], deliverables: [] });
  const old = await world.until(id, "completed");
  const after2 = {
    ...old.plan,
    steps: old.plan.steps.map((step, n) => (n < 2 ? step : { ...step, status: "pending" as const, evidence: [] })),
  };
  const forked = fork(old, realEnv.newId() as RunId, { iteration: 2, plan: after2 }, {});
  await world.store.transaction((tx) => createRun(tx, forked, { maxConcurrentRuns: 3 }));
  const run = await world.until(forked.id, "completed", "stopped");
  await worker.close();
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(run.plan.steps[2]?.evidence).toEqual(old.plan.steps[0]?.evidence);
});

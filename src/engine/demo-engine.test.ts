import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { planCheck } from "../domain/run/adopt.ts";
import { respond } from "../domain/run/commands.ts";
import type { Run } from "../domain/run/run.ts";
import { demoCall } from "../llm/demo/demo-model.ts";
import { type ModelRole, modelRoles } from "../llm/model.ts";
import { demoRef } from "../llm/model-id.ts";
import { createModels } from "../llm/models.ts";
import { realEnv } from "../main/env.ts";
import { decideWrites, listWrites } from "../store/change-set-store.ts";
import { findViolations } from "../store/run-invariants.ts";
import { builtInTools } from "../tools/built-in.ts";
import { makeRegistry } from "../tools/registry.ts";
import { judge } from "./judge.ts";
import { plannerEngine } from "./planner/planner-engine.ts";
import { storeProver } from "./prove.ts";

const world = await runWorld();
const user = await world.makeUser();
const models = createModels({
  chains: Object.fromEntries(modelRoles.map((role) => [role, [demoRef]])) as Record<ModelRole, [typeof demoRef]>,
  providers: new Map(),
  env: realEnv,
  fetch,
  demo: demoCall,
});
const deps = { db: world.db, models, registry: makeRegistry(builtInTools), env: realEnv };
const engine = plannerEngine(deps);
const prover = storeProver(world.db, {
  judge: (run, check, artifacts, journal) => judge(deps, run, check, artifacts, journal),
});
const objective = "Plan the launch of a neighbourhood repair café";

type Answer = "approve" | "reject";
/** More questions than a run of the demo model asks. */
const answersMax = 12;

async function play(over: Partial<Run>, answer: Answer = "approve"): Promise<Run> {
  let run = await world.create(user, { objective, checks: [planCheck], deliverables: [], ...over });
  const worker = world.work(engine, { prover });
  for (let n = 0; n <= answersMax; n++) {
    run = await world.until(run.id, "completed", "stopped", "failed", "waiting_on_user");
    if (run.state.status !== "waiting_on_user") break;
    const answers = run.state.questions.map(({ id }) => ({ questionId: id, text: answer }));
    await decideAll(run, answer);
    await world.command(run, (now) => respond(now, answers));
  }
  await worker.close();
  return run;
}

async function decideAll(run: Run, decision: Answer): Promise<void> {
  const { items } = await world.as(user, (tx) => listWrites(tx, run.id, { limit: 200, state: "pending" }));
  const decisions = items.map(({ id }) => ({ id, decision, note: "" }));
  if (decisions.length > 0) await world.db.asSystem((tx) => decideWrites(tx, run.id, decisions, user));
}

async function madeBy(run: Run): Promise<Readonly<Record<string, number>>> {
  const { rows } = await world.admin.query(
    "select kind, count(distinct entity_id)::int as many from homework.onto_changes where run_id = $1 group by 1",
    [run.id],
  );
  return Object.fromEntries(rows.map(({ kind, many }) => [kind, many]));
}

async function titlesOf(run: Run): Promise<readonly string[]> {
  const { rows } = await world.admin.query(
    `select distinct kind || ' ' || title as thing from homework.onto_changes
      where run_id = $1 and kind <> 'edge' and title <> 'Homework workspace' order by 1`,
    [run.id],
  );
  return rows.map(({ thing }) => thing);
}

test("the demo model takes a run to its end on a real database, twice alike", async () => {
  const run = await play({});
  expect(run.state).toMatchObject({ status: "completed", iteration: 5 });
  expect(await madeBy(run)).toMatchObject({ task: 8, goal: 1 });
  const { rows } = await world.admin.query("select report from homework.homework_runs where id = $1", [run.id]);
  expect(rows[0].report.summary).toContain("The platform ran five checks, and all of them are green.");
  expect(await titlesOf(await play({}))).toEqual(await titlesOf(run));
  expect(await findViolations(world.db, 3)).toEqual([]);
});

test.each(["approve_plan", "per_write"] as const)("with %s as well, once everything is approved", async (writeMode) => {
  const run = await play({ permission: { writeMode, allowedTools: null } });
  expect(run.state).toMatchObject({ status: "completed" });
  expect(await madeBy(run)).toMatchObject({ task: 8 });
});

test("what is rejected is not written, and it asks what to do instead", async () => {
  const run = await play({ permission: { writeMode: "per_write", allowedTools: null } }, "reject");
  expect(run.state.status).toBe("stopped");
  expect(run.plan.steps.slice(0, 4).map(({ status }) => status)).toEqual(Array(4).fill("dropped"));
  expect(await madeBy(run)).toEqual({});
});

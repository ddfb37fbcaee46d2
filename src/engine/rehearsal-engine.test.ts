import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { planCheck } from "../domain/run/adopt.ts";
import { realEnv } from "../main/env.ts";
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

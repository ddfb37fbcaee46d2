// Accepts a run: written down with its first event, and given a slot at once or its place in line.

import { append } from "../domain/run/effects.ts";
import type { Run } from "../domain/run/run.ts";
import { assert } from "../lib/assert.ts";
import { carryOut, type Limits } from "./carry-out.ts";
import type { RunTx } from "./ports/run-store.ts";

/** `run` is in line (`queued`, without a slot). The answer says whether it got one. */
export async function createRun(tx: RunTx, run: Run, limits: Limits): Promise<Run> {
  await tx.lockUser(run.userId);
  await tx.insertRun(run);
  const { objective, budget, checks, guidance } = run;
  const about = { objective, max_iterations: budget.maxIterations, checks: checks.length, why: guidance?.why ?? null };
  const created = append({ type: "run_created", ...about });
  await carryOut(tx, run, { run, effects: [created, { kind: "admit_next" }] }, limits);
  const made = await tx.lockRun(run.id);
  assert(made !== null, "a run that was just inserted is there");
  return made.run;
}

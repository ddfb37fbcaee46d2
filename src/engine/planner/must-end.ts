// When a session of a run, the planner's or an executor's, is asked to come to its end: a budget is reached, or the iteration has
// taken its time. Journaled where it is said, so that another attempt hears it at the same place.

import { reachedLimit } from "../../domain/run/budget.ts";
import { platformLane } from "../../runs/ports/run-store.ts";
import { readSpent } from "../../store/planner-store.ts";
import type { Iteration } from "./iteration.ts";

/** Of one iteration; then its sessions are asked to end. The loop's own bound is 20 minutes with the answers that follow. */
const sessionMs = 15 * 60_000;

/** `prefix`: of the session's keys. An answer that is journaled was given knowing no more than what is journaled. */
export async function mustEnd(it: Iteration, prefix: string, step: number): Promise<string | null> {
  const entry = { key: `${prefix}note:${step}`, lane: platformLane, tool: null, args: null };
  const known = it.journal.recall<string>(entry.key);
  if (known !== null || it.journal.has(`${prefix}llm:${step}`)) return known?.result ?? null;
  const why = await findReason(it);
  if (why === null) return null;
  const work = async () => ({ result: why, summary: why, artifacts: [], isBookkeeping: true as const });
  return it.journal.once(entry, work);
}

async function findReason({ db, run, env, beganMs }: Iteration): Promise<string | null> {
  const tookMs = env.now() - beganMs;
  if (tookMs > sessionMs) return `This iteration has taken ${Math.round(tookMs / 60_000)} minutes`;
  const spent = await db.asUser({ userId: run.userId }, (tx) => readSpent(tx, run.id));
  const now = { ...spent, runningMs: run.spent.runningMs + tookMs };
  // How many iterations there may be is no reason to end this one.
  const reached = reachedLimit(run.budget, now, 0);
  return reached === null ? null : reached.detail;
}

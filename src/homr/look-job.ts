// Looks at an outcome without asking any model: deadlines that have passed, workers that seem stuck, tasks that may begin.

import { advanceOutcome } from "../domain/homr/advance-outcome.ts";
import { passDeadlines } from "../domain/homr/questions/resolve.ts";
import { followedBy } from "../domain/homr/state-changes.ts";
import { supervise } from "../domain/homr/tasks/supervise.ts";
import { carryOut } from "../outcomes/carry-out.ts";
import type { HomrJob } from "../outcomes/ports/outcome-store.ts";
import { type HomrDeps, worldOf } from "./homr-deps.ts";
import type { EndedTurn } from "./turn.ts";

export async function lookJob<Writes>(deps: HomrDeps<Writes>, job: HomrJob): Promise<EndedTurn> {
  const liveness = await deps.readLiveness(job.outcomeId);
  return deps.outcomes.transaction(async (tx) => {
    const before = await tx.lockOutcome(job.outcomeId);
    if (!(await tx.acknowledge(job))) return "lost";
    if (before === null) return "gone";
    const world = worldOf(deps);
    const passed = passDeadlines(before, world);
    const watched = followedBy(passed, (state) => supervise(state, liveness, world));
    const move = followedBy(watched, (state) => advanceOutcome(state, world));
    await carryOut(tx, before, move, deps.limits);
    return "done";
  });
}

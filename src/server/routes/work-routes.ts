// The work of agents: looking at it, merging its branch, discarding it. A run that is at work keeps its branch; whatever keeps a branch
// from being settled is told, and nothing is done then.

import { asPlatform, type Tx } from "../../db/database.ts";
import { workRecord } from "../../domain/agent/work.ts";
import type { Actor } from "../../domain/identity/identity.ts";
import { nameObjective } from "../../domain/run/report/notification.ts";
import type { RunId } from "../../domain/run/run.ts";
import { routes } from "../../protocol/api.ts";
import { findWork, readWorkDiff, settleWork } from "../../store/agent/work-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { findRunView } from "../../store/run-view/run-view-store.ts";
import { mountUser } from "../mount.ts";
import type { RunBranch } from "../ports/agents.ts";
import { foundOrThrow } from "../wire.ts";
import type { RunDeps } from "./run-routes.ts";

const recordOf = workRecord.nullable();

export function mountWorkRoutes(deps: RunDeps): void {
  mountUser(deps, routes.runs.work, async ({ tx, params }) => {
    const { run } = foundOrThrow(await findRunView(tx, params.runId), "run");
    const work = await findWork(tx, run.id);
    if (work === null) return { work: null };
    const { host, repository, branch, state } = work;
    const record = recordOf.parse(work.record);
    const place = deps.agents.findPlace({ runId: run.id, userId: run.userId, host });
    const agentTask = place && { project_id: place.projectId, task_id: place.taskId };
    const diff = await readWorkDiff(tx, run.id);
    return { work: { host, repository, branch, state, record, diff, agent_task: agentTask } };
  });

  mountUser(deps, routes.runs.merge, async ({ tx, actor, params }) => {
    const found = await findBranch(tx, params.runId);
    if ("kind" in found) return found;
    const { branch, objective } = found;
    const outcome = await deps.agents.merge(branch, `Merge ${branch.branch}: ${nameObjective(objective)}`);
    if (outcome.kind === "merged") await settle(tx, actor, branch, "merged");
    return outcome.kind === "conflicts" ? { ...outcome, files: [...outcome.files] } : outcome;
  });

  mountUser(deps, routes.runs.discard, async ({ tx, actor, params }) => {
    const found = await findBranch(tx, params.runId);
    if ("kind" in found) return found;
    const outcome = await deps.agents.discard(found.branch);
    if (outcome.kind === "discarded") await settle(tx, actor, found.branch, "discarded");
    return outcome;
  });
}

const inTheWay = (why: string) => ({ kind: "in_the_way", why }) as const;

async function findBranch(tx: Tx, runId: string) {
  const { run } = foundOrThrow(await findRunView(tx, runId), "run");
  const { status } = run.state;
  if (status === "queued" || status === "running") return inTheWay("The run is at work: pause or cancel it first.");
  const work = await findWork(tx, run.id);
  if (work === null) return inTheWay("No agent has worked on this run: it has no branch.");
  const { repository, host, branch, state } = work;
  if (repository === null)
    return inTheWay("This run has no repository: its files are documents. Use undo to take them back.");
  if (state !== "open") return inTheWay(`The branch of this run was ${state} already.`);
  const found: RunBranch = { runId: run.id, userId: run.userId, host, repository, branch };
  return { branch: found, objective: run.objective };
}

async function settle(tx: Tx, { userId }: Actor, { runId }: RunBranch, state: "merged" | "discarded"): Promise<void> {
  await asPlatform(tx, (platform) => settleWork(platform, runId as RunId, state));
  await writeAudit(tx, { actorId: userId, action: `run_${state}`, target: `run:${runId}` });
}

// Gathers what a run that follows up another one is told of it, as its user sees that one now. Every part is bounded here or in its
// words (src/prompts/run-before.ts); what lies outside of the run's own projects is left out.

import type { Tx } from "../db/database.ts";
import type { NoteBefore, RunBefore, ThingBefore } from "../domain/planner/run-before.ts";
import { tellChecks } from "../domain/run/checks/describe-check.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import { pageTypes, workingNoteTypes } from "../domain/workspace/pages.ts";
import { findWork } from "../store/agent/work-store.ts";
import { workspaceDocuments } from "../store/entity/entity-store.ts";
import { isWorkTainted } from "../store/outcome/is-work-tainted.ts";
import { readAllSaid } from "../store/run-view/message-store.ts";
import { readAskedBefore } from "../store/run-view/related-run-store.ts";
import { listOutputs } from "../store/run-view/run-output-store.ts";
import { findRunView, type RunView } from "../store/run-view/run-view-store.ts";
import { readMemory } from "../store/workspace/planner-store.ts";

/** Links and what the run deleted itself are among them, and are not told. */
const outputsRead = 60;
const messagesRead = 30;
/** How many runs back. */
const lineMax = 5;

/** `projectIds`: where the run may look; null: everywhere. Null: it follows none, or that one is gone. */
export async function readRunBefore(
  tx: Tx,
  { followsRunId }: Pick<Run, "followsRunId">,
  projectIds: readonly string[] | null,
): Promise<RunBefore | null> {
  const view = followsRunId === null ? null : await findRunView(tx, followsRunId);
  if (view === null) return null;
  const { run, report, isUndone } = view;
  const { id, state } = run;
  const [asked, ...earlier] = await readAskedBefore(tx, id, lineMax);
  const work = await findWork(tx, id);
  return {
    objective: run.objective,
    isOwnObjective: asked?.isOwnObjective ?? false,
    status: state.status,
    why: "detail" in state ? state.detail : "",
    isUndone,
    summary: report?.summary ?? run.closing?.summary ?? "",
    ...(await readThings(tx, view, projectIds)),
    messages: await readAllSaid(tx, id, messagesRead),
    openQuestions: run.closing?.openQuestions ?? [],
    unsure: run.closing?.unsure ?? [],
    unfinished: state.status === "completed" ? [] : await readUnfinished(tx, run),
    notes: await readNotes(tx, id, projectIds),
    branch: work === null || work.repository === null ? null : { name: work.branch, state: work.state },
    earlier,
    isTainted: await isWorkTainted(tx, id),
  };
}

async function readThings(
  tx: Tx,
  { run, report }: RunView,
  projectIds: readonly string[] | null,
): Promise<Pick<RunBefore, "things" | "hasMoreThings">> {
  const mainId = report?.primary_output?.id ?? run.closing?.primaryOutput?.id;
  const { items, nextCursor } = await listOutputs(tx, run.id, { isBookkeeping: false, limit: outputsRead });
  const things = items.flatMap(({ kind, id, title, op, projectId, isThere }): readonly ThingBefore[] =>
    (op === "created" || op === "updated") && isInside(projectIds, projectId)
      ? [{ kind, id, title, change: op, isMain: id === mainId, isGone: !isThere }]
      : [],
  );
  const isMain = (thing: ThingBefore) => (thing.isMain ? 0 : 1);
  return { things: things.toSorted((one, other) => isMain(one) - isMain(other)), hasMoreThings: nextCursor !== null };
}

const isInside = (projectIds: readonly string[] | null, projectId: string): boolean =>
  projectIds === null || projectIds.includes(projectId);

async function readUnfinished(tx: Tx, run: Run): Promise<readonly string[]> {
  const { remainingWork } = await readMemory(tx, run.id, run.state.iteration);
  const failed = tellChecks(run.checks, run.lastProofs).filter(({ isGreen }) => isGreen === false);
  return [...remainingWork, ...failed.map(({ about }) => `Not passed: ${about}`)];
}

/** Its root repeats the objective, and the summaries of iterations stand in the scratchpad. */
const toldTypes: readonly string[] = workingNoteTypes.filter(
  (type) => type !== pageTypes.root && type !== pageTypes.summary,
);

async function readNotes(tx: Tx, runId: RunId, projectIds: readonly string[] | null): Promise<readonly NoteBefore[]> {
  const pages = await workspaceDocuments(tx, runId);
  return pages
    .filter(({ typeKey, projectId }) => toldTypes.includes(typeKey) && isInside(projectIds, projectId))
    .map(({ id, title }) => ({ id, title }));
}

// A run that follows up another one begins where that one's branch ends, as long as its user has not decided about it. Of runs without a
// repository the files and their documents go on in the same way.

import path from "node:path";
import type { RunningRun } from "../../domain/run/run.ts";
import { findBranchTip } from "../../runner/work/work-folder.ts";
import { findWork, type RunWork } from "../../store/agent/work-store.ts";
import { findRunView } from "../../store/run-view/run-view-store.ts";
import type { AgentDeps } from "./agent-deps.ts";

type BranchBefore = Pick<RunWork, "branch" | "documents"> & {
  readonly tip: string;
  /** The other run's own repository; null: both have the person's. */
  readonly own: string | null;
};

/** `folderOf`: where the agents of a run work. Null: it follows none, or there is no branch to begin from: merged, discarded, undone, or on another host. */
export async function findBranchBefore(
  { db, git, jobs: { root } }: AgentDeps,
  { followsRunId, userId, workFolder }: RunningRun,
  folderOf: (run: Pick<RunningRun, "id" | "userId">) => string,
): Promise<BranchBefore | null> {
  if (followsRunId === null) return null;
  const { work, view } = await db.asUser({ userId }, async (tx) => ({
    work: await findWork(tx, followsRunId),
    view: await findRunView(tx, followsRunId),
  }));
  if (work === null || view === null || work.state !== "open" || view.isUndone) return null;
  if (work.host !== root.host || work.repository !== workFolder) return null;
  const { home, tip } = await findBranchTip({
    git,
    folder: folderOf(view.run),
    repository: workFolder,
    branch: work.branch,
  });
  if (tip === "") return null;
  return { branch: work.branch, documents: work.documents, tip, own: workFolder === null ? path.resolve(home) : null };
}

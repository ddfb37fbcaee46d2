// Where the agents of a run work: a task folder of the runner and a work folder in it, on the host that has them. Another host begins
// anew only once that one is gone for longer than the grace.

import path from "node:path";
import { asPlatform, type Tx } from "../../db/database.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { toTaskId } from "../../runner/layout/ids.ts";
import { openTask, type RunnerRoot, type TaskFolder } from "../../runner/layout/runner-root.ts";
import { keepHomeworkRun, keepTaskText } from "../../runner/layout/task-files.ts";
import { toNanos } from "../../runner/layout/timestamps.ts";
import { hasCommit, openWorkFolder, type WorkFolder } from "../../runner/work/work-folder.ts";
import type { Interruption, Journal } from "../../runs/ports/engine.ts";
import { findWork, keepWork, type RunWork, readHostSilence } from "../../store/agent/work-store.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { findBranchBefore } from "./branch-before.ts";

export type AgentPlace = {
  readonly task: TaskFolder;
  readonly work: WorkFolder;
  readonly row: Pick<RunWork, "guard" | "documents" | "record">;
  /** The branch of the run before it that this one has in its own. */
  readonly begunFrom: string | null;
  /** What the agent and the user have to know about the place itself. */
  readonly note: string | null;
};

type Held = Extract<Interruption, { readonly kind: "held" }>;

/** A worker of the right host takes it then. */
const elsewhereMs = 5_000;

export const branchOf = ({ id }: Pick<RunningRun, "id">): string => `homework/${id.replaceAll("-", "").slice(-12)}`;

/** The whole id: who may look at the folder is decided by it (`src/main/agent-desks.ts`). */
export const projectOfRuns = (userId: string): string => `user-${userId.replaceAll("-", "")}`;

/** The same for every attempt: from the run's id, which begins with the time it was made. */
export function namesOf({ id, userId }: Pick<RunningRun, "id" | "userId">) {
  const digits = id.replaceAll("-", "");
  const nanos = toNanos(Number.parseInt(digits.slice(0, 12), 16));
  const slug = `run-${digits.slice(-12)}`;
  return {
    projectId: projectOfRuns(userId),
    taskId: toTaskId(nanos, slug),
    /** Reviews have a folder of their own, so that their runs do not count as work. */
    reviewTaskId: toTaskId(nanos, `${slug}-review`),
  };
}

export const workFolderOf = (task: Pick<TaskFolder, "path">): string => path.join(task.path, "work");

function taskOf(root: RunnerRoot, run: Pick<RunningRun, "id" | "userId">): TaskFolder {
  const { projectId, taskId } = namesOf(run);
  return openTask(root, projectId, taskId);
}

export async function openPlace(deps: AgentDeps, run: RunningRun, journal: Journal<Tx>): Promise<AgentPlace | Held> {
  const { root } = deps.jobs;
  const known = await deps.db.asSystem((tx) => findWork(tx, run.id));
  const left = known !== null && known.host !== root.host ? known.host : null;
  if (left !== null && !(await isGone(deps, left))) {
    const why = `The files of this run are on ${left}; it goes on there`;
    return { kind: "held", fault: { kind: "hold", untilMs: deps.env.now() + elsewhereMs, why } };
  }
  const task = taskOf(root, run);
  keepTaskText(root, task, run.objective);
  keepHomeworkRun(root, task, run.id);
  const isKept = known?.state === "open" && left === null;
  const before = await findBranchBefore(deps, run, (other) => workFolderOf(taskOf(root, other)));
  const work = await openWorkFolder({
    git: deps.git,
    folder: workFolderOf(task),
    repository: run.workFolder,
    branch: branchOf(run),
    base: isKept ? known.baseCommit : null,
    ...(before === null ? {} : { from: { commit: before.tip, own: before.own } }),
  });
  const begunFrom = before !== null && (await hasCommit(work, before.tip)) ? before.branch : null;
  if (!isKept) await record(deps, run, journal, work, begunFrom);
  const notes = [...(left === null ? [] : [tellGone(left)]), ...(work.wasReplaced ? [replacedGit] : [])];
  const note = notes.length === 0 ? null : notes.join(" ");
  const row = known ?? { guard: { pending: [], allowed: [] }, documents: {}, record: null };
  const documents = { ...(begunFrom === null ? {} : before?.documents), ...row.documents };
  return { task, work, row: { ...row, documents }, begunFrom, note };
}

const tellGone = (host: string): string =>
  `The host ${host}, which had the files of this run, is gone. The work began anew from the last commit that is here.`;

const replacedGit =
  "An agent replaced .git of its work folder. It was put back; what the agent had put there lies beside the folder in replaced-git.";

async function isGone({ db, times }: AgentDeps, host: string): Promise<boolean> {
  const silentMs = await db.asSystem((tx) => readHostSilence(tx, host));
  return silentMs === null || silentMs >= times.hostGraceMs;
}

function record(
  { jobs: { root } }: AgentDeps,
  { id }: RunningRun,
  journal: Journal<Tx>,
  { repository, branch, base }: WorkFolder,
  begunFrom: string | null,
): Promise<null> {
  return journal.write("place", async (tx) => {
    await asPlatform(tx, (platform) =>
      keepWork(platform, id, { host: root.host, repository, branch, baseCommit: base }),
    );
    const where = repository === null ? "a folder of its own" : `the branch ${branch} of ${repository}`;
    const from = begunFrom === null ? "" : `, which begins from ${begunFrom} of the run before it`;
    return { result: null, summary: `Works in ${where}${from}, on ${root.host}`, artifacts: [], isBookkeeping: true };
  });
}

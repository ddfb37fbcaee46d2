// Ends agents and checks of this host whose runs are over: canceled or paused while no worker of the host was there to end them, or
// done after a wait for them that was in vain.

import path from "node:path";
import type { Database } from "../../db/database.ts";
import type { JobDeps } from "../../runner/job/job.ts";
import { isProjectId, isTaskId } from "../../runner/layout/ids.ts";
import { findTask, type RunnerRoot, type TaskFolder } from "../../runner/layout/runner-root.ts";
import { findAncestors } from "../../runner/task/children.ts";
import { stopTask } from "../../runner/task/stop-task.ts";
import { listOverRuns } from "../../store/agent/work-store.ts";

/** Answers with the tasks of which something was ended. */
export async function endAbandoned(db: Database, jobs: JobDeps): Promise<readonly string[]> {
  const living = findLiving(jobs);
  if (living.size === 0) return [];
  const over = await db.asSystem((tx) => listOverRuns(tx, jobs.root.host, [...living.keys()]));
  const tasks = over.flatMap((ending) => living.get(ending) ?? []);
  for (const task of tasks) await endTask(jobs, task);
  return tasks.map(({ taskId }) => taskId);
}

/** Folders of work and of reviews, by the end of the run's id that their names have (`namesOf`). */
const named = /-run-([0-9a-f]{12})(?:-review)?$/;

function findLiving({ root, table }: JobDeps): ReadonlyMap<string, readonly TaskFolder[]> {
  const folders = new Set(table().map(({ marks }) => marks.taskFolder));
  const tasks = new Map([...folders].flatMap((folder) => listWorks(root, folder)).map((task) => [task.path, task]));
  return Map.groupBy(tasks.values(), ({ taskId }) => named.exec(taskId)?.[1] ?? "");
}

/** Tasks of runs that have their files here: that of the folder, or those whose agents have started what is at work in it. */
function listWorks(root: RunnerRoot, folder: string): readonly TaskFolder[] {
  const [projectId = "", taskId = "", ...more] = path.relative(root.folder, folder).split(path.sep);
  const isOurs = isProjectId(projectId) && isTaskId(taskId) && more.length === 0;
  const task = isOurs ? findTask(root, projectId, taskId) : null;
  if (task === null) return [];
  const works = named.test(task.taskId) ? [task] : findAncestors(root, task);
  return works.filter(({ taskId: id }) => named.test(id));
}

async function endTask(jobs: JobDeps, task: TaskFolder): Promise<void> {
  // What the task itself may start is for its run to say, which is over.
  const { end } = await stopTask(jobs, task, { by: "homework", reason: "the run was stopped" }, async () => {});
  await end();
}

// What waits for what. Only tasks that have not ended wait: a completed or obsolete one holds nothing up and closes no cycle.
// Linear in tasks and dependencies, without recursion: a chain of ten thousand is as good as any.

import { isSettledTask, type OutcomeTask } from "./task.ts";
import type { TaskId } from "./task-id.ts";

/** `taskId` waits for `dependsOn`. */
export type DependencyEdge = { readonly taskId: TaskId; readonly dependsOn: TaskId };

export type TasksById = ReadonlyMap<TaskId, OutcomeTask>;

export const indexTasks = (tasks: readonly OutcomeTask[]): TasksById => new Map(tasks.map((task) => [task.id, task]));

/** Dependencies that are neither completed nor obsolete. One that is not known holds the task up. */
export const unmetDependencies = ({ dependsOn }: OutcomeTask, byId: TasksById): readonly TaskId[] =>
  dependsOn.filter((id) => {
    const task = byId.get(id);
    return task === undefined || !isSettledTask(task);
  });

/** Whether a task would wait for itself with this dependency added. */
export function hasCycle(tasks: readonly OutcomeTask[], { taskId, dependsOn }: DependencyEdge): boolean {
  const byId = indexTasks(tasks);
  const seen = new Set<TaskId>([dependsOn]);
  const toVisit = [dependsOn];
  for (let id = toVisit.pop(); id !== undefined; id = toVisit.pop()) {
    if (id === taskId) return true;
    const task = byId.get(id);
    if (task === undefined || isSettledTask(task)) continue;
    for (const next of task.dependsOn) {
      if (seen.has(next)) continue;
      seen.add(next);
      toVisit.push(next);
    }
  }
  return false;
}

/** How many tasks that have not ended name it as a dependency. */
export function countDependents(tasks: readonly OutcomeTask[]): ReadonlyMap<TaskId, number> {
  const counts = new Map<TaskId, number>();
  for (const task of tasks)
    if (!isSettledTask(task)) for (const id of new Set(task.dependsOn)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

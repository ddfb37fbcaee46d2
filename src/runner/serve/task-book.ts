// Tasks as they stand, looked at once a second at most: a page asks for a list every two seconds, and ten pages may be open.

import { listTasks, type ProjectFolder, type RunnerRoot, type TaskFolder } from "../layout/runner-root.ts";
import { type TaskView, viewTask } from "../overview/task-view.ts";

export type TaskBook = {
  readonly view: (task: TaskFolder) => TaskView;
  /** The newest first. */
  readonly list: (project: ProjectFolder) => readonly TaskFolder[];
  /** After a change of our own. */
  readonly forget: (task: TaskFolder) => void;
};

const freshMs = 1_000;
/** Nothing happens by itself to a settled task; a person or an agent may still change it. */
const settledMs = 5_000;
const keptMax = 2_000;

export function openTaskBook(root: RunnerRoot): TaskBook {
  const kept = new Map<string, { readonly until: number; readonly view: TaskView }>();
  return {
    view: (task) => {
      const now = root.env.now();
      const known = kept.get(task.path);
      if (known !== undefined && known.until > now) return known.view;
      const view = viewTask(root, task);
      kept.delete(task.path);
      kept.set(task.path, { until: now + (view.isAlive ? freshMs : settledMs), view });
      if (kept.size > keptMax) kept.delete(kept.keys().next().value ?? "");
      return view;
    },
    list: (project) => listTasks(root, project).toReversed(),
    forget: (task) => void kept.delete(task.path),
  };
}

// Carries out a plan of `planGc`. Each thing is looked at once more before it goes: a run may have begun meanwhile.

import { openBus } from "../bus/bus.ts";
import { findTask, openProject, type RunnerRoot } from "../layout/runner-root.ts";
import { viewTaskToAct } from "../overview/task-view.ts";
import type { GcItem } from "./plan-gc.ts";

/** Those that are gone now. */
export async function collect(
  root: RunnerRoot,
  items: readonly GcItem[],
  busMaxBytes: number,
): Promise<readonly GcItem[]> {
  const gone: GcItem[] = [];
  for (const item of items) if (await collectOne(root, item, busMaxBytes)) gone.push(item);
  return gone;
}

async function collectOne(root: RunnerRoot, item: GcItem, busMaxBytes: number): Promise<boolean> {
  const task = item.task === "" ? null : findTask(root, item.project, item.task);
  if (item.kind === "draft") return root.disk.removeFile(item.path);
  if (item.kind === "bus") {
    const bus = openBus(root, task ?? openProject(root, item.project));
    return (await bus.rotate(busMaxBytes)) !== null;
  }
  if (task === null) return false;
  const active = viewTaskToAct(root, task).runs.filter(({ isActive }) => isActive);
  if (item.kind === "task" ? active.length > 0 : active.some(({ folder }) => folder.path === item.path)) return false;
  root.disk.remove(item.path);
  return true;
}

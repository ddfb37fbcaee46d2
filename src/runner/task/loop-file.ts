// `loop/` in a task's folder: the run that `run-agent task` drives (`run.json`, its journal and events) and, in `loop.yaml`, what the loop
// was started with. The lock beside them says which process drives it now.

import path from "node:path";
import { lockHolder } from "../../files/lock.ts";
import { isAlive, type ProcessIdentity } from "../../files/process-identity.ts";
import { count, list, object, orElse, type ReadBy, text, tryFit } from "../../lib/shape.ts";
import { type FolderStore, folderStore } from "../folder-store.ts";
import { lockFile } from "../layout/lock-file.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { writeText } from "../layout/text.ts";
import { readYaml, toYaml } from "../layout/yaml-file.ts";

const loopFolder = "loop";

export const loopIn = (task: TaskFolder): string => path.join(task.path, loopFolder);

const fileIn = (task: TaskFolder): string => path.join(loopIn(task), "loop.yaml");

const loopShape = object({
  work_folder: text,
  /** Names of the agents that may be chosen; empty: all of the settings. */
  agents: orElse(list(text), []),
  /** Empty: a person started it. */
  parent_run_id: orElse(text, ""),
  depth: orElse(count, 0),
  host: orElse(text, ""),
});
export type LoopFile = Readonly<ReadBy<typeof loopShape>>;

/** Null: no loop was started here, or its file cannot be read. */
export function readLoopFile(root: RunnerRoot, task: TaskFolder): LoopFile | null {
  const read = readYaml(root.disk, fileIn(task));
  return read.kind === "mapping" ? tryFit(loopShape, read.value) : null;
}

export const writeLoopFile = (root: RunnerRoot, task: TaskFolder, loop: LoopFile): void =>
  writeText(root.disk, fileIn(task), toYaml(loop));

const driverFile = (task: TaskFolder): string => path.join(loopIn(task), "driver");

/** The process that drives the task now; null: none does. */
export const findDriver = (root: RunnerRoot, task: TaskFolder): ProcessIdentity | null =>
  root.disk.kindOf(`${driverFile(task)}.lock`) === "folder" ? (lockHolder(`${driverFile(task)}.lock`) ?? null) : null;

/** Does the work as the one process that drives the task; "driven": another one does. */
export async function driveAlone<T>(
  root: RunnerRoot,
  task: TaskFolder,
  work: () => Promise<T>,
): Promise<T | { readonly kind: "driven"; readonly by: ProcessIdentity }> {
  let isOurs = false;
  try {
    return await lockFile(root, driverFile(task), 0, () => {
      isOurs = true;
      return work();
    });
  } catch (error) {
    const by = findDriver(root, task);
    if (isOurs || by === null) throw error;
    return { kind: "driven", by };
  }
}

export const openLoopStore = (root: RunnerRoot, task: TaskFolder): FolderStore =>
  folderStore({ folder: loopIn(task), disk: root.disk, env: root.env, self: root.self, isAlive });

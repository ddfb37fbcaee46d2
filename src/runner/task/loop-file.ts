// `loop/` in a task's folder: the run that `run-agent task` drives (`run.json`, its journal and events) and, in `loop.yaml`, what the loop
// was started with and which process drives it now.

import path from "node:path";
import { z } from "zod";
import type { ProcessIdentity } from "../../files/process-identity.ts";
import { isAlive } from "../../files/process-identity.ts";
import { type FolderStore, folderStore } from "../folder-store.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { readText, writeText } from "../layout/text.ts";
import { readYaml, toYaml } from "../layout/yaml-file.ts";

const loopFolder = "loop";

export const loopIn = (task: TaskFolder): string => path.join(task.path, loopFolder);

const fileIn = (task: TaskFolder): string => path.join(loopIn(task), "loop.yaml");

const loopSchema = z.object({
  work_folder: z.string(),
  /** Names of the agents that may be chosen; empty: all of the settings. */
  agents: z.array(z.string()).default([]),
  /** Empty: a person started it. */
  parent_run_id: z.string().default(""),
  depth: z.int().nonnegative().default(0),
  host: z.string().default(""),
  holder: z.object({ pid: z.int().positive(), started: z.string() }).nullable().default(null),
});
export type LoopFile = Readonly<z.output<typeof loopSchema>>;

/** Null: no loop was started here, or its file cannot be read. */
export function readLoopFile(root: RunnerRoot, task: TaskFolder): LoopFile | null {
  const read = readYaml(fileIn(task), readText(root.disk, fileIn(task)));
  const parsed = read.kind === "mapping" ? loopSchema.safeParse(read.value) : null;
  return parsed?.success ? parsed.data : null;
}

export const writeLoopFile = (root: RunnerRoot, task: TaskFolder, loop: LoopFile): void =>
  writeText(root.disk, fileIn(task), toYaml(loop));

/** The process that drives the task now; null: none does. */
export function findDriver(root: RunnerRoot, task: TaskFolder): ProcessIdentity | null {
  const holder = readLoopFile(root, task)?.holder ?? null;
  return holder !== null && isAlive(holder) ? holder : null;
}

export const openLoopStore = (root: RunnerRoot, task: TaskFolder): FolderStore =>
  folderStore({ folder: loopIn(task), disk: root.disk, env: root.env, self: root.self, isAlive });

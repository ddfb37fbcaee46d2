// `TASK-CONFIG.yaml`: what a person calls the task, and which tasks of the same project must be done first. Keys we do not know stay in the file.

import { AppError } from "../../lib/app-error.ts";
import { type AgentTaskId, isTaskId, quote, requireTaskId } from "./ids.ts";
import { inTask, type RunnerRoot, type TaskFolder } from "./runner-root.ts";
import { writeText } from "./text.ts";
import { readYaml, toYaml } from "./yaml-file.ts";

export type TaskConfig = { readonly depends_on: readonly AgentTaskId[] };

const dependenciesMax = 256;

/** A config that cannot be read is an error: a task must not start before the ones it waits for. */
export function readTaskConfig(root: RunnerRoot, task: TaskFolder): TaskConfig {
  return parseConfig(inTask(task, "config"), readRaw(root, task));
}

function readRaw(root: RunnerRoot, task: TaskFolder): Readonly<Record<string, unknown>> {
  const file = inTask(task, "config");
  const read = readYaml(root.disk, file);
  if (read.kind === "unreadable") throw new AppError("unprocessable", read.why);
  return read.kind === "missing" ? {} : read.value;
}

function parseConfig(file: string, raw: Readonly<Record<string, unknown>>): TaskConfig {
  const names = raw.depends_on ?? [];
  if (!Array.isArray(names) || names.length > dependenciesMax)
    throw new AppError("unprocessable", `${file}: depends_on must be a list of at most ${dependenciesMax} task ids.`);
  const wrong = names.find((name) => typeof name !== "string" || !isTaskId(name));
  if (wrong !== undefined) throw new AppError("unprocessable", `${file}: ${quote(String(wrong))} is not a task id.`);
  return { depends_on: [...new Set(names.map(String).map(requireTaskId))] };
}

/** What a person called the task; null: nothing, or nothing that can be read. */
export function readTaskName(root: RunnerRoot, task: TaskFolder): string | null {
  const read = readYaml(root.disk, inTask(task, "config"));
  const name = read.kind === "mapping" ? read.value.name : null;
  return typeof name === "string" && name.trim() !== "" ? name.trim() : null;
}

export const keepTaskName = (root: RunnerRoot, task: TaskFolder, name: string): void =>
  writeText(root.disk, inTask(task, "config"), toYaml({ ...readRaw(root, task), name }));

/** `readDependencies` gives those of another task of the project; a cycle through them is refused. */
export function writeTaskConfig(
  root: RunnerRoot,
  task: TaskFolder,
  config: { readonly depends_on: readonly string[] },
  readDependencies: (taskId: AgentTaskId) => readonly AgentTaskId[],
): void {
  const checked = parseConfig(inTask(task, "config"), { depends_on: [...config.depends_on] });
  const cycle = findCycle(task.taskId, checked.depends_on, readDependencies);
  if (cycle !== null)
    throw new AppError("unprocessable", `The tasks would wait for each other: ${cycle.join(" → ")}.`, {
      details: { cycle },
    });
  writeText(root.disk, inTask(task, "config"), toYaml({ ...readRaw(root, task), ...checked }));
}

/** The way from a task back to itself over its dependencies, if there is one. */
export function findCycle(
  start: AgentTaskId,
  first: readonly AgentTaskId[],
  readDependencies: (taskId: AgentTaskId) => readonly AgentTaskId[],
): readonly AgentTaskId[] | null {
  const seen = new Set<AgentTaskId>();
  const ways = first.map((taskId) => [start, taskId]);
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const last = way.at(-1);
    if (last === start) return way;
    if (last === undefined || seen.has(last)) continue;
    seen.add(last);
    for (const next of readDependencies(last)) ways.push([...way, next]);
  }
  return null;
}

// Agent runs that were started, directly or over others, by runs of a task: in its own folder or under other tasks. A task that is done
// waits for them; it never restarts its root meanwhile.

import { openBus } from "../bus/bus.ts";
import type { JobDeps } from "../job/job.ts";
import { settleJob } from "../job/settle-job.ts";
import { isRunId } from "../layout/ids.ts";
import { type RunInfo, readRunInfo } from "../layout/run-info.ts";
import {
  findRun,
  listProjects,
  listRuns,
  listTasks,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../layout/runner-root.ts";
import type { AgentWork } from "./agent-iteration.ts";
import { findDriver, readLoopFile } from "./loop-file.ts";

/** A run, or another task whose loop may start more. */
export type LivingChild =
  | { readonly name: string; readonly run: RunFolder; readonly task: null }
  | { readonly name: string; readonly run: null; readonly task: TaskFolder };

/** Living runs below those of the task, and loops of other tasks that may start more. */
export async function findChildren(deps: JobDeps, task: TaskFolder): Promise<readonly LivingChild[]> {
  const { root } = deps;
  const [first] = listRuns(root, task);
  if (first === undefined) return [];
  const tasks = listAllTasks(root);
  // No run is older than the one it descends from.
  const runs = tasks.flatMap((each) => listRuns(root, each).filter(({ runId }) => runId >= first.runId));
  const known = runs.map((run) => ({ run, info: readRunInfo(root, run) }));
  const own = known.filter(({ run }) => run.task.path === task.path && isRootOf(known, task, run));
  const family = descend(
    own.map(({ run }) => run.runId),
    known.flatMap(({ info }) => (info.status === "unknown" ? [] : [info])),
  );
  const living: LivingChild[] = [];
  for (const { run, info } of known) {
    if (info.status !== "running" || !family.has(info.parent_run_id)) continue;
    const settled = await settleJob(deps, run);
    if (settled.kind === "running" || settled.kind === "elsewhere") living.push({ name: run.runId, run, task: null });
  }
  return [...living, ...findLoops(deps, tasks, task, family)];
}

type Known = readonly { readonly run: RunFolder; readonly info: ReturnType<typeof readRunInfo> }[];

/** Its parent, if it has one, is no run of the same task. */
function isRootOf(known: Known, task: TaskFolder, run: RunFolder): boolean {
  const info = known.find((each) => each.run === run)?.info;
  const parent = info?.status === "unknown" || info === undefined ? "" : info.parent_run_id;
  return parent === "" || !known.some((each) => each.run.runId === parent && each.run.task.path === task.path);
}

/** All ids of the roots and of everything below them. */
function descend(roots: readonly string[], infos: readonly RunInfo[]): ReadonlySet<string> {
  const byParent = Map.groupBy(infos, ({ parent_run_id: parent }) => parent);
  const family = new Set(roots);
  // A set that grows while it is gone through: each id once, so a circle of parents ends.
  for (const id of family) for (const { run_id: child } of byParent.get(id) ?? []) family.add(child);
  return family;
}

function findLoops(
  { root }: JobDeps,
  tasks: readonly TaskFolder[],
  own: TaskFolder,
  family: ReadonlySet<string>,
): readonly LivingChild[] {
  return tasks
    .filter(({ path }) => path !== own.path)
    .filter((task) => {
      const loop = readLoopFile(root, task);
      return loop !== null && family.has(loop.parent_run_id) && findDriver(root, task) !== null;
    })
    .map((task) => ({ name: task.taskId, run: null, task }));
}

/** Other tasks whose runs have, directly or over others, started what the task does. */
export function findAncestors(root: RunnerRoot, task: TaskFolder): readonly TaskFolder[] {
  const found = new Map([[task.path, task]]);
  // A map that grows while it is gone through: each task once, so a circle ends.
  for (const each of found.values())
    for (const parent of listParents(root, each)) {
      const owner = listAllTasks(root).find((other) => findRun(root, other, parent) !== null);
      if (owner !== undefined) found.set(owner.path, owner);
    }
  return [...found.values()].filter(({ path }) => path !== task.path);
}

function listParents(root: RunnerRoot, task: TaskFolder): ReadonlySet<string> {
  const infos = listRuns(root, task).map((run) => readRunInfo(root, run));
  const named = infos.flatMap((info) => (info.status === "unknown" ? [] : [info.parent_run_id]));
  return new Set([...named, readLoopFile(root, task)?.parent_run_id ?? ""].filter(isRunId));
}

const listAllTasks = (root: RunnerRoot): readonly TaskFolder[] =>
  listProjects(root).flatMap((project) => listTasks(root, project));

/** Answers with those that still run when the time is over; the bus names them. */
export async function waitForChildren(
  deps: JobDeps,
  { task, children: { timeoutMs, pollMs } }: Pick<AgentWork, "task" | "children">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { env } = deps.root;
  const bus = openBus(deps.root, task);
  const untilMs = env.now() + timeoutMs;
  let told = "";
  for (;;) {
    const names = (await findChildren(deps, task)).map(({ name }) => name);
    if (names.length === 0) return [];
    if (env.now() >= untilMs) {
      const seconds = Math.round(timeoutMs / 1_000);
      await post(bus, "WARNING", `DONE is there, but after ${seconds} s these still run: ${names.join(", ")}`, names);
      return names;
    }
    const listed = names.join(", ");
    if (listed !== told) await post(bus, "INFO", `DONE is there. Waiting for ${count(names.length)}: ${listed}`, names);
    told = listed;
    await env.sleep(Math.min(pollMs, Math.max(1, untilMs - env.now())), signal);
  }
}

const count = (children: number): string => (children === 1 ? "1 child" : `${children} children`);

const post = (bus: ReturnType<typeof openBus>, type: string, body: string, children: readonly string[]) =>
  bus.post({ type, body, meta: { by: "run-agent", children: children.slice(0, 50).join(" ") } });

// Agent runs that were started, directly or over others, by runs of a task: in its own folder or under other tasks. A task that is done
// waits for them; it never restarts its root meanwhile.

import { openBus } from "../bus/bus.ts";
import { byRunner } from "../bus/questions.ts";
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
import type { AgentWork } from "./agent-work.ts";
import { findDriver, readLoopFile } from "./loop-file.ts";

/** A run, or another task whose loop may start more. */
export type LivingChild =
  | { readonly name: string; readonly run: RunFolder; readonly task: null }
  | { readonly name: string; readonly run: null; readonly task: TaskFolder };

/** Living runs below those of the task, and loops of other tasks that may start more. */
export async function findChildren(deps: JobDeps, task: TaskFolder): Promise<readonly LivingChild[]> {
  const [first] = listRuns(deps.root, task);
  if (first === undefined) return [];
  const known = readRunsSince(deps.root, first);
  const own = known.filter(({ run }) => run.task.path === task.path && isRootOf(known, task, run));
  return findBelow(deps, task, own, known);
}

/** The same below one run alone. */
export async function findChildrenOfRun(deps: JobDeps, run: RunFolder): Promise<readonly LivingChild[]> {
  return findBelow(deps, run.task, [{ run }], readRunsSince(deps.root, run));
}

/** Of all tasks. No run is older than the one it descends from. */
function readRunsSince(root: RunnerRoot, first: RunFolder): Known {
  const runs = listAllTasks(root).flatMap((task) => listRuns(root, task));
  return runs.filter(({ runId }) => runId >= first.runId).map((run) => ({ run, info: readRunInfo(root, run) }));
}

async function findBelow(
  deps: JobDeps,
  task: TaskFolder,
  own: readonly { readonly run: RunFolder }[],
  known: Known,
): Promise<readonly LivingChild[]> {
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
  return [...living, ...findLoops(deps, task, family)];
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

function findLoops({ root }: JobDeps, own: TaskFolder, family: ReadonlySet<string>): readonly LivingChild[] {
  return listAllTasks(root)
    .filter(({ path }) => path !== own.path)
    .filter((task) => {
      const loop = readLoopFile(root, task);
      return loop !== null && family.has(loop.parent_run_id) && findDriver(root, task) !== null;
    })
    .map((task) => ({ name: task.taskId, run: null, task }));
}

/** Other tasks whose runs have, directly or over others, started what is at work in the task. */
export function findAncestors(root: RunnerRoot, task: TaskFolder): readonly TaskFolder[] {
  const tasks = listAllTasks(root);
  const owners = new Map<string, TaskFolder>();
  // A set that grows while it is gone through: each id once, so a circle of parents ends.
  const ids = listStarters(root, task);
  for (const id of ids) {
    const [run] = tasks.flatMap((each) => (isRunId(id) ? (findRun(root, each, id) ?? []) : []));
    if (run === undefined) continue;
    owners.set(run.task.path, run.task);
    ids.add(readParent(root, run));
  }
  return [...owners.values()].filter(({ path }) => path !== task.path);
}

function listStarters(root: RunnerRoot, task: TaskFolder): Set<string> {
  const working = listRuns(root, task).filter((run) => readRunInfo(root, run).status === "running");
  const loop = findDriver(root, task) === null ? null : readLoopFile(root, task);
  return new Set([...working.map((run) => readParent(root, run)), loop?.parent_run_id ?? ""]);
}

function readParent(root: RunnerRoot, run: RunFolder): string {
  const info = readRunInfo(root, run);
  return info.status === "unknown" ? "" : info.parent_run_id;
}

const listAllTasks = (root: RunnerRoot): readonly TaskFolder[] =>
  listProjects(root).flatMap((project) => listTasks(root, project));

/** Answers with those that still run when the time is over; the bus names them. */
export async function waitForChildren(
  deps: JobDeps,
  { task, children: { timeoutMs, pollMs }, tell = () => {} }: Pick<AgentWork, "task" | "children" | "tell">,
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
      const text = `DONE is there, but after ${seconds} s these still run: ${names.join(", ")}`;
      tell(text);
      await post(bus, "WARNING", text, names);
      return names;
    }
    const listed = names.join(", ");
    if (listed !== told) {
      const text = `DONE is there. Waiting for ${count(names.length)}: ${listed}`;
      tell(text);
      await post(bus, "INFO", text, names);
    }
    told = listed;
    await env.sleep(Math.min(pollMs, Math.max(1, untilMs - env.now())), signal);
  }
}

const count = (children: number): string => (children === 1 ? "1 child" : `${children} children`);

const post = (bus: ReturnType<typeof openBus>, type: string, body: string, children: readonly string[]) =>
  bus.post({ type, body, meta: { ...byRunner, children: children.slice(0, 50).join(" ") } });

// Who calls a command of `run-agent`: a person, or the agent of a run. The runner sets variables for each agent that say which run it is;
// a call from an agent's run whose variables are missing or damaged is refused, so that no agent is ever taken for a person or for
// another agent. Reading commands may guess where they are (`locate.ts`); whoever speaks or starts something may not.

import { realpathSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { isProjectId, isRunId, isTaskId, quote } from "../layout/ids.ts";
import { type Environment, guessRoot } from "../layout/locate.ts";
import { findRun, findTask, inTask, type RunFolder, type RunnerRoot } from "../layout/runner-root.ts";
import { marks, type ProcessRow } from "./process-table.ts";

export type CallSurroundings = {
  readonly environment: Environment;
  /** The processes above the calling one, the nearest first; empty where their environments cannot be read. */
  readonly processesAbove: () => readonly ProcessRow[];
  readonly openRoot: (folder: string) => RunnerRoot;
};

export type Caller =
  | { readonly kind: "person" }
  /** A process that `run-agent` has started for itself, such as the loop of a task in the background. */
  | { readonly kind: "run-agent" }
  /** `root`: where the run lies; a command may name another one. */
  | { readonly kind: "run"; readonly run: RunFolder; readonly root: RunnerRoot };

const idVariables = ["JRUN_PROJECT_ID", "JRUN_TASK_ID", "JRUN_ID"] as const;
const otherVariables = [marks.runFolder, marks.taskFolder, "JRUN_RUNS_DIR", "JRUN_MESSAGE_BUS", marks.tag];

export function findCaller(root: RunnerRoot, around: CallSurroundings): Caller {
  const { environment } = around;
  if (environment[marks.shim]) return { kind: "run-agent" };
  const above = around.processesAbove();
  if (![...idVariables, ...otherVariables].some((name) => environment[name])) {
    if (!above.some(isMarked)) return { kind: "person" };
    throw refuse("its variables are missing");
  }
  const found = findNamedRun(root, around);
  const real = findAgent(above)?.marks.runFolder ?? "";
  if (real !== "" && realPath(real) !== found.run.path) throw refuse(`JRUN_ID names another run, ${found.run.runId}`);
  return { kind: "run", ...found };
}

/** An agent, a check, a shim or a loop, or a program that one of them has started. */
const isMarked = ({ marks: { tag, shim } }: ProcessRow): boolean => tag !== "" || shim !== "";

/**
 * The agent itself, as its shim has started it: what it changes in its own environment is not seen here. A program of the agent may carry
 * the mark of a shim too, but does not stand directly above its tag; and the shim may have died. Undefined: no agent is above.
 */
function findAgent(above: readonly ProcessRow[]): ProcessRow | undefined {
  const shim = above.findIndex(({ marks: { shim } }, at) => shim !== "" && above[at - 1]?.marks.tag === shim);
  return shim === -1 ? above.findLast(({ marks: { tag } }) => tag !== "") : above[shim - 1];
}

/** Whether an agent calls whose run lies in `folder`: it has what the folder's owner has on this machine, and is not its owner. */
export function isAgentIn(folder: string, around: Omit<CallSurroundings, "openRoot">): boolean {
  const home = realPath(folder);
  const runs = [around.environment, ...around.processesAbove().map(toVariables)].map((of) => of[marks.runFolder]);
  return runs.some((run) => run && !path.relative(home, realPath(run)).startsWith(".."));
}

const toVariables = ({ marks: { runFolder } }: ProcessRow): Environment => ({ [marks.runFolder]: runFolder });

function findNamedRun(root: RunnerRoot, { environment, openRoot }: CallSurroundings) {
  const [project, taskId, runId] = idVariables.map((name) => environment[name] ?? "") as [string, string, string];
  const damaged = [isProjectId(project), isTaskId(taskId), isRunId(runId)].indexOf(false);
  if (damaged !== -1) throw refuse(`${idVariables[damaged]} is missing or damaged`);
  const home = guessRoot(environment, path.parse(root.folder).root) ?? root.folder;
  const own = home === root.folder ? root : openRoot(home);
  const task = findTask(own, project, taskId);
  const run = task === null ? null : findRun(own, task, runId);
  if (task === null || run === null) throw refuse(`there is no run ${quote(runId)} of ${quote(taskId)} in ${home}`);
  const places: readonly (readonly [string, string])[] = [
    [marks.runFolder, run.path],
    [marks.taskFolder, task.path],
    ["JRUN_RUNS_DIR", inTask(task, "runs")],
    ["JRUN_MESSAGE_BUS", inTask(task, "bus")],
  ];
  for (const [name, place] of places) {
    const given = environment[name];
    if (given && realPath(given) !== place) throw refuse(`${name} does not belong to the run that JRUN_ID names`);
  }
  return { run, root: own };
}

/** The bus may not be there yet, and the folder of a run that has lost it is gone. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(realPath(folder), path.basename(file));
  }
}

const refuse = (why: string): AppError =>
  new AppError(
    "config_invalid",
    `This command was called from an agent's run, and ${why}. Nothing was done. Call run-agent with the environment of the run as it is; people call it from a terminal of their own.`,
  );

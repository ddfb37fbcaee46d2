// `run-agent list`: tasks over all projects, or the runs of one task.

import type { AgentTaskStatus } from "../../../domain/agent/task-status.ts";
import { requireProject } from "../../../runner/layout/locate.ts";
import { listProjects, listTasks } from "../../../runner/layout/runner-root.ts";
import { type RunView, type TaskView, viewTask } from "../../../runner/overview/task-view.ts";
import type { Output } from "../../output.ts";
import type { AgentInvocation } from "../invocation.ts";
import { openRootFor, taskOf } from "../place.ts";
import {
  agentName,
  describeQuestions,
  isLeftToHomework,
  runLength,
  runStatus,
  statusWord,
  taskJson,
  taskWord,
  viewJson,
} from "../task-text.ts";

export type ListOptions = { readonly status?: AgentTaskStatus; readonly limit: number };

export async function listTasksOrRuns(given: AgentInvocation, options: ListOptions): Promise<void> {
  if (given.flags.task === null) listTasksOf(given, options);
  else listRunsOf(given, options);
}

function listTasksOf(given: AgentInvocation, { status, limit }: ListOptions): void {
  const { output, flags } = given;
  const root = openRootFor(given);
  const projects = flags.project === null ? listProjects(root) : [requireProject(root, flags.project)];
  const all = projects.flatMap((project) => listTasks(root, project).map((task) => viewTask(root, task)));
  const wanted = all.filter((view) => status === undefined || view.status === status).toSorted(byActivity);
  const shown = wanted.slice(0, limit);
  output.data({ root: root.folder, tasks: shown.map(taskJson), has_more: wanted.length > limit }, () =>
    shown.length === 0 ? "" : renderTasks(given, shown),
  );
  for (const view of shown) for (const text of describeQuestions(given, view)) output.say(text);
  for (const view of shown.filter(isLeftToHomework))
    output.say(`${view.task.projectId}/${view.task.taskId}: ${view.why}`);
  if (all.length === 0)
    output.say(`No tasks in ${root.folder} yet. Create one: run-agent task create -p <project> "…"`);
  else if (status !== undefined && wanted.length === 0)
    output.say(`None of the ${all.length} tasks has the status “${taskWord(status)}”.`);
  if (wanted.length > limit) output.say(`${wanted.length - limit} more; see them with a higher --limit.`);
}

const byActivity = (a: TaskView, b: TaskView): number =>
  (b.lastActivity || b.createdAt).localeCompare(a.lastActivity || a.createdAt);

function renderTasks({ output, host }: AgentInvocation, views: readonly TaskView[]): string {
  const slugs = views.map(({ task }) => slugOf(task.taskId));
  const isUnique = (slug: string) => slugs.indexOf(slug) === slugs.lastIndexOf(slug);
  // A terminal has no room for times in names, and a part of the name is enough to call a task.
  const name = ({ task: { taskId } }: TaskView) =>
    host.terminal.columns !== null && isUnique(slugOf(taskId)) ? slugOf(taskId) : taskId;
  return output.table(views, [
    { title: "PROJECT", value: ({ task }) => task.projectId },
    { title: "TASK", value: name },
    { title: "STATUS", value: statusWord },
    { title: "RUNS", value: ({ runs }) => String(runs.length) },
    { title: "AGENT", value: ({ runs }) => agentName(runs.at(-1)) },
    { title: "ACTIVE", value: ({ lastActivity }) => (lastActivity === "" ? "-" : output.ago(lastActivity)) },
    { title: "ABOUT", value: ({ state, title }) => state || title, flexible: true },
  ]);
}

/** `task-20261116-115900-water-the-plants` → `water-the-plants` */
const slugOf = (taskId: string): string => taskId.replace(/^task-\d+-\d+-/, "");

function listRunsOf(given: AgentInvocation, { limit }: ListOptions): void {
  const { output } = given;
  const { root, task } = taskOf(given);
  const view = viewTask(root, task);
  const runs = view.runs.slice(-limit);
  output.data(viewJson(root, view), () => (runs.length === 0 ? "" : renderRuns(output, runs)));
  if (runs.length === 0) output.say(`Task ${task.taskId} has no runs yet.`);
}

/** Columns in which no run has anything to say are left out. */
export function renderRuns(output: Output, runs: readonly RunView[]): string {
  const why = ({ info }: RunView) => (info.status === "unknown" ? info.why : (info.error_summary ?? ""));
  const parent = ({ info }: RunView) => (info.status === "unknown" ? "" : info.parent_run_id);
  return output.table(runs, [
    { title: "RUN", value: ({ info }) => info.run_id },
    { title: "AGENT", value: agentName },
    { title: "STATUS", value: runStatus },
    { title: "STARTED", value: ({ info }) => (info.status === "unknown" ? "-" : output.ago(info.start_time)) },
    { title: "TOOK", value: runLength },
    ...(runs.some((run) => parent(run) !== "") ? [{ title: "PARENT", value: parent }] : []),
    ...(runs.some((run) => why(run) !== "") ? [{ title: "WHY", value: why, flexible: true as const }] : []),
  ]);
}

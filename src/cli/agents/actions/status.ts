// `run-agent status`: one task, one run, or how many tasks stand how.

import type { AgentTaskStatus } from "../../../domain/agent/task-status.ts";
import { requireRun } from "../../../runner/layout/locate.ts";
import { nameAgent } from "../../../runner/layout/run-info.ts";
import { listProjects, listTasks } from "../../../runner/layout/runner-root.ts";
import { type RunView, type TaskView, viewTask } from "../../../runner/overview/task-view.ts";
import type { Output } from "../../output.ts";
import { cutTo, oneLine } from "../../plain-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { type Place, placeOf, taskOf } from "../place.ts";
import {
  describeQuestions,
  isLeftToHomework,
  paintStatus,
  runLength,
  runStatus,
  taskJson,
  taskWord,
  viewJson,
} from "../task-text.ts";
import { renderRuns } from "./list.ts";

export async function showStatus(given: AgentInvocation, runText: string | undefined): Promise<void> {
  const place = placeOf(given);
  if (place.ids.task === null && runText === undefined) {
    showCounts(given, place);
    return;
  }
  const { root, task } = taskOf(given);
  const view = viewTask(root, task);
  if (runText === undefined) {
    given.output.data(viewJson(root, view), () => renderTask(given, view));
    for (const problem of view.problems) given.output.warn(problem);
    return;
  }
  const { runId } = requireRun(root, task, runText);
  const run = view.runs.find(({ info }) => info.run_id === runId);
  if (run !== undefined) given.output.data({ ...run.info, active: run.isActive }, () => renderRun(given.output, run));
}

const previewWidth = 96;
const runsShown = 10;

function renderTask(given: AgentInvocation, view: TaskView): string {
  const { output } = given;
  const { task, lastMessage, lastActivity, stop } = view;
  const { until } = taskJson(view);
  const fields = output.fields([
    ["Task", `${task.projectId}/${task.taskId}`],
    ["About", cutTo(oneLine(view.title), previewWidth)],
    ["Status", isLeftToHomework(view) ? view.why : `${paintStatus(output, view.status)}: ${view.why}`],
    ...(until === null ? [] : [["Goes on", output.ago(until)] as const]),
    ...(stop === null ? [] : [["Stop", `requested by ${stop.by} at ${stop.at}: ${stop.reason}`] as const]),
    ...(view.state === "" ? [] : [["State", cutTo(oneLine(view.state), previewWidth)] as const]),
    ...(lastActivity === "" ? [] : [["Active", output.ago(lastActivity)] as const]),
    ...(lastMessage === null
      ? []
      : [["Message", cutTo(oneLine(`${lastMessage.type}: ${lastMessage.body}`), previewWidth)] as const]),
    ["Folder", task.path],
  ]);
  const runs = view.runs.slice(-runsShown);
  const more = view.runs.length - runs.length;
  const heading = more > 0 ? `\nThe last ${runs.length} of ${view.runs.length} runs:\n` : "\n";
  const asked = describeQuestions(given, view).map((line) => `${line}\n`);
  return [
    fields,
    ...(asked.length === 0 ? [] : ["\n", ...asked]),
    ...(runs.length === 0 ? [] : [heading, renderRuns(output, runs)]),
  ].join("");
}

function renderRun(output: Output, run: RunView): string {
  const { info, folder } = run;
  if (info.status === "unknown")
    return output.fields([
      ["Run", info.run_id],
      ["Status", `unknown: ${info.why}`],
      ["Folder", folder.path],
    ]);
  return output.fields([
    ["Run", info.run_id],
    ["Status", runStatus(run)],
    ...(info.error_summary === undefined ? [] : [["Why", info.error_summary] as const]),
    ["Agent", [nameAgent(info), info.backend_model, info.agent_version].filter(Boolean).join(" ")],
    ...(info.chosen_because === undefined ? [] : [["Chosen", info.chosen_because] as const]),
    ["Started", `${info.start_time} (${output.ago(info.start_time)})`],
    ["Took", runLength(run)],
    ["Process", `${info.pid}${info.host === undefined ? "" : ` on ${info.host}`}`],
    ...(info.parent_run_id === "" ? [] : [["Parent", info.parent_run_id] as const]),
    ...(info.previous_run_id === "" ? [] : [["Before it", info.previous_run_id] as const]),
    ...(info.cost_usd === undefined ? [] : [["Cost", `$${info.cost_usd}`] as const]),
    ["Works in", info.cwd],
    ["Folder", folder.path],
  ]);
}

function showCounts(given: AgentInvocation, { root, ids }: Place): void {
  const { output } = given;
  const projects = listProjects(root).filter(({ projectId }) => ids.project === null || projectId === ids.project);
  const views = projects.flatMap((project) => listTasks(root, project).map((task) => viewTask(root, task)));
  const counts = new Map<AgentTaskStatus, number>();
  for (const { status } of views) counts.set(status, (counts.get(status) ?? 0) + 1);
  output.data({ root: root.folder, tasks: views.length, by_status: Object.fromEntries(counts) }, () =>
    views.length === 0 ? "" : output.fields([...counts].map(([status, count]) => [taskWord(status), String(count)])),
  );
  output.say(
    views.length === 0
      ? `No tasks in ${root.folder} yet.`
      : "One task: run-agent status -t <task>. All: run-agent list",
  );
}

// `run-agent watch`: the tasks that are alive, until all have ended: also between two starts, while a person is asked, and while a
// provider holds one up. On a terminal the lines change in place; elsewhere each change of a status is a line.

import { requireProject } from "../../../runner/layout/locate.ts";
import { listProjects, listTasks, type RunnerRoot, type TaskFolder } from "../../../runner/layout/runner-root.ts";
import { refuseHomeworkRun } from "../../../runner/layout/task-files.ts";
import { type TaskView, viewTask } from "../../../runner/overview/task-view.ts";
import { Ended } from "../../exit-code.ts";
import { cutTo, oneLine } from "../../plain-text.ts";
import { LiveFrame } from "../../runs/live-frame.ts";
import type { AgentInvocation } from "../invocation.ts";
import { openRootFor, taskOf } from "../place.ts";
import { agentName, describeQuestions, isLeftToHomework, statusWord, taskExits, taskJson } from "../task-text.ts";

export type WatchOptions = { readonly timeout?: number };

const everyMs = 1_000;

export async function watchTasks(given: AgentInvocation, { timeout }: WatchOptions): Promise<void> {
  const { host, output } = given;
  const { root, tasks } = tasksToWatch(given);
  const look = () =>
    tasks.filter((task) => root.disk.kindOf(task.path) === "folder").map((task) => viewTask(root, task));
  const until = timeout === undefined ? Number.POSITIVE_INFINITY : host.env.now() + timeout;
  const screen = openScreen(given);
  let shown = look();
  // Between two processes that drive a task none does for a moment.
  if (tasks.length > 0 && !shown.some(({ isAlive }) => isAlive)) {
    await host.env.sleep(everyMs, host.stop);
    shown = look();
  }
  for (; shown.some(({ isAlive }) => isAlive); shown = look()) {
    screen.draw(shown);
    if (host.env.now() >= until) {
      output.warn(`Still running after the timeout. Watch on: run-agent watch`);
      throw new Ended("failed");
    }
    await host.env.sleep(everyMs, host.stop);
  }
  screen.draw(shown);
  tellEnd(given, root, tasks, shown);
}

/** Ends as the first task that is not done ended. */
function tellEnd(
  given: AgentInvocation,
  root: RunnerRoot,
  tasks: readonly TaskFolder[],
  shown: readonly TaskView[],
): void {
  const { output } = given;
  if (tasks.length === 0) {
    output.data({ tasks: [] }, () => "");
    output.say(`Nothing is running in ${root.folder}.`);
    return;
  }
  const left = shown.filter(isLeftToHomework);
  const bad = shown.filter((view) => view.status !== "done" && !isLeftToHomework(view));
  for (const { task, why } of left) output.say(`Task ${task.taskId}: ${why}`);
  for (const view of bad) {
    output.warn(`Task ${view.task.taskId}: ${statusWord(view)}. ${view.why}`);
    for (const text of describeQuestions(given, view)) output.warn(text);
  }
  if (shown.length < tasks.length) output.warn(`${tasks.length - shown.length} of the tasks were deleted.`);
  else if (bad.length + left.length === 0) output.say(shown.length === 1 ? "The task is done." : "All tasks are done.");
  const [first] = bad;
  if (first !== undefined) throw new Ended(taskExits[first.status]);
}

/** One task that was named, or all that are under way. */
function tasksToWatch(given: AgentInvocation): { readonly root: RunnerRoot; readonly tasks: readonly TaskFolder[] } {
  const { flags } = given;
  if (flags.task !== null) {
    const { root, task } = taskOf(given);
    refuseHomeworkRun(root, task, (id) => `Use homework watch ${id}.`);
    return { root, tasks: [task] };
  }
  const root = openRootFor(given);
  const projects = flags.project === null ? listProjects(root) : [requireProject(root, flags.project)];
  const all = projects.flatMap((project) => listTasks(root, project));
  return { root, tasks: all.filter((task) => viewTask(root, task).isAlive) };
}

type Screen = { readonly draw: (views: readonly TaskView[]) => void };

function openScreen(given: AgentInvocation): Screen {
  const { host, output } = given;
  const { terminal } = host;
  if (terminal.canRedraw && !output.isJson) {
    const frame = new LiveFrame(terminal);
    const width = (terminal.columns ?? 80) - 1;
    const lines = (view: TaskView) => [line(given, view), ...describeQuestions(given, view)];
    return { draw: (views) => frame.draw(views.flatMap(lines).map((text) => cutTo(text, width))) };
  }
  const said = new Map<string, string>();
  return {
    draw: (views) => {
      for (const view of views) {
        const asked = view.questions.map(({ msg_id: id }) => id).join(" ");
        if (said.get(view.task.path) === `${view.status} ${asked}`) continue;
        said.set(view.task.path, `${view.status} ${asked}`);
        output.line(taskJson(view), () => [line(given, view), ...describeQuestions(given, view)].join("\n"));
      }
    },
  };
}

/** As wide as the longest of them, so that lines stand below each other. */
const statusWidth = "not started".length;

function line({ output }: AgentInvocation, view: TaskView): string {
  const { task, runs, lastActivity, lastMessage, state } = view;
  const about = state || (lastMessage === null ? view.title : `${lastMessage.type}: ${lastMessage.body}`);
  const { until } = taskJson(view);
  const at = until ?? lastActivity;
  const active = at === "" ? "" : `  ${output.ago(at)}`;
  return `${statusWord(view).padEnd(statusWidth)}  ${task.projectId}/${task.taskId}  ${agentName(runs.at(-1))}${active}  ${oneLine(about)}`;
}

// `run-agent watch`: the tasks that are running, live, until all have ended. On a terminal the lines change in place; elsewhere each
// change of a status is a line.

import { requireProject } from "../../../runner/layout/locate.ts";
import { listProjects, listTasks, type RunnerRoot, type TaskFolder } from "../../../runner/layout/runner-root.ts";
import { isSettled } from "../../../runner/overview/task-status.ts";
import { type TaskView, viewTask } from "../../../runner/overview/task-view.ts";
import { Ended } from "../../exit-code.ts";
import { cutTo, oneLine } from "../../plain-text.ts";
import { LiveFrame } from "../../runs/live-frame.ts";
import type { AgentInvocation } from "../invocation.ts";
import { openRootFor, taskOf } from "../place.ts";
import { agentName, taskJson } from "../task-text.ts";

export type WatchOptions = { readonly timeout?: number };

const everyMs = 1_000;

export async function watchTasks(given: AgentInvocation, { timeout }: WatchOptions): Promise<void> {
  const { host, output } = given;
  const { root, tasks } = tasksToWatch(given);
  const views = () =>
    tasks.filter((task) => root.disk.kindOf(task.path) === "folder").map((task) => viewTask(root, task));
  let shown = views();
  if (shown.every(({ status }) => isSettled(status))) {
    output.data({ tasks: shown.map(taskJson) }, () => "");
    output.say(
      tasks.length === 0
        ? `Nothing is running in ${root.folder}.`
        : `The task has ended: ${shown[0]?.status ?? "deleted"}.`,
    );
    return;
  }
  const until = timeout === undefined ? Number.POSITIVE_INFINITY : host.env.now() + timeout;
  const screen = openScreen(given);
  screen.draw(shown);
  while (shown.some(({ status }) => !isSettled(status))) {
    if (host.env.now() >= until) {
      output.warn(`Still running after the timeout. Watch on: run-agent watch`);
      throw new Ended("failed");
    }
    await host.env.sleep(everyMs, host.stop);
    shown = views();
    screen.draw(shown);
  }
  output.say("All have ended.");
}

/** One task that was named, or all that are under way. */
function tasksToWatch(given: AgentInvocation): { readonly root: RunnerRoot; readonly tasks: readonly TaskFolder[] } {
  const { flags } = given;
  if (flags.task !== null) {
    const { root, task } = taskOf(given);
    return { root, tasks: [task] };
  }
  const root = openRootFor(given);
  const projects = flags.project === null ? listProjects(root) : [requireProject(root, flags.project)];
  const all = projects.flatMap((project) => listTasks(root, project));
  return { root, tasks: all.filter((task) => !isSettled(viewTask(root, task).status)) };
}

type Screen = { readonly draw: (views: readonly TaskView[]) => void };

function openScreen(given: AgentInvocation): Screen {
  const { host, output } = given;
  const { terminal } = host;
  if (terminal.canRedraw && !output.isJson) {
    const frame = new LiveFrame(terminal);
    return { draw: (views) => frame.draw(views.map((view) => cutTo(line(given, view), (terminal.columns ?? 80) - 1))) };
  }
  const said = new Map<string, string>();
  return {
    draw: (views) => {
      for (const view of views) {
        if (said.get(view.task.path) === view.status) continue;
        said.set(view.task.path, view.status);
        output.line(taskJson(view), () => line(given, view));
      }
    },
  };
}

function line({ output }: AgentInvocation, view: TaskView): string {
  const { task, status, runs, lastActivity, lastMessage, state } = view;
  const about = state || (lastMessage === null ? view.title : `${lastMessage.type}: ${lastMessage.body}`);
  const active = lastActivity === "" ? "" : `  ${output.ago(lastActivity)}`;
  return `${status.padEnd(9)}  ${task.projectId}/${task.taskId}  ${agentName(runs.at(-1))}${active}  ${oneLine(about)}`;
}

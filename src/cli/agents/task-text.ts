// Tasks and runs as words and as JSON, the same for every command.

import type { AgentTaskStatus } from "../../domain/agent/task-status.ts";
import { duration } from "../../protocol/figures.ts";
import { agentRunWord, agentTaskWords } from "../../protocol/words/agent-task.ts";
import { nameAgent } from "../../runner/layout/run-info.ts";
import type { RunnerRoot, TaskFolder } from "../../runner/layout/runner-root.ts";
import type { RunView, TaskView } from "../../runner/overview/task-view.ts";
import { describeMessage, describeRun, describeTaskView } from "../../runner/serve/describe-task.ts";
import type { ExitName } from "../exit-code.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import type { AgentInvocation } from "./invocation.ts";

const colors = {
  new: "dim",
  blocked: "yellow",
  starting: "cyan",
  running: "cyan",
  waiting: "yellow",
  held: "yellow",
  finishing: "cyan",
  done: "green",
  stopped: "yellow",
  failed: "red",
  canceled: "yellow",
  ended: "yellow",
} as const satisfies Record<AgentTaskStatus, string>;

/** `needs you`. */
export const taskWord = (status: AgentTaskStatus): string => agentTaskWords[status].toLowerCase();

export const paintStatus = (output: Output, status: AgentTaskStatus): string =>
  output.paint(colors[status], taskWord(status));

/** Between two agents of a Homework run its folder does not show how the run stands; `why` says where that is told. */
export const isLeftToHomework = ({ homeworkRun, isAlive }: TaskView): boolean => homeworkRun !== null && !isAlive;

/** For a table. */
export const statusWord = (view: TaskView): string => (isLeftToHomework(view) ? "-" : taskWord(view.status));

export const agentName = (run: RunView | undefined): string =>
  run === undefined || run.info.status === "unknown" ? "-" : nameAgent(run.info);

/** `failed (1)`. */
export function runStatus({ info }: RunView): string {
  const { exit_code = null, stop_requested = null } = info.status === "unknown" ? {} : info;
  return agentRunWord({ status: info.status, exit_code, stop_requested }).toLowerCase();
}

/** Of a run that has ended. */
export function runLength({ info }: RunView): string {
  if (info.status !== "completed" && info.status !== "failed") return "-";
  return duration(msOf(info.end_time) - msOf(info.start_time));
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
const msOf = (iso: string): number => Date.parse(iso);

/** One task in a list: as over HTTP, with where it lies. */
export function taskJson(view: TaskView) {
  const { task, runs, problems } = view;
  return {
    ...describeTaskView(view),
    path: task.path,
    last_run_id: runs.at(-1)?.info.run_id ?? null,
    problems,
  };
}

/** One task with all there is to know. */
export const viewJson = (root: RunnerRoot, view: TaskView) => ({
  ...taskJson(view),
  is_done: view.isDone,
  stop_requested: view.stop,
  last_message: view.lastMessage,
  questions: view.questions.map(describeMessage),
  run_list: view.runs.map((run) => describeRun(root, run)),
});

/** What a command that followed the task ends with. */
export const taskExits = {
  new: "failed",
  blocked: "failed",
  starting: "failed",
  running: "failed",
  waiting: "run_waiting",
  held: "failed",
  finishing: "failed",
  done: "ok",
  stopped: "run_stopped",
  failed: "run_failed",
  canceled: "run_canceled",
  ended: "run_stopped",
} as const satisfies Record<AgentTaskStatus, ExitName>;

const questionWidth = 300;
const questionsShown = 5;

/** Where a question is shown, so is the command that answers it. */
export function describeQuestions(given: AgentInvocation, { task, questions }: TaskView): readonly string[] {
  const isOnly = questions.length === 1;
  return questions
    .slice(0, questionsShown)
    .flatMap(({ msg_id: id, body }) => [
      `${task.projectId}/${task.taskId} asks: ${cutTo(oneLine(body), questionWidth)}`,
      `  Answer: ${answerCommand(given, task, isOnly ? null : id)}`,
    ]);
}

/** As it can be typed where this command was. `questionId` null: the task has one question. */
export function answerCommand({ flags }: AgentInvocation, task: TaskFolder, questionId: string | null): string {
  const root = flags.root === null ? "" : `--root ${quoteArgument(flags.root)} `;
  const question = questionId === null ? "" : `--question ${quoteArgument(questionId)} `;
  return `run-agent ${root}answer -p ${task.projectId} -t ${task.taskId} ${question}"your answer"`;
}

/** Ids of messages come from files that any program may have written. */
const quoteArgument = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${oneLine(text).replaceAll("'", "'\\''")}'`;

// `run-agent answer`: a person's answer to a question of an agent. Without a task it is the one whose agent asks.

import { AppError } from "../../../lib/app-error.ts";
import type { BusEntry } from "../../../runner/bus/entry.ts";
import { requireProject } from "../../../runner/layout/locate.ts";
import { listProjects, listTasks, type RunnerRoot } from "../../../runner/layout/runner-root.ts";
import { refuseHomeworkRun } from "../../../runner/layout/task-files.ts";
import { type TaskView, viewTask } from "../../../runner/overview/task-view.ts";
import { answerQuestion } from "../../../runner/serve/bus-desk.ts";
import { requirePerson } from "../agent-options.ts";
import { requireGivenText } from "../given-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { openRootFor, taskOf } from "../place.ts";
import { describeQuestions, statusWord } from "../task-text.ts";

export type AnswerOptions = { readonly file?: string; readonly question?: string };

export async function answer(
  given: AgentInvocation,
  words: readonly string[],
  { file, question: named }: AnswerOptions,
): Promise<void> {
  const { output } = given;
  const root = openRootFor(given);
  requirePerson(given, root, "Questions of agents are answered");
  const { view, rest } = findAsking(given, root, words, file !== undefined);
  const { task } = view;
  refuseHomeworkRun(root, task, (id) => `Use homework answer ${id}.`);
  const question = pickQuestion(given, view, named);
  const text = await requireGivenText(given, { words: rest, file, what: "an answer" });
  const { msg_id: id } = await answerQuestion(root, task, { questionId: question.msg_id, text, meta: {} });
  output.say(
    view.isAlive
      ? "Answered."
      : `Answered. Nothing works on the task now; to go on: run-agent task -p ${task.projectId} -t ${task.taskId}`,
  );
  output.data({ msg_id: id, task_id: task.taskId, question_id: question.msg_id }, () => `${id}\n`);
}

/** The first word names the task if there are more; `--task` does as well. */
function findAsking(
  given: AgentInvocation,
  root: RunnerRoot,
  words: readonly string[],
  hasFile: boolean,
): { readonly view: TaskView; readonly rest: readonly string[] } {
  if (given.flags.task !== null) return { view: viewTask(root, taskOf(given).task), rest: words };
  const [first, ...rest] = words;
  if (first === undefined || (rest.length === 0 && !hasFile)) return { view: findOnlyAsking(given, root), rest: words };
  const { task } = taskOf({ ...given, flags: { ...given.flags, task: first } });
  return { view: viewTask(root, task), rest };
}

function findOnlyAsking(given: AgentInvocation, root: RunnerRoot): TaskView {
  const { project } = given.flags;
  const projects = project === null ? listProjects(root) : [requireProject(root, project)];
  const asking = projects
    .flatMap((each) => listTasks(root, each).map((task) => viewTask(root, task)))
    .filter(({ questions }) => questions.length > 0);
  const [only] = asking;
  if (only === undefined) throw new AppError("not_found", `No agent in ${root.folder} waits for an answer.`);
  if (asking.length === 1) return only;
  throw new AppError(
    "invalid_request",
    `${asking.length} tasks wait for an answer. Name one of them:\n${asking.flatMap((view) => describeQuestions(given, view)).join("\n")}`,
  );
}

function pickQuestion(given: AgentInvocation, view: TaskView, named: string | undefined): BusEntry {
  const { task, questions } = view;
  const [only] = questions;
  if (only === undefined)
    throw new AppError("wrong_status", `Task ${task.taskId} has no open question (${statusWord(view)}). ${view.why}`);
  if (named === undefined && questions.length === 1) return only;
  const found = questions.find(({ msg_id: id }) => id === named);
  if (found !== undefined) return found;
  const listed = describeQuestions(given, view).join("\n");
  if (named !== undefined) throw new AppError("not_found", `Task ${task.taskId} has no such open question.\n${listed}`);
  throw new AppError("invalid_request", `${questions.length} questions are open. Name one of them:\n${listed}`);
}

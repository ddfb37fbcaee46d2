// What a page or a program asks of a runner's root over HTTP, answered from the folder alone. Ids come from outside: each is checked before
// it becomes a path, and what does not exist is `not_found`. Agents are started as programs of their own, never in this process.

import path from "node:path";
import type { AgentTaskStatus } from "../../domain/agent/task-status.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { JobDeps } from "../job/job.ts";
import { readFacts } from "../layout/facts.ts";
import { isProjectId, isRunId, isTaskId, quote } from "../layout/ids.ts";
import {
  findRun,
  findTask,
  listProjects,
  type ProjectFolder,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../layout/runner-root.ts";
import { readHomeworkRun } from "../layout/task-files.ts";
import { readFileText } from "./allowed-files.ts";
import { answerQuestion, type BusMeta, type NewBusMessage, postMessage, readMessages } from "./bus-desk.ts";
import { describeRun, describeTaskView } from "./describe-task.ts";
import { type LogRequest, readLog } from "./log-lines.ts";
import { type Judges, type NewTask, prepareTask, type StartTask } from "./start-task.ts";
import { stopOneRun, stopWholeTask } from "./stop-desk.ts";
import { openTaskBook, type TaskBook } from "./task-book.ts";
import { describeDetail, describeRunDetail } from "./task-detail.ts";
import { parseCursor, type StreamRequest, streamBus, streamTask } from "./task-stream.ts";

export type DeskDeps = Omit<JobDeps, "root"> & {
  readonly root: RunnerRoot;
  readonly logger: Logger;
  /** Of this machine; shown in the form that starts a task. */
  readonly agents: readonly { readonly name: string; readonly file: string }[];
  /** Null: nothing can be started here, for the reason given. */
  readonly startTask: StartTask | null;
  readonly whyNotStart: string | null;
  /** Whether agents may work in a folder that a person names; null: they may. Left out: in any. */
  readonly folderProblem?: Judges["folderProblem"];
  /** Who acts, for stop requests. */
  readonly actor: string;
};

export type Desk = ReturnType<typeof openDesk>;

/** Tasks of a project that are looked at for its counts, and for children of a task's runs. */
const lookedAt = 200;

export function openDesk(deps: DeskDeps) {
  const { root, folderProblem = () => null } = deps;
  const book = openTaskBook(root);
  const projectOf = (id: string) => requireProject(root, id);
  const taskOf = (project: string, task: string) => requireTask(root, project, task);
  const runOf = (project: string, task: string, run: string) => requireRun(root, taskOf(project, task), run);
  const summary = (task: TaskFolder) => describeTaskView(book.view(task));
  return {
    info: () => ({
      is_available: true,
      why_not_start: deps.whyNotStart,
      root: root.folder,
      agents: deps.agents.map(({ name, file }) => ({ name, file })),
    }),
    homeworkRunOf: (project: string, id: string) => readHomeworkRun(root, taskOf(project, id)),
    asking: () => listAsking(root, book),
    projects: () =>
      listProjects(root)
        .map((project) => describeProject(book, project))
        .sort(latestFirst),
    project: (id: string) => describeProject(book, projectOf(id)),
    tasks: (id: string, query: { limit: number; cursor?: string | undefined; status?: AgentTaskStatus | undefined }) =>
      listPage(book, projectOf(id), query, summary),
    runs: (id: string, limit: number) => listProjectRuns(root, book, projectOf(id), limit),
    task: (project: string, id: string) => {
      const task = taskOf(project, id);
      return describeDetail(root, book, task, () => book.list(projectOf(project)).slice(0, lookedAt));
    },
    run: (project: string, task: string, id: string) => {
      const folder = runOf(project, task, id);
      const view = book.view(folder.task).runs.find(({ info }) => info.run_id === id);
      if (view === undefined) throw missing("run", id);
      return describeRunDetail(root, view);
    },
    start: async (project: string, order: NewTask) => {
      const { startTask } = deps;
      if (startTask === null) throw new AppError("forbidden", deps.whyNotStart ?? "Tasks cannot be started here.");
      if (!order.new_project) projectOf(project);
      const prepared = prepareTask(root, project, order, { view: book.view, folderProblem });
      await startTask(prepared);
      book.forget(prepared.task);
      return { task_id: prepared.task.taskId as string, status: "started" as const };
    },
    stopTask: async (project: string, id: string, reason: string) => {
      const task = taskOf(project, id);
      const runs = await stopWholeTask(deps, task, reason);
      book.forget(task);
      return { task_id: id, runs };
    },
    stopRun: async (project: string, task: string, id: string, reason: string) => {
      const folder = runOf(project, task, id);
      const isActive = book.view(folder.task).runs.some(({ info, isActive }) => info.run_id === id && isActive);
      if (isActive) stopOneRun(deps, folder, reason);
      book.forget(folder.task);
      return { task_id: task, runs: isActive ? [id] : [] };
    },
    ...busVerbs(root, book, projectOf, taskOf),
    ...readingVerbs(root, projectOf, taskOf, runOf),
    streamTask: (project: string, id: string, query: TaskStreamQuery, cursor: string | null, signal: AbortSignal) => {
      const task = taskOf(project, id);
      const { run_id: runId, ...asked } = query;
      const request: StreamRequest = {
        ...asked,
        run: runId === undefined ? undefined : requireRun(root, task, runId),
        ...(cursor === null ? {} : withoutGaps(parseCursor(cursor))),
      };
      return streamTask(root, task, book.view, request, signal);
    },
  };
}

type TaskStreamQuery = Omit<StreamRequest, "run"> & { readonly run_id?: string | undefined };

/** A value that is missing in a cursor does not overrule the one in the address. */
const withoutGaps = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

type ProjectOf = (id: string) => ProjectFolder;
type TaskOf = (project: string, task: string) => TaskFolder;
type RunOf = (project: string, task: string, run: string) => RunFolder;
type BusQuery = { readonly limit: number; readonly before?: string | undefined };

function busVerbs(root: RunnerRoot, book: TaskBook, projectOf: ProjectOf, taskOf: TaskOf) {
  const placeOf = (project: string, task: string | null) =>
    task === null ? projectOf(project) : taskOf(project, task);
  return {
    bus: (project: string, task: string | null, query: BusQuery) => readMessages(root, placeOf(project, task), query),
    post: async (project: string, task: string | null, message: NewBusMessage, meta: BusMeta = {}) => {
      const posted = await postMessage(root, placeOf(project, task), message, meta);
      if (task !== null) book.forget(taskOf(project, task));
      return posted;
    },
    answer: async (project: string, task: string, questionId: string, text: string, meta: BusMeta = {}) => {
      const folder = taskOf(project, task);
      const posted = await answerQuestion(root, folder, { questionId, text, meta });
      book.forget(folder);
      return posted;
    },
    streamBus: (
      project: string,
      task: string | null,
      since: string | undefined,
      cursor: string | null,
      signal: AbortSignal,
    ) => streamBus(root, placeOf(project, task), parseCursor(cursor ?? "").since ?? since, signal),
  };
}

function readingVerbs(root: RunnerRoot, projectOf: ProjectOf, taskOf: TaskOf, runOf: RunOf) {
  return {
    facts: (project: string, task: string | null) =>
      readFacts(root, task === null ? projectOf(project) : taskOf(project, task), factsMax)
        .map(({ scope: _, ...fact }) => fact)
        .toReversed(),
    projectFile: (project: string, name: string, tail: number) => readFileText(root, projectOf(project), name, tail),
    file: (project: string, task: string, name: string, tail: number) =>
      readFileText(root, taskOf(project, task), name, tail),
    runFile: (project: string, task: string, run: string, name: string, tail: number) =>
      readFileText(root, runOf(project, task, run), name, tail),
    log: (project: string, task: string, run: string, request: LogRequest) =>
      readLog(root, runOf(project, task, run), request),
  };
}

/** Facts in one answer, the newest first. */
const factsMax = 500;

function describeProject(book: TaskBook, project: ProjectFolder) {
  const tasks = book.list(project);
  const views = tasks.slice(0, lookedAt).map(book.view);
  const counts: Partial<Record<AgentTaskStatus, number>> = {};
  for (const { status } of views) counts[status] = (counts[status] ?? 0) + 1;
  const last = views.map(({ lastActivity, createdAt }) => lastActivity || createdAt).sort();
  return {
    project_id: project.projectId as string,
    kind: "own" as const,
    tasks: tasks.length,
    by_status: counts,
    last_activity: last.at(-1) ?? null,
  };
}

type Described = ReturnType<typeof describeProject>;
const latestFirst = (one: Described, other: Described): number =>
  (other.last_activity ?? "").localeCompare(one.last_activity ?? "");

const askingMax = 20;
const questionMax = 300;

/** The newest first, of the newest tasks. */
function listAsking(root: RunnerRoot, book: TaskBook) {
  const views = listProjects(root).flatMap((project) => book.list(project).slice(0, lookedAt).map(book.view));
  return views
    .flatMap(({ task, title, questions }) =>
      questions.map(({ msg_id: id, body, ts }) => ({
        project_id: task.projectId as string,
        task_id: task.taskId as string,
        title,
        question_id: id,
        question: body.trim().slice(0, questionMax).toWellFormed(),
        asked_at: ts,
      })),
    )
    .toSorted((one, other) => other.asked_at.localeCompare(one.asked_at))
    .slice(0, askingMax);
}

/** Tasks looked at for one page with a filter; a filter that matches nothing must not read ten thousand folders. */
const filteredMax = 1_000;

function listPage<T extends { readonly task_id: string; readonly status: AgentTaskStatus }>(
  book: TaskBook,
  project: ProjectFolder,
  query: { limit: number; cursor?: string | undefined; status?: AgentTaskStatus | undefined },
  summary: (task: TaskFolder) => T,
) {
  const { limit, cursor, status } = query;
  const left = book.list(project).filter(({ taskId }) => cursor === undefined || taskId < cursor);
  const items: T[] = [];
  let looked = 0;
  for (const task of left) {
    if (items.length === limit || looked === filteredMax) break;
    looked += 1;
    if (status === undefined || book.view(task).status === status) items.push(summary(task));
  }
  const last = left[looked - 1];
  return { items, next_cursor: looked < left.length && last !== undefined ? (last.taskId as string) : null };
}

function listProjectRuns(root: RunnerRoot, book: TaskBook, project: ProjectFolder, limit: number) {
  const views = book
    .list(project)
    .slice(0, lookedAt)
    .flatMap((task) => book.view(task).runs);
  return views
    .toSorted((one, other) => (one.info.run_id < other.info.run_id ? -1 : 1))
    .slice(-limit)
    .map((view) => describeRun(root, view));
}

function requireProject(root: RunnerRoot, id: string): ProjectFolder {
  const folder = path.join(root.folder, id);
  if (!isProjectId(id) || root.disk.kindOf(folder) !== "folder") throw missing("project", id);
  return { projectId: id, path: folder };
}

function requireTask(root: RunnerRoot, project: string, id: string): TaskFolder {
  requireProject(root, project);
  const task = isTaskId(id) ? findTask(root, project, id) : null;
  if (task === null) throw missing("task", id);
  return task;
}

function requireRun(root: RunnerRoot, task: TaskFolder, id: string): RunFolder {
  const run = isRunId(id) ? findRun(root, task, id) : null;
  if (run === null) throw missing("run", id);
  return run;
}

const missing = (what: string, id: string) => new AppError("not_found", `There is no ${what} ${quote(id)}.`);

// The agents of a user's Homework runs, as a desk: folders of the same layout, which Homework drives. What is read comes from the folder,
// how a task stands from its run. A person's word goes to the run as well, so that later iterations hear it; what only Homework may do is
// refused with what to use instead.

import { AppError } from "../../lib/app-error.ts";
import type { AgentProject, AgentTask } from "../../protocol/api.ts";
import type { AgentDesk, DeskTask } from "./agent-desk.ts";
import { describeRunTask, type HomeworkRunFacts } from "./describe-run-task.ts";
import { deskByProject } from "./desk-by-project.ts";

export type HomeworkRuns = {
  /** Those of the user, by id. */
  readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, HomeworkRunFacts>>;
  /** Returns the id of the message; refused where the run cannot hear it. */
  readonly steer: (runId: string, text: string) => Promise<string>;
  readonly answer: (runId: string, questionId: string, text: string) => Promise<string>;
};

/** Tasks that are looked at for the counts of the project. */
const countedMax = 100;

/** `project`: the folder of this user. The others of the root belong to other users, and do not exist here. */
export function openRunsDesk(all: AgentDesk, project: string, runs: HomeworkRuns): AgentDesk {
  const desk = deskByProject(all, (asked) => {
    if (asked !== project) throw new AppError("not_found", "There is no such project.");
    return all;
  });
  const tellAll = async <T extends DeskTask>(tasks: readonly T[]): Promise<readonly T[]> => {
    const ids = tasks.map((task) => desk.homeworkRunOf(project, task.task_id));
    const found = await runs.find(ids.filter((id) => id !== null));
    return tasks.map((task, n) => tellOfRun(task, found.get(ids[n] ?? "")));
  };
  const findRun = async (task: string) => {
    const id = desk.homeworkRunOf(project, task);
    return id === null ? undefined : (await runs.find([id])).get(id);
  };
  const describeProject = async (): Promise<AgentProject> => {
    const [shown, { items }] = await Promise.all([desk.project(project), desk.tasks(project, { limit: countedMax })]);
    const byStatus: AgentProject["by_status"] = {};
    for (const { status } of await tellAll(items)) byStatus[status] = (byStatus[status] ?? 0) + 1;
    return { ...shown, kind: "homework_runs", by_status: byStatus };
  };
  return {
    ...desk,
    projects: async () => {
      const all = await desk.projects();
      return all.some(({ project_id: id }) => id === project) ? [await describeProject()] : [];
    },
    project: describeProject,
    tasks: async (_, { status, ...query }) => {
      const { items, next_cursor: next } = await desk.tasks(project, query);
      const told = await tellAll(items);
      return { items: told.filter((task) => status === undefined || task.status === status), next_cursor: next };
    },
    task: async (_, id) => {
      const [told] = await tellAll([await desk.task(project, id)]);
      if (told === undefined) throw new AppError("not_found", "There is no such task.");
      return told;
    },
    start: () => refuse("Homework starts the agents of its runs. Start a new run, or resume this one on its page."),
    ...wordVerbs(desk, runs, findRun),
    ...stopVerbs(desk),
  };
}

type FindRun = (task: string) => Promise<HomeworkRunFacts | undefined>;
type WordVerbs = Pick<AgentDesk, "post" | "answer">;

function wordVerbs(desk: AgentDesk, runs: HomeworkRuns, findRun: FindRun): WordVerbs {
  return {
    post: async (project, task, message) => {
      if (task === null) return refuse("Homework runs have no common messages. Post to the task of one run.");
      if (isReview(task)) return refuse("Reviewers read no messages. Add guidance on the run's page.");
      const run = message.type === "USER" ? await findRun(task) : undefined;
      if (run === undefined) return desk.post(project, task, message);
      return desk.post(project, task, message, { message: await runs.steer(run.id, message.message) });
    },
    answer: async (project, task, questionId, text) => {
      const run = await findRun(task);
      // An agent that still waits for its answer reads it on the bus.
      if (run?.status !== "waiting_on_user") return desk.answer(project, task, questionId, text);
      return desk.answer(project, task, questionId, text, { message: await runs.answer(run.id, questionId, text) });
    },
  };
}

function stopVerbs(desk: AgentDesk): Pick<AgentDesk, "stopTask" | "stopRun"> {
  const nothingToStop = "No agent is working now. To hold the run, pause or cancel it on its page.";
  return {
    stopTask: async (project, task, reason) => {
      const { active_runs: active } = await desk.task(project, task);
      return active === 0 ? refuse(nothingToStop) : desk.stopTask(project, task, reason);
    },
    stopRun: async (project, task, run, reason) => {
      const { is_active: isActive } = await desk.run(project, task, run);
      return isActive ? desk.stopRun(project, task, run, reason) : refuse(nothingToStop);
    },
  };
}

const isReview = (task: string): boolean => task.endsWith("-review");

function refuse(why: string): never {
  throw new AppError("unprocessable", why);
}

/** A review has a folder of its own, which alone says how it stands. */
function tellOfRun<T extends DeskTask>(task: T, run: HomeworkRunFacts | undefined): T {
  if (run === undefined) return task;
  const role = isReview(task.task_id) ? ("review" as const) : ("work" as const);
  const { id, objective, status } = run;
  const told = { ...task, homework_run: { run_id: id, objective, status, role } };
  return role === "review" ? { ...told, ...tellReview(task) } : { ...told, ...describeRunTask(run, task) };
}

const tellReview = ({ status, active_runs: active }: DeskTask): Pick<AgentTask, "why" | "restart"> => ({
  why:
    active > 0
      ? "An agent reviews the changes."
      : status === "done"
        ? "The review is done."
        : "No review is under way.",
  restart: { will_restart: "unknown", why: "A review follows each iteration whose agent says it is done." },
});

// A desk that is several: each project is asked of the desk that has it. What is asked of no project comes from the first one.

import type { AgentDesk } from "./agent-desk.ts";

/** `pick` throws where there is no such project. */
export function deskByProject(first: AgentDesk, pick: (project: string) => AgentDesk): AgentDesk {
  return {
    info: first.info,
    projects: first.projects,
    asking: first.asking,
    homeworkRunOf: (project, ...rest) => pick(project).homeworkRunOf(project, ...rest),
    project: (project) => pick(project).project(project),
    tasks: (project, ...rest) => pick(project).tasks(project, ...rest),
    runs: (project, ...rest) => pick(project).runs(project, ...rest),
    task: (project, ...rest) => pick(project).task(project, ...rest),
    run: (project, ...rest) => pick(project).run(project, ...rest),
    start: (project, ...rest) => pick(project).start(project, ...rest),
    stopTask: (project, ...rest) => pick(project).stopTask(project, ...rest),
    stopRun: (project, ...rest) => pick(project).stopRun(project, ...rest),
    bus: (project, ...rest) => pick(project).bus(project, ...rest),
    post: (project, ...rest) => pick(project).post(project, ...rest),
    answer: (project, ...rest) => pick(project).answer(project, ...rest),
    facts: (project, ...rest) => pick(project).facts(project, ...rest),
    projectFile: (project, ...rest) => pick(project).projectFile(project, ...rest),
    file: (project, ...rest) => pick(project).file(project, ...rest),
    runFile: (project, ...rest) => pick(project).runFile(project, ...rest),
    log: (project, ...rest) => pick(project).log(project, ...rest),
    streamBus: (project, ...rest) => pick(project).streamBus(project, ...rest),
    streamTask: (project, ...rest) => pick(project).streamTask(project, ...rest),
  };
}

/** The desk of a user's own tasks and that of their Homework runs as one; null: the user has neither. */
export function joinDesks(own: AgentDesk | null, runs: AgentDesk | null, runsProject: string): AgentDesk | null {
  if (runs === null) return own;
  if (own === null) return { ...runs, info: () => ({ ...runs.info(), root: "", why_not_start: noFolder }) };
  return {
    ...deskByProject(own, (project) => (project === runsProject ? runs : own)),
    projects: async () => {
      const ofOwn = (await own.projects()).filter(({ project_id: id }) => id !== runsProject);
      return [...ofOwn, ...(await runs.projects())].toSorted((one, other) =>
        (other.last_activity ?? "").localeCompare(one.last_activity ?? ""),
      );
    },
  };
}

const noFolder =
  "You have no folder for tasks of your own here (agents_root). Start a Homework run with an agent instead.";

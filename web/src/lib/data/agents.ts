// Server state about agents: projects, tasks, runs, messages. Files tell of no change by themselves, so lists are read again every two
// seconds while they are looked at; a task and its log have a stream (`live/use-task-stream.ts`).

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export type TaskPlace = { readonly agentProject: string; readonly agentTask: string };
export type RunPlace = TaskPlace & { readonly agentRun: string };
/** A task, or a project where no task is named. */
export type BusPlace = { readonly agentProject: string; readonly agentTask: string | null };

const everyMs = 2_000;
/** A stream tells of changes; this is for those that it cannot see, such as a fact. */
const seldomMs = 5_000;

export const agentsInfoQuery = queryOptions({
  queryKey: [...keys.agents, "info"],
  queryFn: ({ signal }) => api(routes.agents.info, {}, { signal }),
  staleTime: 60_000,
});

export const agentProjectsQuery = queryOptions({
  queryKey: [...keys.agents, "projects"],
  queryFn: ({ signal }) => api(routes.agents.projects, {}, { signal }),
  refetchInterval: everyMs,
});

export const agentProjectQuery = (agentProject: string) =>
  queryOptions({
    queryKey: [...keys.agents, agentProject, "itself"],
    queryFn: ({ signal }) => api(routes.agents.project, { params: { agentProject } }, { signal }),
  });

export const agentTasksQuery = (agentProject: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.agents, agentProject, "tasks"],
    queryFn: ({ signal, pageParam }) =>
      api(routes.agents.tasks, { params: { agentProject }, query: { cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: everyMs,
  });

export const agentTaskKey = ({ agentProject, agentTask }: TaskPlace) =>
  [...keys.agents, agentProject, "task", agentTask] as const;

export const agentTaskQuery = (place: TaskPlace) =>
  queryOptions({
    queryKey: [...agentTaskKey(place), "itself"],
    queryFn: ({ signal }) => api(routes.agents.task, { params: place }, { signal }),
    refetchInterval: seldomMs,
  });

export const agentRunQuery = (place: RunPlace) =>
  queryOptions({
    queryKey: [...agentTaskKey(place), "run", place.agentRun],
    queryFn: ({ signal }) => api(routes.agents.run, { params: place }, { signal }),
    refetchInterval: seldomMs,
  });

export const runFileQuery = (place: RunPlace, name: string) =>
  queryOptions({
    queryKey: [...agentTaskKey(place), "run", place.agentRun, "file", name],
    queryFn: ({ signal }) => api(routes.agents.runFile, { params: place, query: { name } }, { signal }),
  });

export const taskFileQuery = (place: TaskPlace, name: string) =>
  queryOptions({
    queryKey: [...agentTaskKey(place), "file", name],
    queryFn: ({ signal }) => api(routes.agents.file, { params: place, query: { name } }, { signal }),
  });

export const factsQuery = ({ agentProject, agentTask }: BusPlace) =>
  queryOptions({
    queryKey: [...keys.agents, agentProject, "facts", agentTask],
    queryFn: ({ signal }) =>
      agentTask === null
        ? api(routes.agents.projectFacts, { params: { agentProject } }, { signal })
        : api(routes.agents.facts, { params: { agentProject, agentTask } }, { signal }),
    refetchInterval: seldomMs,
  });

export const busKey = ({ agentProject, agentTask }: BusPlace) =>
  [...keys.agents, agentProject, "bus", agentTask] as const;

/** The newest page first; each page is oldest first. */
export const busQuery = (place: BusPlace) =>
  infiniteQueryOptions({
    queryKey: busKey(place),
    queryFn: ({ signal, pageParam }) => {
      const { agentProject, agentTask } = place;
      const query = { before: pageParam };
      return agentTask === null
        ? api(routes.agents.projectBus, { params: { agentProject }, query }, { signal })
        : api(routes.agents.bus, { params: { agentProject, agentTask }, query }, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? page.items[0]?.msg_id : undefined),
  });

// The tasks among a run's outputs as they are now, by id.

import { useQueries } from "@tanstack/react-query";
import { type EntitySummary, type RunOutput, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";

export type TasksById = ReadonlyMap<string, EntitySummary>;

/** A run that writes tasks into more projects shows the rest without it. */
const projectsMax = 5;
const tasksMax = 200;

export function useTasks(outputs: readonly RunOutput[]): TasksById {
  const tasks = outputs.filter(({ kind, is_there: isThere }) => kind === "task" && isThere);
  const projectIds = [...new Set(tasks.map(({ project_id: id }) => id))].slice(0, projectsMax);
  const found = useQueries({
    queries: projectIds.map((projectId) => ({
      queryKey: [...keys.entities(projectId, "task"), "newest"],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api(routes.task.list, { params: { projectId }, query: { limit: tasksMax } }, { signal }),
    })),
  });
  return new Map(found.flatMap(({ data }) => data?.items.map((task) => [task.id, task] as const) ?? []));
}

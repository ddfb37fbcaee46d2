// Finds projects and tasks of agents by a part of their name. Their folders have no index: the projects with the latest activity are
// read, and a page of tasks of each.

import { queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export type AgentHit = {
  readonly project: string;
  /** Null: the project itself was found. */
  readonly task: { readonly id: string; readonly title: string } | null;
};

/** Each of them is a request. */
const projectsMax = 8;

/** Everything that can be found; `findAgents` chooses. Tasks of Homework runs are found as runs. */
export const agentHitsQuery = queryOptions({
  queryKey: [...keys.agents, "hits"],
  queryFn: async ({ signal }): Promise<readonly AgentHit[]> => {
    const { items } = await api(routes.agents.projects, {}, { signal });
    const own = items.filter(({ kind }) => kind === "own");
    const tasks = await Promise.all(
      own
        .slice(0, projectsMax)
        .map(({ project_id: agentProject }) =>
          api(routes.agents.tasks, { params: { agentProject }, query: {} }, { signal }),
        ),
    );
    return [
      ...own.map(({ project_id: project }) => ({ project, task: null })),
      ...tasks
        .flatMap((page) => page.items)
        .map(({ project_id: project, task_id: id, title }) => ({ project, task: { id, title } })),
    ];
  },
  staleTime: 10_000,
});

/** Every word has to be in the name; capitals do not matter. */
export function findAgents(hits: readonly AgentHit[], text: string, limit: number): readonly AgentHit[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (name: string) => words.every((word) => name.toLowerCase().includes(word));
  return hits.filter(({ project, task }) => has(task?.title ?? project)).slice(0, limit);
}

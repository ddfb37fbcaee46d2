// A new run with the objective and the settings of another: what is sent for it. Checks of the planner and the platform are left out:
// the new run makes its own. Pure.

import type { Run, routes } from "../../../../../src/protocol/api.ts";
import type { RouteInput } from "../../../../../src/protocol/route.ts";
import { givenCheck } from "../../../../../src/protocol/routes/runs.ts";

type NewRun = NonNullable<RouteInput<typeof routes.runs.create>["body"]>;

/** `repository`: where the agents of the run worked; null: in a folder of its own, or without agents. */
export function bodyOfAgain(run: Run, repository: string | null): NewRun {
  // An agent has its own tools and model: runs of before could be given others, which did nothing.
  const isAgent = run.engine === "agent";
  const { write_mode, allowed_tools: tools } = run.permissions;
  return {
    objective: run.objective,
    foreign_texts: run.foreign_texts,
    engine: run.engine,
    ...(repository === null ? {} : { work_folder: repository }),
    scope: run.scope,
    project_ids: run.project_ids,
    context_type: run.context_type as NonNullable<NewRun["context_type"]>,
    ...(run.entity_id === null ? {} : { entity_id: run.entity_id }),
    budgets: run.budgets,
    ...(run.models === null || isAgent ? {} : { models: run.models }),
    permissions: { write_mode, ...(tools === null || isAgent ? {} : { allowed_tools: tools }) },
    completion_criteria: run.completion_criteria
      .filter(({ given_by: by }) => by === "user")
      .map(({ kind, target }) => givenCheck.parse({ ...target, kind })),
    judge: run.judge,
    time_zone: run.time_zone,
  };
}

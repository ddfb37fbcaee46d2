// What a run was handed over with, from the run itself, in the names of the wire.

import type { Budget } from "./budget/budget.ts";
import type { RunConfig } from "./config.ts";
import type { Run, RunScope } from "./run.ts";

export const describeConfig = ({ engine, scope, context, budget, permission, models }: Run): RunConfig => ({
  engine,
  scope: scope.kind,
  project_ids: [...listProjects(scope)],
  context_type: context.type,
  entity_id: context.entityId,
  budgets: describeBudget(budget),
  permissions: {
    write_mode: permission.writeMode,
    allowed_tools: permission.allowedTools === null ? null : [...permission.allowedTools],
  },
  models,
});

/** The projects that a scope names; none for a global one. */
export function listProjects(scope: RunScope): readonly string[] {
  if (scope.kind === "global") return [];
  return scope.kind === "project" ? [scope.projectId] : scope.projectIds;
}

export const describeBudget = (budget: Budget): RunConfig["budgets"] => ({
  max_iterations: budget.maxIterations,
  max_wall_clock_ms: budget.maxRunningMs,
  max_cost_usd: budget.maxCostMicroUsd === null ? null : budget.maxCostMicroUsd / 1_000_000,
  max_total_tokens: budget.maxTokens,
  max_tool_calls: budget.maxToolCalls,
  hard: budget.isCostHard,
});

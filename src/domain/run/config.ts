// What a run was handed over with, in the names of the wire: its first event and the API's answer say the same.

import { z } from "zod";
import { runLimits } from "./limits.ts";
import { engines, writeModes } from "./run.ts";
import type { RunModelRole } from "./run-models.ts";

const whole = z.number().int();

/** What a run may use; null is no limit. */
export const budgetFields = {
  max_iterations: whole.min(1).max(runLimits.iterations),
  /** Time in iterations; waiting never counts. */
  max_wall_clock_ms: whole.min(1_000).max(runLimits.runningMs),
  /** Kept in whole micro-dollars. */
  max_cost_usd: z.number().min(0.000_001).max(runLimits.costUsd).nullable(),
  max_total_tokens: whole.min(1).max(runLimits.tokens).nullable(),
  max_tool_calls: whole.min(1).max(runLimits.toolCalls).nullable(),
  /** Also refuse the call that could cross `max_cost_usd`. */
  hard: z.boolean(),
};

/** By role; one that is left out has the installation's. */
export const modelFields = (model: z.ZodString) => {
  const one = model.optional();
  return { planner: one, executor: one, repair: one, summary: one, judge: one } satisfies Record<RunModelRole, unknown>;
};

export const configFields = {
  engine: z.enum(engines),
  scope: z.enum(["global", "project", "multi_project"]),
  project_ids: z.array(z.uuid()),
  context_type: z.string(),
  entity_id: z.uuid().nullable(),
  budgets: z.object(budgetFields),
  permissions: z.object({ write_mode: z.enum(writeModes), allowed_tools: z.array(z.string()).nullable() }),
  /** Chosen for this run; null: those of the installation. */
  models: z.object(modelFields(z.string())).nullable(),
};

export const runConfig = z.object(configFields);
export type RunConfig = z.infer<typeof runConfig>;

// What a planner wants done, as the set by which repetition is told.

import type { Action } from "../run/fingerprint.ts";
import type { PlannerAnswer } from "./answer.ts";

export const actionsOf = ({ tool_calls: calls, executor_tasks: tasks }: PlannerAnswer): readonly Action[] => [
  ...calls.map(({ tool, args, step_id: stepId }) => ({ tool, args, stepId })),
  ...tasks.map(({ title, instructions, step_id: stepId }) => ({
    tool: "executor",
    args: { title, instructions },
    stepId,
  })),
];

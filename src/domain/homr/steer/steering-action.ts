// The seven ways in which HOMЯ changes the work of an outcome. Each says why, and what caused it.

import type { Audience, Cause, Injection } from "../context/context.ts";
import type { NewTask } from "../tasks/new-tasks.ts";
import type { TaskId } from "../tasks/task-id.ts";

export type SteeringAction = { readonly reason: string; readonly cause: Cause } & (
  | {
      readonly type: "inject_context";
      readonly audience: Audience;
      readonly injection: Pick<Injection, "type" | "content" | "priority">;
    }
  | { readonly type: "update_description"; readonly taskId: TaskId; readonly additions: string }
  | { readonly type: "update_priority"; readonly taskId: TaskId; readonly priority: number }
  | { readonly type: "mark_obsolete"; readonly taskId: TaskId }
  /** `waiting`: tasks that have to wait for it. */
  | { readonly type: "create_task"; readonly task: NewTask; readonly waiting: readonly TaskId[] }
  | { readonly type: "add_dependency"; readonly taskId: TaskId; readonly dependsOn: TaskId }
  | { readonly type: "suggest_design_update"; readonly suggestion: string }
);

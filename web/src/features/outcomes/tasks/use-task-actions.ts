// What a person can do to a task without a form.

import { type OutcomeTask, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { useOutcomeCommand } from "../use-outcome-command.ts";

type Numbered = Pick<OutcomeTask, "id" | "number" | "version">;
type Edge = { readonly task: Numbered; readonly other: Pick<OutcomeTask, "id" | "number"> };

export function useTaskActions() {
  const { id: outcomeId } = useOutcome();
  const paramsOf = ({ id }: Pick<OutcomeTask, "id">) => ({ outcomeId, taskId: id });
  return {
    retry: useOutcomeCommand({
      failure: "The task was not started over",
      send: (task: Numbered) => api(routes.outcomeTasks.retry, { params: paramsOf(task) }),
      onDone: (_, { number }) => showDone(`#${number} is queued again`),
    }),
    setPriority: useOutcomeCommand({
      failure: "The priority was not changed",
      send: ({ task, priority }: { readonly task: Numbered; readonly priority: number }) =>
        api(routes.outcomeTasks.update, { params: paramsOf(task), body: { version: task.version, priority } }),
    }),
    addDependency: useOutcomeCommand({
      failure: "The dependency was not added",
      send: ({ task, other }: Edge) =>
        api(routes.outcomeTasks.addDependency, { params: paramsOf(task), body: { depends_on: other.id } }),
      onDone: (_, { task, other }) => showDone(`#${task.number} waits for #${other.number}`),
    }),
    removeDependency: useOutcomeCommand({
      failure: "The dependency was not removed",
      send: ({ task, other }: Edge) =>
        api(routes.outcomeTasks.removeDependency, { params: { ...paramsOf(task), dependsOn: other.id } }),
      onDone: (_, { task, other }) => showDone(`#${task.number} no longer waits for #${other.number}`),
    }),
  };
}

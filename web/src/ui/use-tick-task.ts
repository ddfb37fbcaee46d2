// Ticks a task off, or opens it again. Shown at once in every list; taken back where the server refuses it.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Entity, type EntitySummary, routes } from "../../../src/protocol/api.ts";
import { api } from "../lib/api.ts";
import { changeInLists } from "../lib/data/entity-cache.ts";
import { keys } from "../lib/data/keys.ts";
import { currentOf } from "../lib/failure.ts";
import { refreshProject } from "../lib/refresh.ts";
import { showRefused } from "./toast.ts";

export function useTickTask(task: EntitySummary) {
  const queryClient = useQueryClient();
  const { project_id: projectId, id: entityId, version } = task;
  const show = ({ content: _, ...saved }: Entity) => changeInLists(queryClient, task, saved);
  const tick = useMutation({
    mutationFn: (isDone: boolean) =>
      api(routes.task.update, {
        params: { projectId, entityId },
        body: { version, state_key: isDone ? "done" : "todo" },
      }),
    onMutate: async (isDone) => {
      await queryClient.cancelQueries({ queryKey: keys.entities(projectId, "task") });
      changeInLists(queryClient, task, { state_key: isDone ? "done" : "todo" });
      return task.state_key;
    },
    onSuccess: (saved) => {
      show(saved);
      queryClient.setQueryData(keys.entity(projectId, entityId), saved);
    },
    onError: (error, _isDone, before) => {
      const current = currentOf<Entity>(error);
      if (current) show(current);
      else if (before !== undefined) changeInLists(queryClient, task, { state_key: before });
      if (current) showRefused(`Someone else changed “${current.title}”. You see it as it is now.`);
    },
    onSettled: () => refreshProject(queryClient, projectId),
  });
  return {
    /** A second press before the answer would name a version that is gone. */
    setDone: (isDone: boolean) => {
      if (!tick.isPending) tick.mutate(isDone);
    },
  };
}

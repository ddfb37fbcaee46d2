// Putting a thing in the bin and taking it out again.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type EntitySummary, routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { showDone } from "../../ui/toast.ts";

export function useEntityBin(entity: Pick<EntitySummary, "id" | "kind" | "project_id">) {
  const queryClient = useQueryClient();
  const params = { projectId: entity.project_id, entityId: entity.id };
  const done = (word: string) => () => {
    showDone(word);
    refreshProject(queryClient, entity.project_id);
  };
  const remove = useMutation({
    mutationFn: () => api(routes[entity.kind].remove, { params }),
    onSuccess: done(`The ${entity.kind} is in the bin`),
  });
  const restore = useMutation({
    mutationFn: () => api(routes[entity.kind].restore, { params }),
    onSuccess: done(`The ${entity.kind} is back`),
  });
  return { remove, restore };
}

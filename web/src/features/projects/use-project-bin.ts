// Putting a project in the bin and taking it out again.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { showDone } from "../../ui/toast.ts";

export function useProjectBin(projectId: string) {
  const queryClient = useQueryClient();
  const done = (word: string) => () => {
    showDone(word);
    refreshProject(queryClient, projectId);
  };
  const remove = useMutation({
    mutationFn: () => api(routes.projects.remove, { params: { projectId } }),
    onSuccess: done("The project is in the bin"),
  });
  const restore = useMutation({
    mutationFn: () => api(routes.projects.restore, { params: { projectId } }),
    onSuccess: done("The project is back"),
  });
  return { remove, restore };
}

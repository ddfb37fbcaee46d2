// Changing a member's role and removing a member.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { ProjectRole } from "../../../../src/protocol/kinds.ts";
import { api } from "../../lib/api.ts";
import { refreshProject } from "../../lib/refresh.ts";

export function useMemberChanges(projectId: string, userId: string) {
  const queryClient = useQueryClient();
  // Also after a refusal: the select must show the role that still holds.
  const onSettled = () => refreshProject(queryClient, projectId);
  const params = { projectId, userId };
  const changeRole = useMutation({
    mutationFn: (role: ProjectRole) => api(routes.projects.updateMember, { params, body: { role } }),
    onSettled,
  });
  const remove = useMutation({ mutationFn: () => api(routes.projects.removeMember, { params }), onSettled });
  return { changeRole, remove };
}

// What to fetch again after a write of one's own.

import type { QueryClient } from "@tanstack/react-query";
import { keys } from "./data/keys.ts";

export function refreshProject(queryClient: QueryClient, projectId: string): void {
  void queryClient.invalidateQueries({ queryKey: keys.project(projectId) });
  void queryClient.invalidateQueries({ queryKey: keys.projects });
  void queryClient.invalidateQueries({ queryKey: keys.search });
}

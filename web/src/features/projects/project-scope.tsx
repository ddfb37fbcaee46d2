// Around every page of one project: loads it, refuses politely if it is not there, and follows its changes live.

import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useProjectId } from "../../lib/current-route.ts";
import { projectQuery } from "../../lib/data/projects.ts";
import { useProjectStream } from "../../lib/live/use-project-stream.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { PageSkeleton } from "../../ui/skeletons.tsx";

export function ProjectScope() {
  const projectId = useProjectId();
  const project = useQuery(projectQuery(projectId));
  return (
    <QueryView query={project} skeleton={<PageSkeleton />}>
      {() => (
        <>
          <Follow key={projectId} projectId={projectId} />
          <Outlet />
        </>
      )}
    </QueryView>
  );
}

function Follow({ projectId }: { readonly projectId: string }) {
  useProjectStream(projectId);
  return null;
}

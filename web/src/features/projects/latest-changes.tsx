// The newest few lines of a project's history.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { changesQuery, membersQuery } from "../../lib/data/projects.ts";
import { ChangeList } from "../../ui/change-list.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { QueryView } from "../../ui/query-view.tsx";

const shown = 5;

export function LatestChanges({ projectId }: { readonly projectId: string }) {
  const changes = useInfiniteQuery(changesQuery(projectId));
  const members = useQuery(membersQuery(projectId));
  const names = new Map(members.data?.items.map((member) => [member.user_id, member.name]));
  return (
    <QueryView query={changes}>
      {(data) => (
        <>
          <ChangeList
            projectId={projectId}
            changes={(data.pages[0]?.items ?? []).slice(0, shown)}
            names={names}
            brief
          />
          <AnchorLink to="/projects/$projectId/history" params={{ projectId }} size="sm" mt="sm" display="inline-block">
            The whole history
          </AnchorLink>
        </>
      )}
    </QueryView>
  );
}

// The history of a project or of one thing in it, a page at a time.

import { Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { changesQuery, membersQuery } from "../lib/data/projects.ts";
import { ChangeList } from "./change-list.tsx";
import { LoadMore } from "./load-more.tsx";
import { QueryView } from "./query-view.tsx";

type HistoryProps = { readonly projectId: string; readonly entityId?: string };

export function History({ projectId, entityId }: HistoryProps) {
  const changes = useInfiniteQuery(changesQuery(projectId, entityId));
  const members = useQuery(membersQuery(projectId));
  const names = new Map(members.data?.items.map((member) => [member.user_id, member.name]));
  return (
    <QueryView query={changes}>
      {(data) => {
        const items = data.pages.flatMap((page) => page.items);
        if (items.length === 0) return <Text c="dimmed">Nothing has happened yet.</Text>;
        return (
          <>
            <ChangeList projectId={projectId} changes={items} names={names} />
            <LoadMore query={changes} />
          </>
        );
      }}
    </QueryView>
  );
}

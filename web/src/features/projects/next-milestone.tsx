// The milestone of a project that has to be reached next.

import { Group, Paper, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Project } from "../../../../src/protocol/api.ts";
import { entitiesQuery } from "../../lib/data/entities.ts";
import { describeDue, isClosed } from "../../lib/urgency.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";

const looked = 50;

/** Nothing where no milestone with a date is open. */
export function NextMilestone({ project }: { readonly project: Project }) {
  const milestones = useInfiniteQuery(entitiesQuery(project.id, "milestone", { sort: "due", limit: looked })).data;
  const next = milestones?.pages.flatMap((page) => page.items).find((each) => each.due_at !== null && !isClosed(each));
  if (next === undefined) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="next-milestone">
      <Title order={2} size="h4" id="next-milestone" mb="xs">
        Next milestone
      </Title>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <KindIcon kind="milestone" />
        <div className="grow">
          <EntityLink kind="milestone" projectId={project.id} id={next.id} className="breakable">
            {next.title}
          </EntityLink>
          <Text size="sm" c="dimmed">
            {describeDue(next, Date.now())}
          </Text>
        </div>
        <StateBadge state={next.state_key} />
      </Group>
    </Paper>
  );
}

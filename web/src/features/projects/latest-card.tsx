// The few things of one kind that changed last, with the way to all of them.

import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Project } from "../../../../src/protocol/api.ts";
import { kindSpecs } from "../../../../src/protocol/kinds.ts";
import { entitiesQuery } from "../../lib/data/entities.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { kindPurposes, wordsOf } from "../../ui/wording.ts";

const shown = 5;

type LatestCardProps = { readonly project: Project; readonly kind: "task" | "document" };

export function LatestCard({ project, kind }: LatestCardProps) {
  const { plural } = kindSpecs[kind];
  const latest = useInfiniteQuery(entitiesQuery(project.id, kind, { limit: shown }));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={`latest-${plural}`}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id={`latest-${plural}`}>
          {wordsOf(plural)}
        </Title>
        <AnchorLink to="/projects/$projectId/$plural" params={{ projectId: project.id, plural }} size="sm">
          All {plural}
        </AnchorLink>
      </Group>
      <QueryView query={latest}>
        {(data) => {
          const items = data.pages[0]?.items ?? [];
          if (items.length === 0) return <Text c="dimmed">{kindPurposes[kind]} There are none yet.</Text>;
          return (
            <Stack component="ul" gap="xs" className="plain-list">
              {items.map((entity) => (
                <Group component="li" key={entity.id} gap="xs" wrap="nowrap">
                  <KindIcon kind={kind} />
                  <EntityLink
                    kind={kind}
                    projectId={project.id}
                    id={entity.id}
                    className="breakable grow"
                    lineClamp={2}
                  >
                    {entity.title}
                  </EntityLink>
                  <StateBadge state={entity.state_key} />
                </Group>
              ))}
            </Stack>
          );
        }}
      </QueryView>
    </Paper>
  );
}

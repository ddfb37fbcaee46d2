// A few things of one kind, with the way to all of them: the most urgent tasks, and the documents that changed last.

import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { EntitySummary, Project } from "../../../../src/protocol/api.ts";
import { kindSpecs } from "../../../../src/protocol/kinds.ts";
import { entitiesQuery } from "../../lib/data/entities.ts";
import { compareUrgency, describeDue } from "../../lib/urgency.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { kindPurposes, wordsOf } from "../../ui/wording.ts";

const shown = 5;
/** Of those that changed last, the most urgent ones are shown. */
const looked = 50;

type LatestCardProps = { readonly project: Project; readonly kind: "task" | "document" };

export function LatestCard({ project, kind }: LatestCardProps) {
  const { plural } = kindSpecs[kind];
  const latest = useInfiniteQuery(entitiesQuery(project.id, kind, { limit: looked }));
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
          const items = (data.pages[0]?.items ?? []).toSorted(compareUrgency).slice(0, shown);
          if (items.length === 0) return <Text c="dimmed">{kindPurposes[kind]} There are none yet.</Text>;
          return (
            <Stack component="ul" gap="xs" className="plain-list">
              {items.map((entity) => (
                <Group component="li" key={entity.id} gap="xs" wrap="nowrap" align="flex-start">
                  <KindIcon kind={kind} />
                  <div className="grow">
                    <EntityLink kind={kind} projectId={project.id} id={entity.id} className="breakable" lineClamp={2}>
                      {entity.title}
                    </EntityLink>
                    <Facts entity={entity} />
                  </div>
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

/** `Priority 1 · due Mar 1, 2026, in 3 days`. */
function Facts({ entity }: { readonly entity: EntitySummary }) {
  const due = describeDue(entity, Date.now());
  const words = [...(entity.priority === null ? [] : [`priority ${entity.priority}`]), ...(due === null ? [] : [due])];
  if (words.length === 0) return null;
  const line = words.join(" · ");
  return (
    <Text size="xs" c="dimmed">
      {line.charAt(0).toUpperCase() + line.slice(1)}
    </Text>
  );
}

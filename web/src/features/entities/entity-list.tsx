// Things of one kind as rows.

import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { EntitySummary } from "../../../../src/protocol/api.ts";
import { type EntityKind, kindSpecs } from "../../../../src/protocol/kinds.ts";
import { type EntityFilter, entitiesQuery } from "../../lib/data/entities.ts";
import { dayOf } from "../../lib/dates.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { NoEntities } from "./no-entities.tsx";
import { useEntityBin } from "./use-entity-bin.ts";

type EntityListProps = {
  readonly projectId: string;
  readonly kind: EntityKind;
  readonly filter: EntityFilter;
  readonly editable: boolean;
  readonly onNew?: () => void;
};

export function EntityList({ projectId, kind, filter, editable, onNew }: EntityListProps) {
  const entities = useInfiniteQuery(entitiesQuery(projectId, kind, filter));
  return (
    <QueryView query={entities}>
      {(data) => {
        const items = data.pages.flatMap((page) => page.items);
        if (items.length === 0) return <Nothing kind={kind} filter={filter} {...(onNew ? { onNew } : {})} />;
        return (
          <>
            <Stack component="ul" gap="xs" className="plain-list">
              {items.map((entity) => (
                <EntityRow key={entity.id} entity={entity} editable={editable} />
              ))}
            </Stack>
            <LoadMore query={entities} />
          </>
        );
      }}
    </QueryView>
  );
}

type NothingProps = Pick<EntityListProps, "kind" | "filter" | "onNew">;

function Nothing({ kind, filter, onNew }: NothingProps) {
  const { plural } = kindSpecs[kind];
  if (filter.bin) {
    return (
      <EmptyNotice icon={<IconTrash aria-hidden />} title="The bin is empty">
        {plural.charAt(0).toUpperCase() + plural.slice(1)} you put in the bin wait here until you restore them.
      </EmptyNotice>
    );
  }
  if (filter.state) {
    return (
      <EmptyNotice icon={<KindIcon kind={kind} />} title={`No ${plural} in this state`}>
        Choose another state above, or clear it to see all of them.
      </EmptyNotice>
    );
  }
  return <NoEntities kind={kind} {...(onNew ? { onNew } : {})} />;
}

function EntityRow({ entity, editable }: { readonly entity: EntitySummary; readonly editable: boolean }) {
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <KindIcon kind={entity.kind} />
        <div className="grow">
          <EntityLink kind={entity.kind} projectId={entity.project_id} id={entity.id} fw={600} className="breakable">
            {entity.title}
          </EntityLink>
          {entity.description ? (
            <Text size="sm" c="dimmed" lineClamp={1} className="breakable">
              {entity.description}
            </Text>
          ) : null}
          <Text size="xs" c="dimmed">
            {entity.priority === null ? "" : `Priority ${entity.priority} · `}
            {entity.due_at === null ? "" : `due ${dayOf(entity.due_at)} · `}
            changed <Time at={entity.updated_at} />
          </Text>
          {entity.deleted_at && editable ? <RestoreButton entity={entity} /> : null}
        </div>
        <StateBadge state={entity.state_key} />
      </Group>
    </Paper>
  );
}

function RestoreButton({ entity }: { readonly entity: EntitySummary }) {
  const { restore } = useEntityBin(entity);
  return (
    <Button
      size="xs"
      mt="xs"
      variant="default"
      loading={restore.isPending}
      onClick={() => restore.mutate()}
      aria-label={`Restore ${entity.title}`}
    >
      Restore
    </Button>
  );
}

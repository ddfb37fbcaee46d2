// Things of one kind as rows, and what can be done with several of them at once.

import { Button, Group, Stack } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { EntitySummary } from "../../../../src/protocol/api.ts";
import { type EntityKind, kindSpecs } from "../../../../src/protocol/kinds.ts";
import { type EntityFilter, entitiesQuery, projectEdgesQuery } from "../../lib/data/entities.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { BulkFailures } from "./bulk-failures.tsx";
import { EntityRow } from "./entity-row.tsx";
import { groupLinks } from "./link-groups.ts";
import { NoEntities } from "./no-entities.tsx";
import { type BulkResult, useBulkChange } from "./use-bulk-change.ts";
import { type Selection, useSelection } from "./use-selection.ts";

type EntityListProps = {
  readonly projectId: string;
  readonly kind: EntityKind;
  readonly filter: EntityFilter;
  readonly editable: boolean;
  readonly onNew?: () => void;
};

export function EntityList({ projectId, kind, filter, editable, onNew }: EntityListProps) {
  const entities = useInfiniteQuery(entitiesQuery(projectId, kind, filter));
  const items = entities.data?.pages.flatMap((page) => page.items) ?? [];
  const selection = useSelection(items);
  const linkedTasks = useLinkedTasks(projectId, kind, filter.bin ?? false);
  return (
    <QueryView query={entities}>
      {() =>
        items.length === 0 ? (
          <Nothing kind={kind} filter={filter} {...(onNew ? { onNew } : {})} />
        ) : (
          <>
            {editable && !filter.bin && (items.length > 1 || selection.isOpen) ? (
              <SelectButton items={items} selection={selection} />
            ) : null}
            <Stack component="ul" gap="xs" className="plain-list">
              {items.map((entity) => (
                <EntityRow
                  key={entity.id}
                  entity={entity}
                  editable={editable}
                  selection={selection}
                  linkedTasks={linkedTasks?.get(entity.id) ?? (linkedTasks && 0)}
                />
              ))}
            </Stack>
            <LoadMore query={entities} />
            {selection.isOpen ? <ChosenRows projectId={projectId} kind={kind} selection={selection} /> : null}
          </>
        )
      }
    </QueryView>
  );
}

/** Linked tasks by the id of what they are linked with, for kinds that are reached by doing tasks. */
function useLinkedTasks(projectId: string, kind: EntityKind, bin: boolean): ReadonlyMap<string, number> | undefined {
  const isTold = kind !== "task" && kind !== "document" && !bin;
  const edges = useQuery({ ...projectEdgesQuery(projectId), enabled: isTold }).data?.items;
  return useMemo(() => {
    if (!isTold || edges === undefined) return undefined;
    const ends = edges.flatMap((edge) => [
      ...(edge.src_kind === "task" ? [{ id: edge.dst_id, edge }] : []),
      ...(edge.dst_kind === "task" ? [{ id: edge.src_id, edge }] : []),
    ]);
    // As on its own page: what waits for it is no part of it.
    const isPart = ({ id, edge }: (typeof ends)[number]) => groupLinks([edge], id).waits.length === 0;
    return new Map([...Map.groupBy(ends.filter(isPart), ({ id }) => id)].map(([id, found]) => [id, found.length]));
  }, [edges, isTold]);
}

type SelectButtonProps = { readonly items: readonly EntitySummary[]; readonly selection: Selection };

/** One place for both, so that the rows below it stay where they are. */
function SelectButton({ items, selection }: SelectButtonProps) {
  const selectAll = () => selection.choose(items.map(({ id }) => id));
  return (
    <Group justify="flex-end">
      <Button variant="subtle" size="compact-sm" onClick={selection.isOpen ? selectAll : selection.open}>
        {selection.isOpen ? "Select all" : "Select several"}
      </Button>
    </Group>
  );
}

type ChosenRowsProps = Pick<EntityListProps, "projectId" | "kind"> & { readonly selection: Selection };

function ChosenRows({ projectId, kind, selection }: ChosenRowsProps) {
  const [result, setResult] = useState<BulkResult | null>(null);
  // What was refused stays chosen: the list shows it as it is now, and it can be tried again.
  const bulk = useBulkChange(projectId, kind, (ended) => {
    setResult(ended);
    selection.choose(ended.failures.map(({ id }) => id));
  });
  return (
    <BulkBar
      kind={kind}
      count={selection.chosen.length}
      isBusy={bulk.isPending}
      onChange={(change) => bulk.mutate({ items: selection.chosen, change })}
      onClose={selection.close}
    >
      {result ? <BulkFailures result={result} onClose={() => setResult(null)} /> : null}
    </BulkBar>
  );
}

type NothingProps = Pick<EntityListProps, "kind" | "filter" | "onNew">;

function Nothing({ kind, filter, onNew }: NothingProps) {
  const { plural } = kindSpecs[kind];
  if (filter.bin) {
    return (
      <EmptyNotice icon={<IconTrash aria-hidden />} title="The bin is empty">
        {plural.charAt(0).toUpperCase() + plural.slice(1)} in the bin stay here until you restore them.
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

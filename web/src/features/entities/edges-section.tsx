// What the thing is linked with, in both directions. The edges of the document tree are shown as the tree instead.

import { ActionIcon, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLinkPlus, IconX } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Edge, type Entity, routes } from "../../../../src/protocol/api.ts";
import { counted } from "../../../../src/protocol/figures.ts";
import { documentTreeRel } from "../../../../src/protocol/kinds.ts";
import { api } from "../../lib/api.ts";
import { edgesQuery, entitiesQuery } from "../../lib/data/entities.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { linkWords } from "../../ui/wording.ts";
import { AddEdgeModal } from "./add-edge-modal.tsx";

type EdgesSectionProps = {
  readonly entity: Entity;
  readonly editable: boolean;
  /** Also says how many of the linked tasks are done. */
  readonly hasProgress?: boolean;
};

export function EdgesSection({ entity, editable, hasProgress = false }: EdgesSectionProps) {
  const edges = useQuery(edgesQuery(entity.project_id, entity.id));
  const states = useTaskStates(entity.project_id, hasProgress);
  const [adding, add] = useDisclosure(false);
  return (
    <Stack gap="sm" component="section" aria-labelledby="links">
      <Title order={2} size="h5" id="links">
        {hasProgress ? "Linked work" : "Links"}
      </Title>
      <QueryView query={edges}>
        {({ items }) => {
          const shown = items.filter((edge) => edge.rel !== documentTreeRel);
          if (shown.length === 0) return <NoLinks hasProgress={hasProgress} />;
          return (
            <>
              {hasProgress ? (
                <Progress ids={shown.flatMap((edge) => linkedTaskOf(edge, entity))} states={states} />
              ) : null}
              <Stack component="ul" gap="xs" className="plain-list">
                {shown.map((edge) => (
                  <EdgeRow key={edge.id} edge={edge} entity={entity} editable={editable} states={states} />
                ))}
              </Stack>
            </>
          );
        }}
      </QueryView>
      {editable ? (
        <Group>
          <Button size="xs" variant="default" leftSection={<IconLinkPlus size={16} aria-hidden />} onClick={add.open}>
            Add a link
          </Button>
        </Group>
      ) : null}
      {adding ? <AddEdgeModal entity={entity} onClose={add.close} /> : null}
    </Stack>
  );
}

function NoLinks({ hasProgress }: { readonly hasProgress: boolean }) {
  return (
    <Text size="sm" c="dimmed">
      {hasProgress
        ? "Nothing is linked yet. Link the tasks that lead there to see how far they are."
        : "Not linked with anything yet."}
    </Text>
  );
}

type TaskStates = ReadonlyMap<string, string>;

/** States of the project's tasks by id: those that changed last, which is where the work is. */
function useTaskStates(projectId: string, isTold: boolean): TaskStates {
  const tasks = useInfiniteQuery({ ...entitiesQuery(projectId, "task", { limit: 100 }), enabled: isTold }).data;
  return useMemo(
    () => new Map(tasks?.pages.flatMap((page) => page.items).map((task) => [task.id, task.state_key])),
    [tasks],
  );
}

function linkedTaskOf(edge: Edge, entity: Entity): readonly string[] {
  const other = edge.src_id === entity.id ? [edge.dst_kind, edge.dst_id] : [edge.src_kind, edge.src_id];
  return other[0] === "task" && other[1] !== undefined ? [other[1]] : [];
}

function Progress({ ids, states }: { readonly ids: readonly string[]; readonly states: TaskStates }) {
  if (ids.length === 0) return null;
  const done = ids.filter((id) => states.get(id) === "done").length;
  return (
    <Text size="sm">
      {done} of {counted(ids.length, "linked task")} done
    </Text>
  );
}

type EdgeRowProps = Pick<EdgesSectionProps, "entity" | "editable"> & {
  readonly edge: Edge;
  readonly states: TaskStates;
};

function EdgeRow({ edge, entity, editable, states }: EdgeRowProps) {
  const outgoing = edge.src_id === entity.id;
  const other = outgoing
    ? { kind: edge.dst_kind, id: edge.dst_id, projectId: edge.dst_project_id, title: edge.dst_title }
    : { kind: edge.src_kind, id: edge.src_id, projectId: edge.src_project_id, title: edge.src_title };
  const state = states.get(other.id);
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <KindIcon kind={other.kind} />
      <div className="grow">
        <Text size="xs" c="dimmed">
          {linkWords(edge.rel, outgoing, entity.kind)}
        </Text>
        <EntityLink kind={other.kind} projectId={other.projectId} id={other.id} size="sm" className="breakable">
          {other.title}
        </EntityLink>
      </div>
      {state === undefined ? null : <StateBadge state={state} />}
      {editable && edge.src_project_id === entity.project_id ? (
        <RemoveEdge edge={edge} projectId={entity.project_id} title={other.title} />
      ) : null}
    </Group>
  );
}

type RemoveEdgeProps = { readonly edge: Edge; readonly projectId: string; readonly title: string };

function RemoveEdge({ edge, projectId, title }: RemoveEdgeProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api(routes.edges.remove, { params: { projectId, edgeId: edge.id } }),
    onSuccess: () => refreshProject(queryClient, projectId),
  });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Remove the link with ${title}`}
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    >
      <IconX size={16} aria-hidden />
    </ActionIcon>
  );
}

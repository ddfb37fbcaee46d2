// What the thing is linked with, in both directions. The edges of the document tree are shown as the tree instead.

import { ActionIcon, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLinkPlus, IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Edge, type Entity, routes } from "../../../../src/protocol/api.ts";
import { documentTreeRel } from "../../../../src/protocol/kinds.ts";
import { api } from "../../lib/api.ts";
import { edgesQuery } from "../../lib/data/entities.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { wordsOf } from "../../ui/wording.ts";
import { AddEdgeModal } from "./add-edge-modal.tsx";

type EdgesSectionProps = { readonly entity: Entity; readonly editable: boolean };

export function EdgesSection({ entity, editable }: EdgesSectionProps) {
  const edges = useQuery(edgesQuery(entity.project_id, entity.id));
  const [adding, add] = useDisclosure(false);
  return (
    <Stack gap="sm" component="section" aria-labelledby="links">
      <Title order={2} size="h5" id="links">
        Links
      </Title>
      <QueryView query={edges}>
        {({ items }) => {
          const shown = items.filter((edge) => edge.rel !== documentTreeRel);
          if (shown.length === 0) return <NoLinks />;
          return (
            <Stack component="ul" gap="xs" className="plain-list">
              {shown.map((edge) => (
                <EdgeRow key={edge.id} edge={edge} entity={entity} editable={editable} />
              ))}
            </Stack>
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

function NoLinks() {
  return (
    <Text size="sm" c="dimmed">
      Not linked with anything yet.
    </Text>
  );
}

type EdgeRowProps = EdgesSectionProps & { readonly edge: Edge };

function EdgeRow({ edge, entity, editable }: EdgeRowProps) {
  const outgoing = edge.src_id === entity.id;
  const other = outgoing
    ? { kind: edge.dst_kind, id: edge.dst_id, projectId: edge.dst_project_id, title: edge.dst_title }
    : { kind: edge.src_kind, id: edge.src_id, projectId: edge.src_project_id, title: edge.src_title };
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <KindIcon kind={other.kind} />
      <div className="grow">
        <Text size="xs" c="dimmed">
          {outgoing ? wordsOf(edge.rel) : `${wordsOf(edge.rel)}, from there to here`}
        </Text>
        <EntityLink kind={other.kind} projectId={other.projectId} id={other.id} size="sm" className="breakable">
          {other.title}
        </EntityLink>
      </div>
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

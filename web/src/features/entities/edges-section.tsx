// What the thing is linked with, in both directions. The edges of the document tree are shown as the tree instead.

import { ActionIcon, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLinkPlus, IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Edge, type Entity, routes } from "../../../../src/protocol/api.ts";
import { counted } from "../../../../src/protocol/figures.ts";
import { documentTreeRel } from "../../../../src/protocol/kinds.ts";
import { api } from "../../lib/api.ts";
import { edgesQuery } from "../../lib/data/entities.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { describeDue } from "../../lib/urgency.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { linkWords } from "../../ui/wording.ts";
import { AddEdgeModal } from "./add-edge-modal.tsx";
import { groupLinks } from "./link-groups.ts";
import { type LinkedThings, useLinkedThings } from "./use-linked-things.ts";

type EdgesSectionProps = {
  readonly entity: Entity;
  readonly editable: boolean;
  /** Also says how many of the linked tasks are done. */
  readonly hasProgress?: boolean;
};

export function EdgesSection({ entity, editable, hasProgress = false }: EdgesSectionProps) {
  const edges = useQuery(edgesQuery(entity.project_id, entity.id));
  const things = useLinkedThings(entity.project_id, edges.data?.items ?? []);
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
              {groupsOf(shown, entity, hasProgress).map(({ title, edges: ofGroup, isCounted }) => (
                <Stack key={title} gap="xs">
                  {title === "" ? null : (
                    <Title order={3} size="h6" fw={600}>
                      {title}
                    </Title>
                  )}
                  {isCounted ? (
                    <Progress ids={ofGroup.flatMap((edge) => linkedTaskOf(edge, entity))} things={things} />
                  ) : null}
                  <Stack component="ul" gap="xs" className="plain-list">
                    {ofGroup.map((edge) => (
                      <EdgeRow key={edge.id} edge={edge} entity={entity} editable={editable} things={things} />
                    ))}
                  </Stack>
                </Stack>
              ))}
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

type LinkGroup = {
  /** Empty where there is only one. */
  readonly title: string;
  readonly edges: readonly Edge[];
  readonly isCounted?: boolean;
};

function groupsOf(edges: readonly Edge[], entity: Entity, hasProgress: boolean): readonly LinkGroup[] {
  if (!hasProgress) return [{ title: "", edges }];
  const { needs, waits, others } = groupLinks(edges, entity.id);
  return [
    { title: "What it needs", edges: needs, isCounted: true },
    { title: "What waits for it", edges: waits },
    { title: "Also linked", edges: others },
  ].filter((group) => group.edges.length > 0);
}

function linkedTaskOf(edge: Edge, entity: Entity): readonly string[] {
  const other = edge.src_id === entity.id ? [edge.dst_kind, edge.dst_id] : [edge.src_kind, edge.src_id];
  return other[0] === "task" && other[1] !== undefined ? [other[1]] : [];
}

function Progress({ ids, things }: { readonly ids: readonly string[]; readonly things: LinkedThings }) {
  if (ids.length === 0) return null;
  const done = ids.filter((id) => things.get(id)?.state_key === "done").length;
  return (
    <Text size="sm">
      {done} of {counted(ids.length, "linked task")} done
    </Text>
  );
}

type EdgeRowProps = Pick<EdgesSectionProps, "entity" | "editable"> & {
  readonly edge: Edge;
  readonly things: LinkedThings;
};

function EdgeRow({ edge, entity, editable, things }: EdgeRowProps) {
  const outgoing = edge.src_id === entity.id;
  const other = outgoing
    ? { kind: edge.dst_kind, id: edge.dst_id, projectId: edge.dst_project_id, title: edge.dst_title }
    : { kind: edge.src_kind, id: edge.src_id, projectId: edge.src_project_id, title: edge.src_title };
  const thing = things.get(other.id);
  const due = thing === undefined ? null : describeDue(thing, Date.now());
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <KindIcon kind={other.kind} />
      <div className="grow">
        <Text size="xs" c="dimmed">
          {linkWords(edge.rel, outgoing, entity.kind)}
          {due === null ? "" : ` · ${due}`}
        </Text>
        <EntityLink kind={other.kind} projectId={other.projectId} id={other.id} size="sm" className="breakable">
          {other.title}
        </EntityLink>
      </div>
      {thing === undefined ? null : <StateBadge state={thing.state_key} />}
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

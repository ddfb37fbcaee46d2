// Where a document stands in the tree: what is below it, a new one below it, and moving it elsewhere.

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsMove, IconFilePlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Entity } from "../../../../src/protocol/api.ts";
import { treeQuery } from "../../lib/data/entities.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { childrenOf } from "../../ui/tree-shape.ts";
import { MoveDocumentModal } from "./move-document-modal.tsx";
import { NewEntityModal } from "./new-entity-modal.tsx";

type PlaceInTreeProps = { readonly entity: Entity; readonly editable: boolean };

export function PlaceInTree({ entity, editable }: PlaceInTreeProps) {
  const tree = useQuery(treeQuery(entity.project_id, true));
  const below = childrenOf(tree.data?.items ?? [], entity.id);
  return (
    <Stack gap="sm" component="section" aria-labelledby="below">
      <Title order={2} size="h5" id="below">
        Documents below
      </Title>
      {below.length === 0 ? (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      ) : (
        <Stack component="ul" gap={4} className="plain-list">
          {below.map((node) => (
            <li key={node.id}>
              <EntityLink kind="document" projectId={entity.project_id} id={node.id} size="sm" className="breakable">
                {node.title}
              </EntityLink>
            </li>
          ))}
        </Stack>
      )}
      {editable ? <TreeActions entity={entity} /> : null}
    </Stack>
  );
}

function TreeActions({ entity }: { readonly entity: Entity }) {
  const [moving, move] = useDisclosure(false);
  const [adding, add] = useDisclosure(false);
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" leftSection={<IconFilePlus size={16} aria-hidden />} onClick={add.open}>
        New child document
      </Button>
      <Button size="xs" variant="default" leftSection={<IconArrowsMove size={16} aria-hidden />} onClick={move.open}>
        Move
      </Button>
      {moving ? <MoveDocumentModal entity={entity} onClose={move.close} /> : null}
      {adding ? (
        <NewEntityModal projectId={entity.project_id} kind="document" parentId={entity.id} onClose={add.close} />
      ) : null}
    </Group>
  );
}

// All documents of a project as a tree. Arrow keys walk it, Enter opens a document.

import { ActionIcon, Alert, Group, type RenderTreeNodePayload, Tree, type TreeNodeData, useTree } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useMemo } from "react";
import { kindSpecs } from "../../../../src/protocol/kinds.ts";
import { type TreeNode, treeQuery } from "../../lib/data/entities.ts";
import { tone } from "../../lib/tones.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { type Branch, branchesOf } from "../../ui/tree-shape.ts";
import { NoEntities } from "./no-entities.tsx";

type DocumentTreeProps = { readonly projectId: string; readonly notes: boolean; readonly onNew?: () => void };

export function DocumentTree({ projectId, notes, onNew }: DocumentTreeProps) {
  const tree = useQuery(treeQuery(projectId, notes));
  return (
    <QueryView query={tree}>
      {({ items, truncated }) => {
        if (items.length === 0) return <NoEntities kind="document" {...(onNew ? { onNew } : {})} />;
        return (
          <>
            {truncated ? (
              <Alert color={tone.plain}>
                There are more documents than fit here. Choose an order above to list them all.
              </Alert>
            ) : null}
            <Branches projectId={projectId} nodes={items} />
          </>
        );
      }}
    </QueryView>
  );
}

type BranchesProps = { readonly projectId: string; readonly nodes: readonly TreeNode[] };

function Branches({ projectId, nodes }: BranchesProps) {
  const data = useMemo(() => branchesOf(nodes).map(toData), [nodes]);
  const states = useMemo(() => new Map(nodes.map((node) => [node.id, node.state_key])), [nodes]);
  const tree = useTree({ initialExpandedState: Object.fromEntries(nodes.map((node) => [node.id, true])) });
  const navigate = useNavigate();
  const openOnEnter = (event: KeyboardEvent) => {
    const item = event.target as HTMLElement;
    const entityId = item.dataset.value;
    if (event.key !== "Enter" || item.getAttribute("role") !== "treeitem" || !entityId) return;
    const params = { projectId, plural: kindSpecs.document.plural, entityId };
    void navigate({ to: "/projects/$projectId/$plural/$entityId", params });
  };
  return (
    <Tree
      aria-label="Documents"
      data={data}
      tree={tree}
      expandOnClick={false}
      onKeyDown={openOnEnter}
      renderNode={(payload) => (
        <DocumentNode projectId={projectId} payload={payload} state={states.get(payload.node.value) ?? ""} />
      )}
    />
  );
}

const toData = ({ node, children }: Branch<TreeNode>): TreeNodeData => ({
  value: node.id,
  label: node.title,
  ...(children.length > 0 ? { children: children.map(toData) } : {}),
});

type DocumentNodeProps = {
  readonly projectId: string;
  readonly payload: RenderTreeNodePayload;
  readonly state: string;
};

function DocumentNode({ projectId, payload, state }: DocumentNodeProps) {
  const { node, expanded, hasChildren, elementProps, tree } = payload;
  return (
    <Group {...elementProps} gap="xs" wrap="nowrap" py={5}>
      {hasChildren ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          tabIndex={-1}
          aria-label={`${expanded ? "Close" : "Open"} the branch ${String(node.label)}`}
          onClick={() => tree.toggleExpanded(node.value)}
        >
          <IconChevronRight size={16} aria-hidden className={expanded ? "turned" : undefined} />
        </ActionIcon>
      ) : (
        <span className="leaf-gap" />
      )}
      <KindIcon kind="document" />
      <EntityLink kind="document" projectId={projectId} id={node.value} className="breakable">
        {node.label}
      </EntityLink>
      <StateBadge state={state} />
    </Group>
  );
}

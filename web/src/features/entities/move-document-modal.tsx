// Puts a document below another one, or at the top of the tree.

import { Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Entity, routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { type TreeNode, treeQuery } from "../../lib/data/entities.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { showDone } from "../../ui/toast.ts";
import { ancestorsOf, possibleParents } from "../../ui/tree-shape.ts";

/** Stands for "no parent"; ids are UUIDs, so it cannot collide. */
const top = "top";

/** Shown at a time while searching for a parent. */
const optionsShown = 50;

type MoveDocumentModalProps = { readonly entity: Entity; readonly onClose: () => void };

export function MoveDocumentModal({ entity, onClose }: MoveDocumentModalProps) {
  const nodes = useQuery(treeQuery(entity.project_id, false)).data?.items ?? [];
  const [parent, setParent] = useState(entity.parent_id ?? top);
  const move = useMove(entity, onClose);
  const options = [{ value: top, label: "Top of the tree" }, ...parentOptions(nodes, entity.id)];
  return (
    <FormModal
      title={`Move “${entity.title}”`}
      onClose={onClose}
      onSubmit={() => move.mutate(parent === top ? null : parent)}
      action="Move"
      isBusy={move.isPending}
      isOff={parent === (entity.parent_id ?? top)}
    >
      <Select
        label="Below which document?"
        searchable
        allowDeselect={false}
        data-autofocus
        limit={optionsShown}
        data={options}
        value={parent}
        onChange={(value) => setParent(value ?? top)}
        nothingFoundMessage="No document with this title"
      />
    </FormModal>
  );
}

function parentOptions(nodes: readonly TreeNode[], id: string) {
  return possibleParents(nodes, id).map((node) => ({
    value: node.id,
    label: [...ancestorsOf(nodes, node.id), node].map((step) => step.title).join(" / "),
  }));
}

function useMove(entity: Entity, onMoved: () => void) {
  const queryClient = useQueryClient();
  const params = { projectId: entity.project_id, entityId: entity.id };
  return useMutation({
    mutationFn: (parent_id: string | null) => api(routes.documents.move, { params, body: { parent_id } }),
    onSuccess: () => {
      showDone("The document was moved");
      refreshProject(queryClient, entity.project_id);
      onMoved();
    },
  });
}

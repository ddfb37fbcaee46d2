// Links a thing with another one, in this project or any other one can see.

import { Autocomplete } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Entity, routes } from "../../../../src/protocol/api.ts";
import { limits } from "../../../../src/protocol/kinds.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { useCreate } from "../../lib/use-create.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { EntityPicker } from "./entity-picker.tsx";

/** Only suggestions: any lower-case words will do. */
const commonRels = ["relates to", "depends on", "supports", "part of", "blocks"];

type AddEdgeModalProps = { readonly entity: Entity; readonly onClose: () => void };

export function AddEdgeModal({ entity, onClose }: AddEdgeModalProps) {
  const queryClient = useQueryClient();
  const [words, setWords] = useState("relates to");
  const [target, setTarget] = useState<string | null>(null);
  const create = useCreate(routes.edges.create, {
    onSuccess: () => {
      refreshProject(queryClient, entity.project_id);
      onClose();
    },
  });
  const rel = relOf(words);
  return (
    <FormModal
      title="Add a link"
      onClose={onClose}
      onSubmit={() => {
        if (!target || rel === "") return;
        create.mutate({ params: { projectId: entity.project_id }, body: { src_id: entity.id, rel, dst_id: target } });
      }}
      action="Add"
      isBusy={create.isPending}
      isOff={!target || rel === ""}
    >
      <Autocomplete
        label={`How this ${entity.kind} is linked`}
        data={commonRels}
        value={words}
        onChange={setWords}
        maxLength={limits.key}
        error={rel === "" ? "Use letters, digits and blanks" : null}
      />
      <EntityPicker exceptId={entity.id} value={target} onChange={setTarget} />
    </FormModal>
  );
}

/** "Depends on" is kept as `depends_on`. */
function relOf(words: string): string {
  return (
    words
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("_") ?? ""
  );
}

// Links a thing with another one, in this project or any other one can see.

import { Autocomplete, Button, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Entity, routes } from "../../../../src/protocol/api.ts";
import { limits } from "../../../../src/protocol/kinds.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { useCreate } from "../../lib/use-create.ts";
import { Dialog } from "../../ui/dialog.tsx";
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
    <Dialog onClose={onClose} title="Add a link">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!target || rel === "") return;
          create.mutate({ params: { projectId: entity.project_id }, body: { src_id: entity.id, rel, dst_id: target } });
        }}
      >
        <Stack>
          <Autocomplete
            label={`How this ${entity.kind} is linked`}
            data={commonRels}
            value={words}
            onChange={setWords}
            maxLength={limits.key}
            error={rel === "" ? "Use letters, digits and blanks" : null}
          />
          <EntityPicker exceptId={entity.id} value={target} onChange={setTarget} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!target || rel === ""} loading={create.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
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

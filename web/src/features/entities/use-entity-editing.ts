// Editing one thing: the draft of its texts, saving it or a single field, and the choice after a stale write.

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { type Entity, routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { useVersionedSave } from "../../lib/use-versioned-save.ts";
import { afterSave, afterTakingTheirs, type Draft, type DraftField, type EntityPatch, withEdit } from "./draft.ts";
import { keepDraft, loadDraft } from "./draft-store.ts";

export type Editing = ReturnType<typeof useEntityEditing>;

export function useEntityEditing(entity: Entity) {
  const [draft, setDraft] = useState<Draft | null>(() => loadDraft(entity.id));
  useEffect(() => keepDraft(entity.id, draft), [entity.id, draft]);
  useWarningBeforeLeaving(draft !== null);

  const saving = useEntitySave(entity, {
    onSaved: (saved, patch) => setDraft((now) => afterSave(now, patch, saved)),
    onTakeTheirs: (current, patch) => setDraft((now) => afterTakingTheirs(now, patch, current)),
  });
  const version = draft?.baseVersion ?? entity.version;
  return {
    draft,
    ...saving,
    edit: (field: DraftField, value: string) => setDraft((now) => withEdit(now, entity, field, value)),
    discard: useCallback(() => setDraft(null), []),
    /** Saves the texts. A title of blanks only cannot be saved. */
    saveDraft: () => {
      if (draft && !isBlankTitle(draft) && !saving.isSaving) saving.save(draft.edits, version);
    },
    /** Saves one choice at once, without the texts. */
    saveField: (patch: EntityPatch) => saving.save(patch, version),
    changedElsewhere: draft !== null && entity.version > draft.baseVersion,
    titleMissing: draft !== null && isBlankTitle(draft),
  };
}

function isBlankTitle(draft: Draft): boolean {
  return draft.edits.title !== undefined && draft.edits.title.trim() === "";
}

type SaveEvents = {
  readonly onSaved: (saved: Entity, patch: EntityPatch) => void;
  readonly onTakeTheirs: (current: Entity, patch: EntityPatch) => void;
};

function useEntitySave(entity: Entity, events: SaveEvents) {
  const queryClient = useQueryClient();
  const params = { projectId: entity.project_id, entityId: entity.id };
  const key = keys.entity(entity.project_id, entity.id);
  return useVersionedSave<Entity, EntityPatch>({
    send: (patch, version) => api(routes[entity.kind].update, { params, body: { ...patch, version } }),
    onSaved: (saved, patch) => {
      queryClient.setQueryData(key, saved);
      events.onSaved(saved, patch);
      refreshProject(queryClient, entity.project_id);
    },
    onTakeTheirs: (current, patch) => {
      queryClient.setQueryData(key, current);
      events.onTakeTheirs(current, patch);
    },
  });
}

/** Drafts survive reloads but not the closing of the tab. */
function useWarningBeforeLeaving(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unsaved]);
}

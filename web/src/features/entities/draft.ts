// What someone typed but has not saved yet: the fields that differ, and the version they began from.
// Pure: what editing, saving and taking over another version do to it.

import type { Entity } from "../../../../src/protocol/api.ts";

export const draftFields = ["title", "description", "content"] as const;
export type DraftField = (typeof draftFields)[number];

export type Edits = { readonly [Field in DraftField]?: string };

export type Draft = {
  /** Sent with the save, so that a newer version by someone else is noticed. */
  readonly baseVersion: number;
  readonly edits: Edits;
};

export type EntityPatch = Partial<
  Pick<Entity, "title" | "description" | "content" | "state_key" | "priority" | "due_at">
>;

/** Typing in one field; going back to what is saved drops the field again. */
export function withEdit(draft: Draft | null, entity: Entity, field: DraftField, value: string): Draft | null {
  const { [field]: _, ...others } = draft?.edits ?? {};
  const edits: Edits = value === entity[field] ? others : { ...others, [field]: value };
  return draftOf(draft?.baseVersion ?? entity.version, edits);
}

/** After a save only what was typed meanwhile is left. */
export function afterSave(draft: Draft | null, patch: EntityPatch, saved: Entity): Draft | null {
  if (!draft) return null;
  const left = draftFields.filter((field) => draft.edits[field] !== undefined && draft.edits[field] !== patch[field]);
  const edits: Edits = Object.fromEntries(left.map((field) => [field, draft.edits[field]]));
  // Someone else's write may lie between for fields not saved now; then the old version must stay, or it goes unnoticed.
  const nothingBetween = saved.version === draft.baseVersion + 1 || left.every((field) => field in patch);
  return draftOf(nothingBetween ? saved.version : draft.baseVersion, edits);
}

/** Giving up the fields of a refused save in favour of what is there now. */
export function afterTakingTheirs(draft: Draft | null, patch: EntityPatch, current: Entity): Draft | null {
  if (!draft) return null;
  const left = draftFields.filter((field) => draft.edits[field] !== undefined && !(field in patch));
  if (left.length === 0) return null;
  const edits: Edits = Object.fromEntries(left.map((field) => [field, draft.edits[field]]));
  return draftOf(Math.min(draft.baseVersion, current.version), edits);
}

export function shown(draft: Draft | null, entity: Entity, field: DraftField): string {
  return draft?.edits[field] ?? entity[field];
}

function draftOf(baseVersion: number, edits: Edits): Draft | null {
  return Object.keys(edits).length === 0 ? null : { baseVersion, edits };
}

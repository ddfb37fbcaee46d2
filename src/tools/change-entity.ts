// A change to something that is there, worked out from what it is now and written against that version in the same
// transaction. Someone else's change in between is not overwritten unseen.

import type { Tx } from "../db/database.ts";
import type { Entity, EntityFields, Props } from "../domain/entity/entity.ts";
import type { EntityKind } from "../domain/entity/kinds.ts";
import { updateEntity } from "../store/entity/entity-store.ts";
import { fitsProps } from "./arg-shapes.ts";
import { notFound, type Opened, openForChange } from "./scope.ts";
import { refuse, type ToolContext, type ToolRefusal } from "./tool.ts";

type Asked = { readonly id: string; readonly expected_version?: number | undefined };
type Change = (current: Entity) => EntityFields | ToolRefusal;

/** Two others who write in between are bad luck; a third is someone we are in the way of. */
const triesMax = 3;

export async function changeEntity(
  tx: Tx,
  context: ToolContext,
  kind: EntityKind,
  { id, expected_version }: Asked,
  change: Change,
): Promise<Opened<Entity>> {
  const opened = await openForChange(tx, context, kind, id);
  if (!opened.ok) return opened;
  let current = opened.value;
  const { projectId } = current;
  for (let tries = 0; tries < triesMax; tries++) {
    if (expected_version !== undefined && current.version !== expected_version) return stale(kind, current);
    const fields = change(current);
    if (isRefusal(fields)) return fields;
    const saved = await updateEntity(tx, kind, { id, projectId, version: current.version }, fields);
    if (saved.outcome === "saved") return { ok: true, value: saved.value };
    if (saved.outcome === "missing") return notFound(kind, id);
    if (saved.outcome === "binned") return refuse("conflict", `The ${kind} ${id} has just been put into the bin.`);
    current = saved.current;
  }
  return stale(kind, current);
}

/** The fields as they are, where something changes and the properties have room. */
export function checkChange<Fields extends { readonly props?: Props | undefined }>(fields: Fields) {
  if (fields.props !== undefined && !fitsProps(fields.props))
    return refuse("invalid_arguments", "The properties would get too large; take some away with null first.");
  if (Object.values(fields).every((value) => value === undefined))
    return refuse("invalid_arguments", "Nothing to change: give at least one field besides the id.");
  return fields;
}

export const isRefusal = (made: object): made is ToolRefusal => "ok" in made;

export const stale = (kind: string, { id, version }: { readonly id: string; readonly version: number }): ToolRefusal =>
  refuse(
    "conflict",
    `The ${kind} ${id} was changed in the meantime (it is at version ${version}). Read it with get_${kind}, then decide again.`,
  );

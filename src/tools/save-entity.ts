// A change to something that is there, worked out from what it is now and written against that version in the same
// transaction. Someone else's change in between is not overwritten unseen.

import type { Tx } from "../db/database.ts";
import type { Entity, EntityFields } from "../domain/entity/entity.ts";
import { updateEntity } from "../store/entity-store.ts";
import { notFound, type Opened } from "./scope.ts";
import { refuse, type ToolRefusal } from "./tool.ts";

export type Change = (current: Entity) => EntityFields | ToolRefusal;

/** Two others who write in between are bad luck; a third is someone we are in the way of. */
const triesMax = 3;

export async function saveEntity(
  tx: Tx,
  found: Entity,
  expectedVersion: number | undefined,
  change: Change,
): Promise<Opened<Entity>> {
  const { kind, id, projectId } = found;
  let current = found;
  for (let tries = 0; tries < triesMax; tries++) {
    if (expectedVersion !== undefined && current.version !== expectedVersion) return stale(current);
    const fields = change(current);
    if (isRefusal(fields)) return fields;
    const saved = await updateEntity(tx, kind, { id, projectId, version: current.version }, fields);
    if (saved.outcome === "saved") return { ok: true, value: saved.value };
    if (saved.outcome === "missing") return notFound(kind, id);
    if (saved.outcome === "binned") return refuse("conflict", `The ${kind} ${id} has just been put into the bin.`);
    current = saved.current;
  }
  return stale(current);
}

const isRefusal = (made: EntityFields | ToolRefusal): made is ToolRefusal => "ok" in made;

const stale = ({ kind, id, version }: Entity): ToolRefusal =>
  refuse(
    "conflict",
    `The ${kind} ${id} was changed in the meantime (it is at version ${version}). Read it with get_${kind}, then decide again.`,
  );

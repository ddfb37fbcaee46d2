// A change to something that is there, worked out from what it is now and written against that version in the same
// transaction. Someone else's change in between is not overwritten unseen.

import type { Tx } from "../db/database.ts";
import type { Entity, EntityFields, Props } from "../domain/entity/entity.ts";
import type { EntityKind } from "../domain/entity/kinds.ts";
import { updateEntity } from "../store/entity/entity-store.ts";
import { fitsProps } from "./arg-shapes.ts";
import { compareRead, entityNow, sighted, tellStale, textColumns, type WantedChange } from "./compare-read.ts";
import { notFound, openForChange } from "./scope.ts";
import type { Sighting } from "./things-read.ts";
import { refuse, type ToolContext, type ToolOutcome, type ToolRefusal } from "./tool.ts";

type Asked = { readonly id: string; readonly expected_version?: number | undefined };
type Change = (current: Entity) => EntityFields | ToolRefusal;

/** What a write says besides its own sentence: what others changed meanwhile, and what the session knows now. */
export type Written = {
  readonly news: string;
  readonly isUntrusted: boolean;
  readonly seen: readonly Sighting[];
};

type Changed = ({ readonly ok: true; readonly value: Entity } & Written) | ToolRefusal;

/** Two others who write in between are bad luck; a third is someone we are in the way of. */
const triesMax = 3;

/** `merged`: the text that the change is worked into, instead of replacing it. */
export async function changeEntity(
  tx: Tx,
  context: ToolContext,
  kind: EntityKind,
  { id, expected_version }: Asked,
  change: Change,
  merged: Pick<WantedChange, "merged"> = {},
): Promise<Changed> {
  const opened = await openForChange(tx, context, kind, id);
  if (!opened.ok) return opened;
  let current = opened.value;
  const { projectId } = current;
  for (let tries = 0; tries < triesMax; tries++) {
    const now = entityNow(current);
    if (expected_version !== undefined && current.version !== expected_version)
      return tellStale(tx, now, expected_version);
    const fields = change(current);
    if (isRefusal(fields)) return fields;
    const compared = await compareRead(tx, context, now, { values: fields, ...merged });
    if (!compared.ok) return compared.refusal;
    const saved = await updateEntity(tx, kind, { id, projectId, version: current.version }, fields);
    if (saved.outcome === "saved") {
      const { news, isUntrusted, known } = compared;
      const replaced = textColumns.filter((column) => merged.merged !== column && fields[column] !== undefined);
      const seen = [sighted(entityNow(saved.value), [...known, ...replaced])];
      return { ok: true, value: saved.value, news, isUntrusted, seen };
    }
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

/** A write's answer with what others changed meanwhile. */
export function withNews(
  outcome: Extract<ToolOutcome, { ok: true }>,
  { news, isUntrusted, seen }: Written,
): ToolOutcome {
  if (news === "") return { ...outcome, seen };
  const text = `${outcome.text}\n\nMeanwhile others have changed it, and their change stands:\n${news}`;
  return { ...outcome, text, isUntrusted, seen, showsText: true };
}

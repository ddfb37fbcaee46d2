// What taking back a run's writes comes to, on the wire: what goes, what is put back, and what others have worked on since.

import { z } from "zod";
import { entityKinds } from "../../domain/entity/kinds.ts";
import { id, text, timestamp } from "../text.ts";
import { count } from "./run-shapes.ts";

/** More than anyone decides about one by one. */
export const undoNamedMax = 2_000;

const ref = text(80).regex(/^(project|edge|task|goal|plan|milestone|document):[0-9a-f-]{36}$/, "must be kind:id");
const refs = z.array(ref).max(undoNamedMax);

export const undoChoice = z.strictObject({
  /** Left as they are. */
  skip: refs.default([]),
  /** Put back or removed although somebody has worked on them since. */
  force: refs.default([]),
});

export const undoThing = z.object({
  /** As `skip` and `force` name it. */
  ref: z.string(),
  kind: z.enum(["project", ...entityKinds, "edge"]),
  id,
  project_id: id,
  /** Of an edge: its kind of link. */
  title: z.string(),
});

const conflict = z.object({
  thing: undoThing,
  reason: z.enum(["changed_since", "in_use", "place_taken", "would_loop", "no_access"]),
  /** Who, when; null where that is not for the caller to know, or several are. */
  who: z
    .object({
      user_id: id.nullable(),
      name: z.string().nullable(),
      run_id: id.nullable(),
      at: timestamp,
      op: z.string(),
    })
    .nullable(),
  /** What stands in the way. */
  by: undoThing.nullable(),
  /** Naming it in `force` helps; else it can only be skipped. */
  can_force: z.boolean(),
  message: z.string(),
});

/** A list of what may be many: the first ones, and how many there are. */
const some = <Item extends z.ZodType>(item: Item) => z.object({ count, items: z.array(item) });

export const undone = z.object({
  run_id: id,
  dry_run: z.boolean(),
  /** The run was stopped or waiting: undoing it ends it for good. */
  ends_run: z.boolean(),
  removed: some(undoThing),
  restored: some(undoThing),
  /** Stays because others use it too. */
  kept: some(undoThing),
  skipped: some(undoThing),
  conflicts: some(conflict),
});

export const restored = z.object({
  run_id: id,
  restored: some(undoThing),
  /** Changed since the undo, or without a place: as it is now. */
  left: some(undoThing),
});

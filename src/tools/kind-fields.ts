// Which fields a kind has: arguments it does not have are taken out of the schema, so that they are refused as unknown.

import type { z } from "zod";
import { type EntityKind, kindSpecs } from "../domain/entity/kinds.ts";

/** What goes is optional in the type already. */
export function onlyOfKind<Shape extends z.ZodObject>(kind: EntityKind, schema: Shape): Shape {
  const spec = kindSpecs[kind];
  const has: Readonly<Record<string, boolean>> = {
    priority: spec.hasPriority,
    due_at: spec.hasDueDate,
    parent_id: kind === "document",
    tags: kind === "document",
  };
  const foreign = Object.keys(schema.shape).filter((name) => has[name] === false);
  const mask = Object.fromEntries(foreign.map((name) => [name, true] as const));
  return schema.omit(mask as never) as unknown as Shape;
}

// What can be said of a thing when it is made or changed. A kind has some of these fields only: arguments for the others are
// taken out of the schema, so that they are refused as unknown.

import type { z } from "zod";
import type { EntityFields, Props } from "../domain/entity/entity.ts";
import { type EntityKind, kindSpecs } from "../domain/entity/kinds.ts";
import { content, description, dueAt, dueTime, priority, props, stateOf, title, typeKey } from "./arg-shapes.ts";
import type { ToolContext } from "./tool.ts";

/** A planner needs tasks and documents for nearly everything. */
export const stageOf = (kind: EntityKind) => (kind === "task" || kind === "document" ? 1 : 2);

export const entityFields = (kind: EntityKind) => ({
  title: title.optional(),
  description: description.optional(),
  content: content.optional(),
  state: stateOf(kind).optional(),
  type_key: typeKey.optional(),
  props: props.optional(),
  priority: priority.optional(),
  due_at: dueAt.optional(),
});

type Asked = {
  readonly [Name in keyof ReturnType<typeof entityFields>]?: z.output<ReturnType<typeof entityFields>[Name]>;
};

/** As the store keeps them; `marked` are the properties with the mark of the run. */
export const toStored = (asked: Asked, { timeZone = "UTC" }: ToolContext, marked: Props | undefined): EntityFields => ({
  title: asked.title,
  description: asked.description,
  content: asked.content,
  state_key: asked.state,
  type_key: asked.type_key,
  priority: asked.priority,
  due_at: asked.due_at && dueTime(asked.due_at, timeZone),
  props: marked,
});

/** What goes is optional in the type already. */
export function onlyOfKind<Shape extends z.ZodObject>(kind: EntityKind, schema: Shape): Shape {
  const spec = kindSpecs[kind];
  const has: Readonly<Record<string, boolean>> = {
    priority: spec.hasPriority,
    due_at: spec.hasDueDate,
    parent_id: kind === "document",
    tags: kind === "document",
    include_working_notes: kind === "document",
  };
  const foreign = Object.keys(schema.shape).filter((name) => has[name] === false);
  const mask = Object.fromEntries(foreign.map((name) => [name, true] as const));
  return schema.omit(mask as never) as unknown as Shape;
}

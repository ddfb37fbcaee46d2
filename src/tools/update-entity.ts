// update_task, update_goal, update_plan_record, update_milestone, update_document: what is left out stays as it is, and properties are
// put together with those that are there.

import { z } from "zod";
import type { Entity, EntityFields } from "../domain/entity/entity.ts";
import { type EntityKind, entityKinds } from "../domain/entity/kinds.ts";
import {
  content,
  description,
  dueAt,
  dueTime,
  expectedVersion,
  fitsProps,
  id,
  priority,
  props,
  source,
  stateOf,
  title,
  typeKey,
} from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { markChanged } from "./homework-tag.ts";
import { onlyOfKind } from "./kind-fields.ts";
import { saveEntity } from "./save-entity.ts";
import { openEntity, refusePlatformPage } from "./scope.ts";
import { refuse, type Tool, type ToolRefusal } from "./tool.ts";

const argsOf = (kind: EntityKind) =>
  onlyOfKind(
    kind,
    z.strictObject({
      id: id.describe(`Id of the ${kind}`),
      expected_version: expectedVersion.optional(),
      title: title.optional(),
      description: description.optional(),
      content: content.optional().describe("The whole new body, as Markdown; it replaces the old one"),
      state: stateOf(kind).optional().describe("Its new state"),
      type_key: typeKey.optional().describe("Its new type"),
      props: props.optional(),
      priority: priority.optional(),
      due_at: dueAt.optional(),
      source,
    }),
  );

type EntityChange = z.output<ReturnType<typeof argsOf>>;

/** The session of a planner has an update_plan of its own: the plan of the run. */
export const updateName = (kind: EntityKind): string => (kind === "plan" ? "update_plan_record" : `update_${kind}`);

const updateOf = (kind: EntityKind): Tool =>
  defineWrite<EntityChange>({
    name: updateName(kind),
    description: `Changes fields of a ${kind}; what you leave out stays. Read it first when you replace its content.`,
    args: argsOf(kind),
    tags: [],
    stage: kind === "task" || kind === "document" ? 1 : 2,
    write: async (tx, context, asked) => {
      const opened = await openEntity(tx, context, kind, asked.id, "editor");
      if (!opened.ok) return opened;
      const refused = refusePlatformPage(context, opened.value);
      if (refused) return refused;
      const saved = await saveEntity(tx, opened.value, asked.expected_version, (now) =>
        fieldsOf(now, asked, context.timeZone ?? "UTC"),
      );
      if (!saved.ok) return saved;
      return {
        ok: true,
        text: `Changed the ${kind} ${asked.id}; it is at version ${saved.value.version} and in state ${saved.value.stateKey}.`,
        artifacts: [{ kind, id: asked.id }],
        summary: `Changed the ${kind} ${quoted(saved.value.title)}`,
        isUntrusted: false,
      };
    },
  });

function fieldsOf(now: Entity, asked: EntityChange, timeZone: string): EntityFields | ToolRefusal {
  const merged = markChanged(now.props, asked.props, asked.source);
  if (merged !== undefined && !fitsProps(merged))
    return refuse("invalid_arguments", "The properties would get too large; take some away with null first.");
  const fields: EntityFields = {
    title: asked.title,
    description: asked.description,
    content: asked.content,
    state_key: asked.state,
    type_key: asked.type_key,
    priority: asked.priority,
    due_at: asked.due_at && dueTime(asked.due_at, timeZone),
    props: merged,
  };
  if (Object.values(fields).every((value) => value === undefined))
    return refuse("invalid_arguments", "Nothing to change: give at least one field besides the id.");
  return fields;
}

export const updateTools: readonly Tool[] = entityKinds.map(updateOf);

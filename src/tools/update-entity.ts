// update_task, update_goal, update_plan_record, update_milestone, update_document: what is left out stays as it is, and properties are
// put together with those that are there.

import { z } from "zod";
import { type EntityKind, entityKinds } from "../domain/entity/kinds.ts";
import { expectedVersion, id, source } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { changeEntity, checkChange, withNews } from "./change-entity.ts";
import { defineWrite } from "./define-tool.ts";
import { entityFields, onlyOfKind, stageOf, toStored } from "./entity-fields.ts";
import { markChanged } from "./homework-tag.ts";
import { type Tool, wrote } from "./tool.ts";

function argsOf(kind: EntityKind) {
  const fields = entityFields(kind);
  const args = z.strictObject({
    id: id.describe(`Id of the ${kind}`),
    expected_version: expectedVersion.optional(),
    ...fields,
    content: fields.content.describe("The whole new body, as Markdown; it replaces the old one"),
    state: fields.state.describe("Its new state"),
    type_key: fields.type_key.describe("Its new type"),
    source,
  });
  return onlyOfKind(kind, args);
}

/** The session of a planner has an update_plan of its own: the plan of the run. */
export const updateName = (kind: EntityKind): string => (kind === "plan" ? "update_plan_record" : `update_${kind}`);

const updateOf = (kind: EntityKind): Tool =>
  defineWrite({
    name: updateName(kind),
    description: `Changes fields of a ${kind}; what you leave out stays. Read it first when you replace its content.`,
    args: argsOf(kind),
    stage: stageOf(kind),
    write: async (tx, context, asked) => {
      const saved = await changeEntity(tx, context, kind, asked, (now) =>
        checkChange(toStored(asked, context, markChanged(now.props, asked.props, asked.source))),
      );
      if (!saved.ok) return saved;
      const { version, stateKey, title } = saved.value;
      const text = `Changed the ${kind} ${asked.id}; it is at version ${version} and in state ${stateKey}.`;
      return withNews(wrote({ kind, id: asked.id }, text, `Changed the ${kind} ${quoted(title)}`), saved);
    },
  });

export const updateTools: readonly Tool[] = entityKinds.map(updateOf);

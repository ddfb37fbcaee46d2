// get_task, get_goal, get_plan, get_milestone, get_document: one thing, and a page of its text.

import { z } from "zod";
import { type EntityKind, entityKinds } from "../domain/entity/kinds.ts";
import { findForeignWords } from "../store/node-store.ts";
import { id, offset, pageSize } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { openEntity } from "./scope.ts";
import { entityParts, entityText } from "./show-entity.ts";
import type { Tool } from "./tool.ts";

const getOf = (kind: EntityKind): Tool => {
  const args = z.strictObject({
    id: id.describe(`Id of the ${kind}`),
    part: z.enum(entityParts).default("content").describe("Which of its texts to show"),
    offset,
    limit: pageSize,
  });
  return defineRead<z.output<typeof args>>({
    name: `get_${kind}`,
    description: `Shows one ${kind}: its fields, its version, and its text a page at a time.`,
    args,
    tags: ["private"],
    stage: kind === "task" || kind === "document" ? 1 : 2,
    read: async (tx, context, asked) => {
      const opened = await openEntity(tx, context, kind, asked.id, "viewer");
      if (!opened.ok) return opened;
      const entity = opened.value;
      const foreign = await findForeignWords(tx, [entity.projectId], [entity.id]);
      return {
        ok: true,
        text: entityText(entity, asked),
        artifacts: [],
        summary: `Read the ${kind} ${quoted(entity.title)}`,
        isUntrusted: foreign.length > 0,
      };
    },
  });
};

export const getTools: readonly Tool[] = entityKinds.map(getOf);

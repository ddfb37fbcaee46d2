// list_tasks, list_goals, list_plans, list_milestones, list_documents: a page of what a project holds of one kind.

import { z } from "zod";
import { type EntityKind, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import { listEntities } from "../store/entity-store.ts";
import { findForeignWords } from "../store/node-store.ts";
import { cursor, limit, projectId, stateOf, typeKey, workingNotes } from "./arg-shapes.ts";
import { defineRead } from "./define-tool.ts";
import { openProject } from "./scope.ts";
import { entityLine, listText, moreByCursor } from "./show-entity.ts";
import type { Tool, ToolContext } from "./tool.ts";

const listOf = (kind: EntityKind): Tool => {
  const { plural } = kindSpecs[kind];
  const args = z.strictObject({
    project_id: projectId.optional(),
    state: stateOf(kind).optional().describe("Only those in this state"),
    type_key: typeKey.optional().describe("Only those of this type"),
    made_by_this_run: z.boolean().default(false).describe("Only what this run has made"),
    in_bin: z.boolean().default(false).describe("What lies in the bin instead"),
    sort: z.enum(["updated", "created", "title"]).default("updated").describe("Newest first, or by title"),
    include_working_notes: workingNotes,
    limit,
    cursor: cursor.optional(),
  });
  const own = kind === "document" ? args : args.omit({ include_working_notes: true });
  return defineRead<z.output<typeof args>>({
    name: `list_${plural}`,
    description: `Lists the ${plural} of a project with id, state and title, a page at a time.`,
    args: own as typeof args,
    tags: ["private"],
    stage: kind === "task" || kind === "document" ? 1 : 2,
    read: async (tx, context, asked) => {
      const project = await openProject(tx, context, asked.project_id, "viewer", defaultFor(kind, context));
      if (!project.ok) return project;
      const { items, nextCursor } = await listEntities(tx, kind, project.value.id, {
        limit: asked.limit,
        cursor: asked.cursor,
        sort: asked.sort,
        state: asked.state,
        type_key: asked.type_key,
        run_id: asked.made_by_this_run ? (context.runId ?? undefined) : undefined,
        deleted: asked.in_bin,
        include_working_notes: asked.include_working_notes,
      });
      const ids = items.map(({ id }) => id);
      const foreign = await findForeignWords(tx, [project.value.id], ids);
      const what = `${plural} in project ${project.value.id}${asked.in_bin ? "'s bin" : ""}`;
      return {
        ok: true,
        text: listText(what, items.map(entityLine), moreByCursor(nextCursor)),
        artifacts: [],
        summary: `Listed ${items.length} ${plural}`,
        isUntrusted: foreign.length > 0,
      };
    },
  });
};

/** A workspace holds only documents; for other kinds, a caller that works in all projects has to name one. */
const defaultFor = (kind: EntityKind, { workspace }: ToolContext) =>
  kind === "document" ? (workspace?.projectId ?? null) : null;

export const listTools: readonly Tool[] = entityKinds.map(listOf);

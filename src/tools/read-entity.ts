// get_task … get_document: one thing, and a page of its text. list_tasks … list_documents: a page of what a project holds of
// one kind.

import { z } from "zod";
import { type EntityKind, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import { listEntities } from "../store/entity/entity-store.ts";
import { cursor, id, limit, offset, pageSize, projectId, stateOf, typeKey, workingNotes } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { onlyOfKind, stageOf } from "./entity-fields.ts";
import { openEntity, openProject } from "./scope.ts";
import {
  entityLine,
  entityParts,
  entityText,
  listText,
  moreByCursor,
  show,
  sightedEntity,
  sightedLine,
} from "./show-entity.ts";
import type { Tool, ToolContext } from "./tool.ts";

const zoneOf = ({ timeZone = "UTC" }: ToolContext): string => timeZone;

const getOf = (kind: EntityKind): Tool =>
  defineRead({
    name: `get_${kind}`,
    description: `Shows one ${kind}: its fields, its version, and its text a page at a time.`,
    args: z.strictObject({
      id: id.describe(`Id of the ${kind}`),
      part: z.enum(entityParts).default("content").describe("Which of its texts to show"),
      offset,
      limit: pageSize,
    }),
    stage: stageOf(kind),
    read: async (tx, context, asked) => {
      const opened = await openEntity(tx, context, kind, asked.id, "viewer");
      if (!opened.ok) return opened;
      const entity = opened.value;
      const summary = `Read the ${kind} ${quoted(entity.title)}`;
      const seen = [sightedEntity(entity, asked)];
      const shown = {
        text: entityText(entity, asked, zoneOf(context)),
        summary,
        projectIds: [entity.projectId],
        ids: [entity.id],
        seen,
      };
      return show(tx, shown);
    },
  });

export const getTools: readonly Tool[] = entityKinds.map(getOf);

const listArgs = (kind: EntityKind) =>
  z.strictObject({
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

function listOf(kind: EntityKind): Tool {
  const { plural } = kindSpecs[kind];
  return defineRead({
    name: `list_${plural}`,
    description: `Lists the ${plural} of a project with id, state and title, a page at a time.`,
    args: onlyOfKind(kind, listArgs(kind)),
    stage: stageOf(kind),
    read: async (tx, context, { project_id, made_by_this_run, in_bin, ...asked }) => {
      // A workspace holds only documents; for other kinds, a caller that works in all projects has to name one.
      const otherwise = kind === "document" ? context.workspace?.projectId : null;
      const opened = await openProject(tx, context, project_id, "viewer", otherwise);
      if (!opened.ok) return opened;
      const { id: project } = opened.value;
      const { items, nextCursor } = await listEntities(tx, kind, project, {
        ...asked,
        run_id: made_by_this_run ? (context.runId ?? undefined) : undefined,
        deleted: in_bin,
      });
      const what = `${plural} in project ${project}${in_bin ? "'s bin" : ""}`;
      return show(tx, {
        text: listText(
          what,
          items.map((item) => entityLine(item, zoneOf(context))),
          moreByCursor(nextCursor),
        ),
        summary: `Listed ${items.length} ${plural}`,
        projectIds: [project],
        ids: items.map((item) => item.id),
        seen: items.map(sightedLine),
      });
    },
  });
}

export const listTools: readonly Tool[] = entityKinds.map(listOf);

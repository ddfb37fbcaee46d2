// list_projects: the projects a run may look at, and in which of them it may write.

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Page, Project } from "../domain/entity/entity.ts";
import { includesRole } from "../domain/identity/identity.ts";
import { findForeignWords } from "../store/node-store.ts";
import { findProject, listProjects as listAll } from "../store/project-store.ts";
import { cursor } from "./arg-shapes.ts";
import { bounds, oneLine, quoted } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { listText, moreByCursor } from "./show-entity.ts";
import type { ToolContext } from "./tool.ts";

const args = z.strictObject({
  limit: z.int().min(1).max(bounds.list).default(bounds.list).describe("How many to show"),
  cursor: cursor.optional(),
});

export const listProjects = defineRead<z.output<typeof args>>({
  name: "list_projects",
  description: "Lists the projects you may work with: id, name, state, and whether you may write there.",
  args,
  tags: ["private"],
  stage: 1,
  read: async (tx, context, asked) => {
    const { items, nextCursor } = await projectsOf(tx, context, asked);
    const ids = items.map(({ id }) => id);
    const foreign = await findForeignWords(tx, ids, ids);
    const left = context.projectIds === null ? 0 : context.projectIds.length - asked.limit;
    const more = left > 0 ? `There are ${left} more, known by their ids only` : moreByCursor(nextCursor);
    return {
      ok: true,
      text: listText("projects", items.map(projectLine), more),
      artifacts: [],
      summary: `Listed ${items.length} projects`,
      isUntrusted: foreign.length > 0,
    };
  },
});

/** A run that was given projects sees these, in the order they were given. */
async function projectsOf(tx: Tx, { projectIds }: ToolContext, asked: z.output<typeof args>): Promise<Page<Project>> {
  if (projectIds === null) return listAll(tx, { limit: asked.limit, cursor: asked.cursor, deleted: false });
  const found: Project[] = [];
  for (const id of projectIds.slice(0, asked.limit)) {
    const project = await findProject(tx, id);
    if (project !== null && project.deletedAt === null) found.push(project);
  }
  return { items: found, nextCursor: null };
}

function projectLine({ id, name, stateKey, role, description }: Project): string {
  const may = includesRole(role, "editor") ? "you may write" : "you may only look";
  const line = `- ${id} [${oneLine(stateKey, 20)}] ${quoted(name)} · ${may}`;
  return description.trim() === "" ? line : `${line}: ${oneLine(description, bounds.lineDescription)}`;
}

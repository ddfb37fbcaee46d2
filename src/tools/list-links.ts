// list_links: what belongs together in a project, or with one thing. A link whose other end is outside of the scope is not
// shown: its title would say what may not be seen.

import { z } from "zod";
import type { Edge, EdgeEnd } from "../domain/entity/entity.ts";
import { listEdges } from "../store/edge-store.ts";
import { findForeignWords } from "../store/node-store.ts";
import { cursor, id, limit, projectId, typeKey } from "./arg-shapes.ts";
import { oneLine } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { isInScope, openNode, openProject } from "./scope.ts";
import { listText, moreByCursor } from "./show-entity.ts";

const args = z.strictObject({
  id: id.optional().describe("Only links from and to this thing"),
  project_id: projectId.optional(),
  rel: typeKey.optional().describe("Only links of this sort"),
  limit,
  cursor: cursor.optional(),
});

export const listLinks = defineRead<z.output<typeof args>>({
  name: "list_links",
  description: "Lists links between things of a project, or from and to one thing, newest first.",
  args,
  tags: ["private"],
  stage: 2,
  read: async (tx, context, asked) => {
    const node = asked.id === undefined ? null : await openNode(tx, context, asked.id, "viewer");
    if (node?.ok === false) return node;
    const wanted = asked.project_id ?? node?.value.projectId;
    const project = await openProject(tx, context, wanted, "viewer");
    if (!project.ok) return project;
    const page = await listEdges(tx, project.value.id, {
      limit: asked.limit,
      cursor: asked.cursor,
      entity_id: asked.id,
      rel: asked.rel,
    });
    const shown = page.items.filter(
      ({ src, dst }) => isInScope(context, src.projectId) && isInScope(context, dst.projectId),
    );
    const foreign = await findForeignWords(
      tx,
      [...new Set(shown.flatMap(({ src, dst }) => [src.projectId, dst.projectId]))],
      [...new Set(shown.flatMap((edge) => [edge.id, edge.src.id, edge.dst.id]))],
    );
    return {
      ok: true,
      text: listText("links", shown.map(edgeLine), moreByCursor(page.nextCursor)),
      artifacts: [],
      summary: `Listed ${shown.length} links`,
      isUntrusted: foreign.length > 0,
    };
  },
});

/** Two titles and three ids in a line. */
const endTitleMax = 60;

const edgeLine = ({ id: link, rel, src, dst }: Edge) =>
  `- link ${link}: ${endOf(src)} ${oneLine(rel, endTitleMax)} ${endOf(dst)}`;
const endOf = ({ kind, id: end, title }: EdgeEnd) => `${kind} ${end} "${oneLine(title, endTitleMax)}"`;

// unlink: takes one link away; the things it joined stay.

import { z } from "zod";
import { documentTreeRel } from "../domain/entity/kinds.ts";
import { removeEdge } from "../store/edge-store.ts";
import { locateEdge } from "../store/node-store.ts";
import { id } from "./arg-shapes.ts";
import { defineWrite } from "./define-tool.ts";
import { isInScope, notFound, openProject } from "./scope.ts";
import { refuse } from "./tool.ts";

const args = z.strictObject({ link_id: id.describe("Id of the link, as link or list_links said") });

export const unlink = defineWrite<z.output<typeof args>>({
  name: "unlink",
  description: "Takes a link between two things away. The things themselves stay.",
  args,
  tags: ["destructive"],
  stage: 2,
  write: async (tx, context, asked) => {
    const edge = await locateEdge(tx, asked.link_id);
    if (edge === null || !isInScope(context, edge.srcProjectId) || !isInScope(context, edge.dstProjectId))
      return notFound("link", asked.link_id);
    const project = await openProject(tx, context, edge.srcProjectId, "editor");
    if (!project.ok) return project;
    if (edge.rel === documentTreeRel)
      return refuse("invalid_arguments", "The tree of documents is changed with move_document.");
    if (!(await removeEdge(tx, edge.srcProjectId, asked.link_id))) return notFound("link", asked.link_id);
    return {
      ok: true,
      text: `Took the link ${asked.link_id} away.`,
      artifacts: [{ kind: "edge", id: asked.link_id }],
      summary: `Took a link away (${edge.rel})`,
      isUntrusted: false,
    };
  },
});

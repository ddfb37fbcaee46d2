// move_document: puts a document with all below it somewhere else in the tree of its project.

import { z } from "zod";
import { moveDocument as moveInTree } from "../store/edge-store.ts";
import { id } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { placeBelow } from "./place-document.ts";
import { openEntity, refusePlatformPage } from "./scope.ts";

const args = z.strictObject({
  id: id.describe("Id of the document"),
  parent_id: id.nullable().describe("The document it goes below, in the same project; null: to the top"),
});

export const moveDocument = defineWrite<z.output<typeof args>>({
  name: "move_document",
  description: "Puts a document, with those below it, below another document of the same project, or at the top.",
  args,
  tags: [],
  stage: 2,
  write: async (tx, context, asked) => {
    const place = { documentId: asked.id, edgeId: context.newId() };
    const opened = await openEntity(tx, context, "document", asked.id, "editor");
    if (!opened.ok) return opened;
    const { projectId, title } = opened.value;
    const refused = refusePlatformPage(context, opened.value);
    if (refused) return refused;
    if (asked.parent_id === null)
      await moveInTree(tx, { edgeId: place.edgeId, projectId, by: context.userId }, asked.id, null);
    else {
      const misplaced = await placeBelow(tx, context, { ...place, projectId }, asked.parent_id);
      if (misplaced) return misplaced;
    }
    return {
      ok: true,
      text: `The document ${asked.id} is ${asked.parent_id === null ? "at the top" : `below ${asked.parent_id}`} now.`,
      artifacts: [{ kind: "document", id: asked.id }],
      summary: `Moved the document ${quoted(title)}`,
      isUntrusted: false,
    };
  },
});

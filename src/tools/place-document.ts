// Where a new page stands in the tree: below the document that was named; a working note else below the root of the run's
// workspace, where that is in the same project.

import type { Tx } from "../db/database.ts";
import { moveDocument } from "../store/edge-store.ts";
import { openEntity } from "./scope.ts";
import type { ToolContext, ToolRefusal } from "./tool.ts";
import { refuse } from "./tool.ts";

export type Placed = { readonly documentId: string; readonly projectId: string; readonly edgeId: string };

/** Null when it is placed. */
export async function placeBelow(
  tx: Tx,
  context: ToolContext,
  placed: Placed,
  parentId: string,
): Promise<ToolRefusal | null> {
  const parent = await openEntity(tx, context, "document", parentId, "viewer");
  if (!parent.ok) return parent;
  if (parent.value.projectId !== placed.projectId)
    return refuse("invalid_arguments", `The document ${parentId} is in another project; a tree stays within one.`);
  await link(tx, context, placed, parentId);
  return null;
}

/** A workspace whose root is gone is no reason not to write. */
export async function placeInWorkspace(tx: Tx, context: ToolContext, placed: Placed): Promise<void> {
  const { workspace } = context;
  if (workspace === null || workspace.projectId !== placed.projectId) return;
  const root = await openEntity(tx, context, "document", workspace.rootId, "viewer");
  if (root.ok) await link(tx, context, placed, workspace.rootId);
}

async function link(tx: Tx, { userId }: ToolContext, { documentId, projectId, edgeId }: Placed, parentId: string) {
  await moveDocument(tx, { edgeId, projectId, by: userId }, documentId, parentId);
}

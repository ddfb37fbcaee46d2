// list_document_tree: which document stands below which, from a document or from the top.

import { z } from "zod";
import { limits } from "../domain/entity/limits.ts";
import { documentTree, type TreeNode } from "../store/edge-store.ts";
import { findForeignWords } from "../store/node-store.ts";
import { id, limit, projectId, workingNotes } from "./arg-shapes.ts";
import { oneLine, quoted } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { openEntity, openProject } from "./scope.ts";
import { listText } from "./show-entity.ts";

const args = z.strictObject({
  project_id: projectId.optional(),
  below: id.optional().describe("Only what stands below this document; everything if left out"),
  skip: z.int().min(0).max(limits.treeNodes).default(0).describe("How many lines to leave out at the beginning"),
  include_working_notes: workingNotes,
  limit,
});

export const listDocumentTree = defineRead<z.output<typeof args>>({
  name: "list_document_tree",
  description: "Shows how the documents of a project stand below each other, as an indented list.",
  args,
  tags: ["private"],
  stage: 2,
  read: async (tx, context, asked) => {
    const top = asked.below === undefined ? null : await openEntity(tx, context, "document", asked.below, "viewer");
    if (top?.ok === false) return top;
    const wanted = asked.project_id ?? top?.value.projectId;
    const project = await openProject(tx, context, wanted, "viewer", context.workspace?.projectId);
    if (!project.ok) return project;
    // What stands below a page that was named is asked for, whatever it is.
    const hasNotes = asked.include_working_notes || asked.below !== undefined;
    const { nodes, truncated } = await documentTree(tx, project.value.id, hasNotes);
    const lines = linesBelow(nodes, asked.below ?? null);
    const shown = lines.slice(asked.skip, asked.skip + asked.limit);
    const foreign = await findForeignWords(
      tx,
      [project.value.id],
      shown.map(({ node }) => node.id),
    );
    const next = asked.skip + shown.length;
    const rest = next < lines.length ? `There are ${lines.length - next} more: call again with skip ${next}` : null;
    const more = rest ?? (truncated ? "There are more than fit into a tree: use list_documents" : null);
    return {
      ok: true,
      text: listText(`documents in the tree of project ${project.value.id}`, shown.map(treeLine), more),
      artifacts: [],
      summary: `Looked at the tree of documents (${shown.length} of ${lines.length})`,
      isUntrusted: foreign.length > 0,
    };
  },
});

type TreeLine = { readonly node: TreeNode; readonly depth: number };

/** Each document right after the one it stands below. No loop: the database keeps it a tree, 32 levels deep at most. */
function linesBelow(nodes: readonly TreeNode[], top: string | null): readonly TreeLine[] {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const below = (parent: string | null, depth: number): readonly TreeLine[] =>
    depth > limits.treeDepth
      ? []
      : (children.get(parent) ?? []).flatMap((node) => [{ node, depth }, ...below(node.id, depth + 1)]);
  return below(top, 0);
}

const treeLine = ({ node, depth }: TreeLine) =>
  `${"  ".repeat(depth)}- ${node.id} [${oneLine(node.stateKey, 20)}] ${quoted(node.title)}`;

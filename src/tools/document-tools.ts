// append_document, edit_document, move_document, list_document_tree: what only documents have, their text in parts and the
// tree they stand in.

import { z } from "zod";
import { editText } from "../domain/entity/edit-text.ts";
import type { Entity } from "../domain/entity/entity.ts";
import { limits } from "../domain/entity/limits.ts";
import { describeLength } from "../domain/run/checks/measure-document.ts";
import { documentTree, type TreeNode } from "../store/entity/edge-store.ts";
import { content, expectedVersion, id, limit, projectId, source, workingNotes } from "./arg-shapes.ts";
import { oneLine, quoted } from "./bounds.ts";
import { changeEntity, withNews } from "./change-entity.ts";
import { defineRead, defineWrite } from "./define-tool.ts";
import { markChanged, type TextSource } from "./homework-tag.ts";
import { openEntity, openForChange, openProject } from "./scope.ts";
import { listText, show } from "./show-entity.ts";
import { refuse, type Tool, wrote } from "./tool.ts";
import { placeBelow } from "./workspace-page.ts";

const appendDocument = defineWrite({
  name: "append_document",
  description: "Adds text to the end of a document. What stands there stays.",
  args: z.strictObject({
    id: id.describe("Id of the document"),
    text: content.min(1).describe("Markdown to add at the end, after an empty line; kept exactly as given"),
    expected_version: expectedVersion.optional(),
    source,
  }),
  stage: 1,
  write: async (tx, context, asked) => {
    const full = `The document is full (${limits.content} characters). Begin another below it.`;
    const append = (now: Entity) => appendText(now, asked.text, asked.source, full);
    const saved = await changeEntity(tx, context, "document", asked, append, { merged: "content" });
    if (!saved.ok) return saved;
    const { title, version, content: whole } = saved.value;
    const text = `Added to the document ${asked.id}; it has ${describeLength(whole)} and is at version ${version}.`;
    return withNews(wrote({ kind: "document", id: asked.id }, text, `Added to the document ${quoted(title)}`), saved);
  },
});

/** As a paragraph of its own, as Markdown needs it; `full` is what is said where there is no room. */
export function appendText({ content: before, props }: Entity, more: string, from: TextSource, full: string) {
  const whole = before === "" ? more : `${before}\n\n${more}`;
  if (whole.length > limits.content) return refuse("conflict", full);
  return { content: whole, props: markChanged(props, undefined, from) };
}

const editsMax = 100;

const edit = z.union([
  z.strictObject({
    find: content.min(1).describe("A passage that stands in the document exactly once, word for word"),
    replace: content.describe("What stands there instead"),
  }),
  z.strictObject({
    under_heading: z.string().min(1).max(400).describe("A heading of the document"),
    insert: content.min(1).describe("Markdown to add at the end of that section"),
  }),
]);

/** Changes passages in place, so that a new row of a table does not mean writing the page again. */
const editDocument = defineWrite({
  name: "edit_document",
  description:
    "Changes parts of a document in place: replaces passages, or adds below a heading. Shows the changed passages.",
  args: z.strictObject({
    id: id.describe("Id of the document"),
    edits: z.array(edit).min(1).max(editsMax).describe("Done in this order; all of them or none"),
    expected_version: expectedVersion.optional(),
    source,
  }),
  stage: 1,
  write: async (tx, context, asked) => {
    let passages: readonly string[] = [];
    const change = (now: Entity) => {
      const edited = editText(now.content, asked.edits);
      if (!edited.ok) return refuse("invalid_arguments", edited.why);
      if (edited.text.length > limits.content)
        return refuse("conflict", `The document would be too long (${limits.content} characters at most).`);
      passages = edited.passages;
      return { content: edited.text, props: markChanged(now.props, undefined, asked.source) };
    };
    const saved = await changeEntity(tx, context, "document", asked, change, { merged: "content" });
    if (!saved.ok) return saved;
    const { title, version, content: whole } = saved.value;
    const length = describeLength(whole);
    const head = `Edited; the document ${asked.id} has ${length} and is at version ${version}. It reads now:`;
    const text = [head, ...passages].join("\n\n");
    return withNews(wrote({ kind: "document", id: asked.id }, text, `Edited the document ${quoted(title)}`), saved);
  },
});

const moveDocument = defineWrite({
  name: "move_document",
  description: "Puts a document, with those below it, below another document of the same project, or at the top.",
  args: z.strictObject({
    id: id.describe("Id of the document"),
    parent_id: id.nullable().describe("The document it goes below, in the same project; null: to the top"),
  }),
  stage: 2,
  write: async (tx, context, asked) => {
    const edgeId = context.newId();
    const opened = await openForChange(tx, context, "document", asked.id);
    if (!opened.ok) return opened;
    const { projectId: project, title } = opened.value;
    const placed = { documentId: asked.id, edgeId, projectId: project };
    const misplaced = await placeBelow(tx, context, placed, asked.parent_id);
    if (misplaced) return misplaced;
    const place = asked.parent_id === null ? "at the top" : `below ${asked.parent_id}`;
    const text = `The document ${asked.id} is ${place} now.`;
    return wrote({ kind: "document", id: asked.id }, text, `Moved the document ${quoted(title)}`);
  },
});

const listDocumentTree = defineRead({
  name: "list_document_tree",
  description: "Shows how the documents of a project stand below each other, as an indented list.",
  args: z.strictObject({
    project_id: projectId.optional(),
    below: id.optional().describe("Only what stands below this document; everything if left out"),
    skip: z.int().min(0).max(limits.treeNodes).default(0).describe("How many lines to leave out at the beginning"),
    include_working_notes: workingNotes,
    limit,
  }),
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
    const next = asked.skip + shown.length;
    const rest = next < lines.length ? `There are ${lines.length - next} more: call again with skip ${next}` : null;
    const more = rest ?? (truncated ? "There are more than fit into a tree: use list_documents" : null);
    return show(tx, {
      text: listText(`documents in the tree of project ${project.value.id}`, shown.map(treeLine), more),
      summary: `Looked at the tree of documents (${shown.length} of ${lines.length})`,
      projectIds: [project.value.id],
      ids: shown.map(({ node }) => node.id),
    });
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

export const documentTools: readonly Tool[] = [appendDocument, editDocument, moveDocument, listDocumentTree];

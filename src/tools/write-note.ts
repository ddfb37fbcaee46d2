// write_note: a page for what was found out, below the page of the branch that found it, else below the workspace's root.

import { z } from "zod";
import { pageTypes } from "../domain/workspace/pages.ts";
import { content, description, id, source, tags, title } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { findBranchPage, makePage, openWorkspace, pathOf, slugOf } from "./workspace-page.ts";

const args = z.strictObject({
  title,
  content: content.min(1),
  description: description.optional(),
  tags: tags.default([]),
  parent_id: id.optional().describe("A page of the workspace it goes below; your own branch if left out"),
  source,
});

export const writeNote = defineWrite<z.output<typeof args>>({
  name: "write_note",
  description: "Writes a new page into the run's workspace: findings, sources, drafts. One subject per page.",
  args,
  tags: [],
  stage: 1,
  write: async (tx, context, asked) => {
    const opened = await openWorkspace(tx, context);
    if (!opened.ok) return opened;
    const workspace = opened.value;
    const { branchId } = context;
    const branchPage = await findBranchPage(tx, workspace, branchId);
    const file = `${slugOf(asked.title, "note")}.md`;
    const made = await makePage(tx, context, workspace, {
      type: pageTypes.note,
      title: asked.title,
      ...(asked.description === undefined ? {} : { description: asked.description }),
      content: asked.content,
      path: pathOf(workspace, branchId, "notes", file),
      tags: asked.tags,
      source: asked.source,
      parentId: asked.parent_id ?? branchPage,
    });
    if (!made.ok) return made;
    return {
      ok: true,
      text: `Wrote the note ${made.value.id} at ${made.value.path}.`,
      artifacts: [{ kind: "document", id: made.value.id }],
      summary: `Wrote the note ${quoted(asked.title)}`,
      isUntrusted: false,
    };
  },
});

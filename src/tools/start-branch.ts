// start_branch: a page for a line of inquiry, below which its notes go. Asked for twice, it answers with the one there is.

import { z } from "zod";
import { pagePaths, pageTypes } from "../domain/workspace/pages.ts";
import { content, source, title } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { findBranchPage, makePage, openWorkspace, slugOf } from "./workspace-page.ts";

const args = z.strictObject({
  title,
  about: content.default("").describe("What is to be found out, and how, as Markdown"),
  branch_id: z
    .string()
    .regex(/^[\p{L}\p{N}]+(?:[-_:][\p{L}\p{N}]+)*$/u, "must be words and numbers joined by - _ or :")
    .max(80)
    .optional()
    .describe("A short name for it; made from the title if left out"),
  source,
});

export const startBranch = defineWrite<z.output<typeof args>>({
  name: "start_branch",
  description: "Begins a branch of the workspace for one line of inquiry. Put its notes below it with write_note.",
  args,
  tags: [],
  stage: 3,
  write: async (tx, context, asked) => {
    const opened = await openWorkspace(tx, context);
    if (!opened.ok) return opened;
    const workspace = opened.value;
    const branchId = asked.branch_id ?? slugOf(asked.title, "branch");
    const known = await findBranchPage(tx, workspace, branchId);
    if (known !== null)
      return {
        ok: true,
        text: `The branch ${branchId} is there already: its page is ${known}. Add notes below it with write_note.`,
        artifacts: [],
        summary: `Found the branch ${quoted(branchId)}`,
        isUntrusted: false,
      };
    const made = await makePage(tx, context, workspace, {
      type: pageTypes.branch,
      title: asked.title,
      content: asked.about,
      path: pagePaths.findings(workspace.runId, branchId),
      tags: [],
      source: asked.source,
      branchId,
      parentId: null,
    });
    if (!made.ok) return made;
    return {
      ok: true,
      text: `Began the branch ${branchId}: its page is ${made.value.id}. Give that as parent_id to write_note.`,
      artifacts: [{ kind: "document", id: made.value.id }],
      summary: `Began the branch ${quoted(asked.title)}`,
      isUntrusted: false,
    };
  },
});

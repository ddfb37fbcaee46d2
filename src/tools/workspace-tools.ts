// write_note, start_branch, write_summary: the pages that a run keeps for itself in its workspace.

import { z } from "zod";
import type { Entity } from "../domain/entity/entity.ts";
import { pagePaths, pageTypes } from "../domain/workspace/pages.ts";
import { findPageId } from "../store/workspace/page-store.ts";
import { content, description, id, source, tags, title } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { changeEntity } from "./change-entity.ts";
import { defineWrite } from "./define-tool.ts";
import { appendText } from "./document-tools.ts";
import { type Tool, wrote } from "./tool.ts";
import { findBranchPage, makePage, openWorkspace, pathOf, slugOf } from "./workspace-page.ts";

/** Below the page of the branch that found it out, else below the workspace's root. */
const writeNote = defineWrite({
  name: "write_note",
  description: "Writes a new page into the run's workspace: findings, sources, drafts. One subject per page.",
  args: z.strictObject({
    title,
    content: content.min(1),
    description: description.optional(),
    tags: tags.default([]),
    parent_id: id.optional().describe("A page of the workspace it goes below; your own branch if left out"),
    source,
  }),
  stage: 1,
  write: async (tx, context, { parent_id, ...asked }) => {
    const opened = await openWorkspace(tx, context);
    if (!opened.ok) return opened;
    const workspace = opened.value;
    const { branchId } = context;
    const branchPage = await findBranchPage(tx, workspace, branchId);
    const made = await makePage(tx, context, workspace, {
      ...asked,
      type: pageTypes.note,
      path: pathOf(workspace, branchId, "notes", `${slugOf(asked.title, "note")}.md`),
      parentId: parent_id ?? branchPage,
    });
    if (!made.ok) return made;
    const text = `Wrote the note ${made.value.id} at ${made.value.path}.`;
    const { id: page, seen } = made.value;
    return { ...wrote({ kind: "document", id: page }, text, `Wrote the note ${quoted(asked.title)}`), seen };
  },
});

/** A page for a line of inquiry, below which its notes go. Asked for twice, it answers with the one there is. */
const startBranch = defineWrite({
  name: "start_branch",
  description: "Begins a branch of the workspace for one line of inquiry. Put its notes below it with write_note.",
  args: z.strictObject({
    title,
    about: content.default("").describe("What is to be found out, and how, as Markdown"),
    branch_id: z
      .string()
      .regex(/^[\p{L}\p{N}]+(?:[-_:][\p{L}\p{N}]+)*$/u, "must be words and numbers joined by - _ or :")
      .max(80)
      .optional()
      .describe("A short name for it; made from the title if left out"),
    source,
  }),
  stage: 3,
  write: async (tx, context, asked) => {
    const opened = await openWorkspace(tx, context);
    if (!opened.ok) return opened;
    const workspace = opened.value;
    const branchId = asked.branch_id ?? slugOf(asked.title, "branch");
    const known = await findBranchPage(tx, workspace, branchId);
    if (known !== null) {
      const text = `The branch ${branchId} is there already: its page is ${known}. Add notes below it with write_note.`;
      return wrote(null, text, `Found the branch ${quoted(branchId)}`);
    }
    const made = await makePage(tx, context, workspace, {
      type: pageTypes.branch,
      title: asked.title,
      content: asked.about,
      path: pagePaths.findings(workspace.runId, branchId),
      source: asked.source,
      branchId,
      parentId: null,
    });
    if (!made.ok) return made;
    const text = `Began the branch ${branchId}: its page is ${made.value.id}. Give that as parent_id to write_note.`;
    const { id: page, seen } = made.value;
    return { ...wrote({ kind: "document", id: page }, text, `Began the branch ${quoted(asked.title)}`), seen };
  },
});

/**
 * What an iteration, or a branch in it, came to in the words of who worked on it. There is one page for each, beside the one
 * that the platform writes; more is added to its end.
 */
const writeSummary = defineWrite({
  name: "write_summary",
  description: "Writes down what this iteration, or your branch in it, came to. Added to what is there for it already.",
  args: z.strictObject({
    content: content.min(1).describe("The summary, as Markdown"),
    title: title.optional(),
    source,
  }),
  stage: 3,
  write: async (tx, context, asked) => {
    const opened = await openWorkspace(tx, context);
    if (!opened.ok) return opened;
    const workspace = opened.value;
    const { iteration, branchId } = context;
    const path = pathOf(workspace, branchId, "iterations", `${String(iteration).padStart(3, "0")}-in-own-words.md`);
    const there = await findPageId(tx, workspace, workspace.runId, path);
    const append = (now: Entity) =>
      appendText(now, asked.content, asked.source, "The summary is full: use write_note.");
    const written =
      there === null
        ? await makePage(tx, context, workspace, {
            type: pageTypes.summary,
            title: asked.title ?? `Iteration ${iteration}: what it came to`,
            content: asked.content,
            path,
            source: asked.source,
            parentId: await findBranchPage(tx, workspace, branchId),
          })
        : await changeEntity(tx, context, "document", { id: there }, append, { merged: "content" });
    if (!written.ok) return written;
    const { id: page } = written.value;
    return wrote({ kind: "document", id: page }, `Wrote the summary ${page} at ${path}.`, "Wrote a summary");
  },
});

export const workspaceTools: readonly Tool[] = [writeNote, startBranch, writeSummary];

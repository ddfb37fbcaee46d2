// write_summary: what an iteration, or a branch in it, came to in the words of who worked on it. There is one page for each,
// beside the one that the platform writes; more is added to its end.

import { z } from "zod";
import { limits } from "../domain/entity/limits.ts";
import { pageTypes } from "../domain/workspace/pages.ts";
import { findPageId } from "../store/page-store.ts";
import { appended } from "./append-document.ts";
import { content, source, title } from "./arg-shapes.ts";
import { defineWrite } from "./define-tool.ts";
import { markChanged } from "./homework-tag.ts";
import { saveEntity } from "./save-entity.ts";
import { openEntity } from "./scope.ts";
import { refuse, type ToolContext } from "./tool.ts";
import { findBranchPage, makePage, type OpenWorkspace, openWorkspace, pathOf } from "./workspace-page.ts";

const args = z.strictObject({
  content: content.min(1).describe("The summary, as Markdown"),
  title: title.optional(),
  source,
});

export const writeSummary = defineWrite<z.output<typeof args>>({
  name: "write_summary",
  description: "Writes down what this iteration, or your branch in it, came to. Added to what is there for it already.",
  args,
  tags: [],
  stage: 3,
  write: async (tx, context, asked) => {
    const opened = await openWorkspace(tx, context);
    if (!opened.ok) return opened;
    const workspace = opened.value;
    const path = pathFor(workspace, context);
    const there = await findPageId(tx, workspace, workspace.runId, path);
    if (there === null) {
      const parentId = await findBranchPage(tx, workspace, context.branchId);
      const heading = asked.title ?? `Iteration ${context.iteration}: what it came to`;
      const page = { title: heading, content: asked.content, source: asked.source, path, tags: [] };
      const made = await makePage(tx, context, workspace, { ...page, type: pageTypes.summary, parentId });
      return made.ok ? written(made.value.id, path) : made;
    }
    const page = await openEntity(tx, context, "document", there, "editor");
    if (!page.ok) return page;
    const saved = await saveEntity(tx, page.value, undefined, (now) => {
      const whole = appended(now.content, asked.content);
      if (whole.length > limits.content) return refuse("conflict", "The summary is full: use write_note.");
      return { content: whole, props: markChanged(now.props, undefined, asked.source) };
    });
    return saved.ok ? written(there, path) : saved;
  },
});

function pathFor(workspace: OpenWorkspace, { iteration, branchId }: ToolContext): string {
  return pathOf(workspace, branchId, "iterations", `${String(iteration).padStart(3, "0")}-in-own-words.md`);
}

const written = (id: string, path: string) => ({
  ok: true as const,
  text: `Wrote the summary ${id} at ${path}.`,
  artifacts: [{ kind: "document", id }],
  summary: "Wrote a summary",
  isUntrusted: false,
});

// Making a page in the workspace of a run: an ordinary document with the run's mark, a path, and a place in its tree. Chats have
// no workspace.

import type { Tx } from "../db/database.ts";
import { type PageType, pagePaths } from "../domain/workspace/pages.ts";
import type { Workspace } from "../domain/workspace/workspace.ts";
import { moveDocument } from "../store/entity/edge-store.ts";
import { createEntity } from "../store/entity/entity-store.ts";
import { findPageId } from "../store/workspace/page-store.ts";
import { markNew, type TextSource } from "./homework-tag.ts";
import { type Opened, openEntity, openProject } from "./scope.ts";
import { type Sighting, wholeText } from "./things-read.ts";
import { refuse, type ToolContext, type ToolRefusal } from "./tool.ts";

export type OpenWorkspace = Workspace & { readonly runId: string };

export async function openWorkspace(tx: Tx, context: ToolContext): Promise<Opened<OpenWorkspace>> {
  const { workspace, runId } = context;
  if (workspace === null || runId === null)
    return refuse("unavailable", "There is no workspace here, only a run has one. Use create_document.");
  const project = await openProject(tx, context, workspace.projectId, "editor");
  return project.ok ? { ok: true, value: { ...workspace, runId } } : project;
}

export type NewPage = {
  readonly type: PageType;
  readonly title: string;
  readonly description?: string | undefined;
  readonly content: string;
  readonly path: string;
  readonly tags?: readonly string[];
  readonly source: TextSource;
  /** The branch it belongs to, where that is not the writer's own. */
  readonly branchId?: string;
  /** Null: below the root. */
  readonly parentId: string | null;
};

export type MadePage = { readonly id: string; readonly path: string; readonly seen: readonly Sighting[] };

export async function makePage(
  tx: Tx,
  context: ToolContext,
  workspace: OpenWorkspace,
  page: NewPage,
): Promise<Opened<MadePage>> {
  const placed = { documentId: context.newId(), edgeId: context.newId(), projectId: workspace.projectId };
  const { documentId: id, projectId } = placed;
  const path = await freePath(tx, workspace, page.path, id);
  const { title, description, content, source, tags = [], parentId } = page;
  const of = { ...context, branchId: page.branchId ?? context.branchId };
  const props = markNew(of, undefined, { source, path, ...(tags.length > 0 ? { tags } : {}) });
  const fields = { title, description, content, type_key: page.type, state_key: "workspace", props };
  await createEntity(tx, "document", { id, projectId, by: context.userId }, fields);
  const refused = await placeBelow(tx, context, placed, parentId ?? workspace.rootId);
  // A workspace whose root is gone is no reason not to write.
  if (refused !== null && parentId !== null) return refused;
  const texts = { content: wholeText(content), description: wholeText(description ?? "") };
  return { ok: true, value: { id, path, seen: [{ id, version: 1, ...texts }] } };
}

type Placed = { readonly documentId: string; readonly projectId: string; readonly edgeId: string };

/** Below a document of the same project, or at the top. Null when it is placed. */
export async function placeBelow(
  tx: Tx,
  context: ToolContext,
  { documentId, projectId, edgeId }: Placed,
  parentId: string | null,
): Promise<ToolRefusal | null> {
  const parent = parentId === null ? null : await openEntity(tx, context, "document", parentId, "viewer");
  if (parent?.ok === false) return parent;
  if (parent && parent.value.projectId !== projectId)
    return refuse("invalid_arguments", `The document ${parentId} is in another project; a tree stays within one.`);
  await moveDocument(tx, { edgeId, projectId, by: context.userId }, documentId, parentId);
  return null;
}

/** Two pages of one name differ by the end of their ids. */
export async function freePath(
  tx: Tx,
  workspace: Pick<OpenWorkspace, "projectId" | "runId">,
  path: string,
  id: string,
): Promise<string> {
  if ((await findPageId(tx, workspace, workspace.runId, path)) === null) return path;
  return path.replace(/\.md$/, `-${id.slice(-8)}.md`);
}

/** Letters and digits of any script, for a path; a title of none has a name all the same. */
export function slugOf(title: string, otherwise: string): string {
  const words =
    title
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-").slice(0, slugMax).toWellFormed().replaceAll("\ufffd", "") || otherwise;
}

/** A path is read by people, too. */
const slugMax = 60;

/** The page of a branch, which the platform makes for executors and `start_branch` for the others. */
export const findBranchPage = (tx: Tx, workspace: OpenWorkspace, branchId: string | null): Promise<string | null> =>
  branchId === null
    ? Promise.resolve(null)
    : findPageId(tx, workspace, workspace.runId, pagePaths.findings(workspace.runId, branchId));

/** A file beside the page of the branch; without a branch in `folder`. */
export function pathOf({ runId }: OpenWorkspace, branchId: string | null, folder: string, file: string): string {
  if (branchId === null) return `${pagePaths.root(runId)}/${folder}/${file}`;
  return `${pagePaths.findings(runId, branchId).replace(/[^/]+$/, "")}${folder}/${file}`;
}

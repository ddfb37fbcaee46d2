// Typed links between the user's things, and the tree of documents they make.

import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Tx } from "../../db/database.ts";
import { raised, sqlState, uniqueViolation } from "../../db/errors.ts";
import type { Edge, Page, Props } from "../../domain/entity/entity.ts";
import { documentTreeRel, entityKinds } from "../../domain/entity/kinds.ts";
import { limits } from "../../domain/entity/limits.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { AppError } from "../../lib/app-error.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { camelCased, objectColumn, rowOf } from "../row.ts";
import { isWorkingNote } from "../workspace/working-notes.ts";
import { nextVersion } from "./project-store.ts";

const end = z.object({ kind: z.enum(entityKinds), id: z.string(), projectId: z.string(), title: z.string() });
const edgeRow = rowOf({
  id: z.string(),
  rel: z.string(),
  src: end,
  dst: end,
  props: objectColumn,
  createdAt: z.string(),
});

const toEdge = (found: unknown): Edge => edgeRow.parse(found);

/** `src` and `dst` also name the thing at that end. */
const endOf = (side: "src" | "dst") => {
  const column = (name: string) => sql.ref(`e.${side}_${name}`);
  return sql`json_build_object('kind', ${column("kind")}, 'id', ${column("id")}, 'projectId', ${column("project_id")},
    'title', coalesce(${sql.ref(`${side}.title`)}, ''))`.as(side);
};

const selectEdges = (tx: Tx) =>
  tx
    .selectFrom("onto_edges as e")
    .innerJoin("onto_nodes as src", "src.id", "e.src_id")
    .innerJoin("onto_nodes as dst", "dst.id", "e.dst_id")
    .where("e.deleted_at", "is", null)
    .select(["e.id", "e.rel", endOf("src"), endOf("dst"), "e.props", "e.created_at"]);

export type EdgeFilter = PageQuery & {
  readonly entity_id?: string | undefined;
  readonly rel?: string | undefined;
};

/** Links from and to the project's things, without those whose ends lie in the bin. */
export async function listEdges(tx: Tx, projectId: string, filter: EdgeFilter): Promise<Page<Edge>> {
  const { entity_id: entityId } = filter;
  const after = decodeCursor("edges", "time", filter.cursor);
  let query = selectEdges(tx)
    .where((where) => where.or([where("e.src_project_id", "=", projectId), where("e.dst_project_id", "=", projectId)]))
    .where("src.deleted_at", "is", null)
    .where("dst.deleted_at", "is", null)
    .where(isPast(after, "e.created_at", "e.id"))
    .orderBy("e.created_at", "desc")
    .orderBy("e.id", "desc")
    .limit(filter.limit + 1);
  if (entityId)
    query = query.where((where) => where.or([where("e.src_id", "=", entityId), where("e.dst_id", "=", entityId)]));
  if (filter.rel) query = query.where("e.rel", "=", filter.rel);
  const edges = (await query.execute()).map(toEdge);
  return toPage("edges", edges, filter.limit, ({ createdAt, id }) => [createdAt, id]);
}

export type NewEdge = { readonly src_id: string; readonly rel: string; readonly dst_id: string; readonly props: Props };

/** Null where an end does not exist, lies in the bin, or may not be seen. */
export async function createEdge(
  tx: Tx,
  where: { readonly id: string; readonly projectId: string; readonly by: UserId },
  edge: NewEdge,
): Promise<Edge | null> {
  const ends = await tx
    .selectFrom("onto_nodes")
    .select(["id", "kind", "project_id"])
    .where("id", "in", [edge.src_id, edge.dst_id])
    .where("deleted_at", "is", null)
    .execute();
  const src = ends.find((end) => end.id === edge.src_id && end.project_id === where.projectId);
  const dst = ends.find((end) => end.id === edge.dst_id);
  if (!src?.kind || !dst?.kind || !dst.project_id) return null;
  refuseOddTree(edge, where.projectId, src.kind, dst.kind, dst.project_id);
  const values = {
    id: where.id,
    rel: edge.rel,
    src_kind: src.kind,
    src_id: edge.src_id,
    src_project_id: where.projectId,
    dst_kind: dst.kind,
    dst_id: edge.dst_id,
    dst_project_id: dst.project_id,
    props: JSON.stringify(edge.props),
    created_by: where.by,
    created_by_run: sql<string | null>`app_run_id()`,
  };
  await keepingTheTree(() => tx.insertInto("onto_edges").values(values).execute());
  const row = await selectEdges(tx).where("e.id", "=", where.id).executeTakeFirst();
  return row ? toEdge(row) : null;
}

function refuseOddTree(edge: NewEdge, projectId: string, srcKind: string, dstKind: string, dstProject: string): void {
  if (edge.src_id === edge.dst_id) throw new AppError("invalid_request", "A thing cannot be linked to itself");
  if (edge.rel !== documentTreeRel) return;
  if (srcKind === "document" && dstKind === "document" && dstProject === projectId) return;
  throw new AppError("invalid_request", `${documentTreeRel} joins two documents of one project`);
}

/** More than anyone looks through; each document's own page has the rest. */
const edgesFromMax = 5_000;

/** Links that begin at one of these, as far as the user may see them. */
export async function edgesFrom(
  tx: Tx,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly src_id: string; readonly rel: string; readonly dst_id: string }[]> {
  if (ids.length === 0) return [];
  return tx
    .selectFrom("onto_edges")
    .select(["id", "src_id", "rel", "dst_id"])
    .where("src_id", "in", [...ids])
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(edgesFromMax)
    .execute();
}

const removeEdges = (tx: Tx, projectId: string) =>
  tx
    .updateTable("onto_edges")
    .set({ deleted_at: sql`now()`, updated_at: sql`now()`, version: nextVersion })
    .where("src_project_id", "=", projectId)
    .where("deleted_at", "is", null);

export async function removeEdge(tx: Tx, projectId: string, edgeId: string): Promise<boolean> {
  const { numUpdatedRows } = await removeEdges(tx, projectId).where("id", "=", edgeId).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Puts a document below another, or at the top. The edge to its old parent goes, also where the caller may not see that parent because
 * it is another member's working note.
 */
export async function moveDocument(
  tx: Tx,
  where: { readonly edgeId: string; readonly projectId: string; readonly by: UserId },
  documentId: string,
  parentId: string | null,
): Promise<"moved" | "missing"> {
  if (await mayWriteDocument(tx, where.projectId, documentId))
    await asPlatform(tx, (platform) =>
      removeEdges(platform, where.projectId)
        .where("dst_id", "=", documentId)
        .where("rel", "=", documentTreeRel)
        .execute(),
    );
  if (parentId === null) return "moved";
  if (parentId === documentId) throw cycle();
  const place = { id: where.edgeId, projectId: where.projectId, by: where.by };
  const edge = { src_id: parentId, rel: documentTreeRel, dst_id: documentId, props: {} };
  return (await createEdge(tx, place, edge)) ? "moved" : "missing";
}

/** A row can be locked only by who may see and change it. */
async function mayWriteDocument(tx: Tx, projectId: string, documentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("onto_documents")
    .select("id")
    .where("id", "=", documentId)
    .where("project_id", "=", projectId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

async function keepingTheTree<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    const state = sqlState(thrown);
    if (state === raised.documentCycle) throw cycle(thrown);
    if (state === raised.treeTooDeep)
      throw new AppError("invalid_request", `Documents may be ${limits.treeDepth} levels deep`, { cause: thrown });
    if (state === uniqueViolation)
      throw new AppError("already_exists", "That link exists already, or the document already has a parent", {
        cause: thrown,
      });
    throw thrown;
  }
}

const cycle = (cause?: unknown) =>
  new AppError("document_cycle", "A document cannot be put below itself or below one of its own children", { cause });

const isShown = (document: string, hasWorkingNotes: boolean) =>
  hasWorkingNotes ? sql<boolean>`true` : sql<boolean>`not ${isWorkingNote(document)}`;

/** Documents whose parent lies in the bin, or is left out as a working note, stand at the top. */
export async function documentTree(tx: Tx, projectId: string, hasWorkingNotes = false) {
  const rows = await tx
    .selectFrom("onto_documents as d")
    .leftJoin("onto_edges as e", (join) =>
      join.onRef("e.dst_id", "=", "d.id").on("e.rel", "=", documentTreeRel).on("e.deleted_at", "is", null),
    )
    .leftJoin("onto_documents as p", (join) =>
      join.onRef("p.id", "=", "e.src_id").on("p.deleted_at", "is", null).on(isShown("p", hasWorkingNotes)),
    )
    .select(["d.id", "d.title", "p.id as parent_id", "d.type_key", "d.state_key", "d.updated_at"])
    .where("d.project_id", "=", projectId)
    .where("d.deleted_at", "is", null)
    .where(isShown("d", hasWorkingNotes))
    .orderBy("d.title")
    .orderBy("d.id")
    .limit(limits.treeNodes + 1)
    .execute();
  const nodes = rows.slice(0, limits.treeNodes).map(camelCased);
  return { nodes, truncated: rows.length > limits.treeNodes };
}

export type TreeNode = Awaited<ReturnType<typeof documentTree>>["nodes"][number];

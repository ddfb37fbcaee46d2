// Single pages of a run's workspace: making one, finding one by its path, holding one while it is written. Asked in the
// run's user's name and for the run that the transaction is marked with.

import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Tx } from "../../db/database.ts";
import type { Entity } from "../../domain/entity/entity.ts";
import { documentTreeRel } from "../../domain/entity/kinds.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { PageType } from "../../domain/workspace/pages.ts";
import type { Workspace } from "../../domain/workspace/workspace.ts";
import { AppError } from "../../lib/app-error.ts";
import { createEdge } from "../entity/edge-store.ts";
import { createEntity, findEntity, updateEntity } from "../entity/entity-store.ts";
import { cleanText } from "../json.ts";
import { idColumn, rowOf } from "../row.ts";

/** Whose transaction this is, and ids for one page and its place in the tree. */
const writerRow = rowOf({ runId: z.string(), userId: idColumn<UserId>(), pageId: z.string(), edgeId: z.string() });
export type Writer = z.infer<typeof writerRow>;

export async function writerOf(tx: Tx): Promise<Writer> {
  const { rows } = await sql`select app_run_id() as run_id, app_user_id() as user_id, gen_random_uuid() as page_id,
                                    gen_random_uuid() as edge_id`.execute(tx);
  return writerRow.parse(rows[0]);
}

export type NewPage = {
  readonly type: PageType;
  readonly title: string;
  readonly path: string;
  readonly content: string;
  readonly marks: Readonly<Record<string, unknown>>;
};

/** Below the root. One that lies in the bin takes no children: then the page stands at the top. */
export async function makePage(tx: Tx, workspace: Workspace, writer: Writer, page: NewPage): Promise<string> {
  const { projectId, rootId } = workspace;
  const { runId, userId, pageId, edgeId } = writer;
  const homework = { run_id: runId, path: page.path, tags: [], source: "homework_engine", ...page.marks };
  const [title, content] = [cleanText(page.title), cleanText(page.content)];
  const fields = { title, content, type_key: page.type, state_key: "workspace", props: { homework } };
  await createEntity(tx, "document", { id: pageId, projectId, by: userId }, fields);
  const edge = { src_id: rootId, rel: documentTreeRel, dst_id: pageId, props: {} };
  await createEdge(tx, { id: edgeId, projectId, by: userId }, edge);
  return pageId;
}

const idRow = z.object({ id: z.string() });

/**
 * The page at a path. Asked as the platform, because row level security keeps the index on props from being used; only
 * pages that this run itself made in its workspace are found.
 */
export async function findPageId(
  tx: Tx,
  { projectId }: Pick<Workspace, "projectId">,
  runId: string,
  path: string,
): Promise<string | null> {
  const { rows } = await asPlatform(tx, (platform) =>
    sql`select id from onto_documents
         where props ? 'homework' and left(props->'homework'->>'run_id', 64) = ${runId}
           and left(props->'homework'->>'path', 200) = left(${path}, 200)
           and created_by_run is not distinct from ${runId}::uuid and project_id is not distinct from ${projectId}::uuid
           and deleted_at is null
         order by created_at, id limit 1`.execute(platform),
  );
  return rows[0] === undefined ? null : idRow.parse(rows[0]).id;
}

/** No other transaction can write to it until we are done; null where it is gone, lies in the bin, or may not be seen. */
export async function lockPage(tx: Tx, { projectId }: Workspace, id: string): Promise<Entity | null> {
  await sql`select from onto_documents where id = ${id} for no key update`.execute(tx);
  const page = await findEntity(tx, "document", projectId, id);
  return page === null || page.deletedAt !== null ? null : page;
}

/** `web`: words of strangers may be in it, so any run that reads it later has read strangers. */
export type PageSource = "own" | "web";

/** The mark of a page, where it has to have one. */
export const markOf = (source: PageSource) => (source === "web" ? { source } : {});

/** Once it holds words of strangers, it stays marked. */
export function remarked({ props }: Entity, source: PageSource): Pick<PageChange, "props"> {
  const { homework } = pageMarks.parse(props);
  return source === "own" || homework.source === source
    ? {}
    : { props: { ...props, homework: { ...homework, source } } };
}

const pageMarks = z.looseObject({ homework: z.looseObject({ source: z.unknown() }).catch({ source: null }) });

export type PageChange = { readonly content?: string; readonly props?: Readonly<Record<string, unknown>> };

/** The page is locked by us, so no other write can have come first. */
export async function savePage(tx: Tx, page: Entity, change: PageChange): Promise<void> {
  const { content } = change;
  const cleaned = content === undefined ? change : { ...change, content: cleanText(content) };
  const { outcome } = await updateEntity(tx, "document", page, cleaned);
  if (outcome !== "saved") throw new AppError("deleted", `"${page.title}" could not be written: it is ${outcome}`);
}

// Tasks, goals, plans, milestones and documents. Their tables have one shape, so one set of queries serves them all.

import { type InferResult, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Entity, EntityFields, EntitySummary, Page, Saved } from "../../domain/entity/entity.ts";
import { documentTreeRel, type EntityKind, type EntitySort, kindSpecs } from "../../domain/entity/kinds.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { decodeCursor, isPast, type PageQuery, titleInCursor, toPage } from "../cursor.ts";
import { camelCased, objectColumn } from "../row.ts";
import { isWorkingNote } from "../workspace/working-notes.ts";
import { toSaved, touched } from "./project-store.ts";

/** The types of one table stand for all five. */
const tableOf = (kind: EntityKind) => kindSpecs[kind].table as "onto_tasks";

const summaryColumns = [
  "e.id",
  "e.project_id",
  "e.title",
  "e.description",
  "e.type_key",
  "e.state_key",
  "e.props",
  "e.priority",
  "e.due_at",
  "e.version",
  "e.created_by",
  "e.created_by_run",
  "e.updated_by_run",
  "e.created_at",
  "e.updated_at",
  "e.deleted_at",
] as const;

/** Only documents have a place in a tree. */
function parentOf(kind: EntityKind) {
  if (kind !== "document") return sql<string | null>`null::uuid`;
  return sql<
    string | null
  >`(select src_id from onto_edges t where t.dst_id = e.id and t.rel = ${sql.lit(documentTreeRel)} and t.deleted_at is null)`;
}

const selectSummaries = (tx: Tx, kind: EntityKind) =>
  tx.selectFrom(`${tableOf(kind)} as e`).select([...summaryColumns, parentOf(kind).as("parent_id")]);

type SummaryRow = InferResult<ReturnType<typeof selectSummaries>>[number];

const toSummary = <Row extends SummaryRow>(kind: EntityKind, row: Row) => ({
  ...camelCased(row),
  kind,
  props: objectColumn.parse(row.props),
  createdBy: row.created_by as UserId | null,
});

export type EntityFilter = PageQuery & {
  readonly sort: EntitySort;
  readonly state?: string | undefined;
  readonly type_key?: string | undefined;
  readonly run_id?: string | undefined;
  readonly deleted: boolean;
  /** Of documents: also the pages that runs keep for themselves. One of their types that is named is asked for. */
  readonly include_working_notes?: boolean | undefined;
};

export async function listEntities(
  tx: Tx,
  kind: EntityKind,
  projectId: string,
  filter: EntityFilter,
): Promise<Page<EntitySummary>> {
  const listed = selectListed(tx, kind, projectId, filter);
  if (filter.sort === "title") return listByTitle(listed, kind, filter);
  if (filter.sort === "due" || filter.sort === "priority") return listByRank(listed, kind, filter, filter.sort);
  return listByTime(listed, kind, filter);
}

/** What the filter lets through, in no order yet; one more than the page, to see whether there is more. */
function selectListed(tx: Tx, kind: EntityKind, projectId: string, filter: EntityFilter) {
  let query = selectSummaries(tx, kind)
    .where("e.project_id", "=", projectId)
    .where("e.deleted_at", filter.deleted ? "is not" : "is", null)
    .limit(filter.limit + 1);
  if (filter.state) query = query.where("e.state_key", "=", filter.state);
  if (filter.type_key) query = query.where("e.type_key", "=", filter.type_key);
  if (kind === "document" && !filter.include_working_notes && !filter.type_key)
    query = query.where(sql<boolean>`not ${isWorkingNote("e")}`);
  if (filter.run_id) query = query.where("e.created_by_run", "=", filter.run_id);
  return query;
}

type Listed = ReturnType<typeof selectListed>;

/** The cursor names the list and its order. */
const nameList = (kind: EntityKind, { sort }: EntityFilter) => `${kind} ${sort}`;

async function listByTime(listed: Listed, kind: EntityKind, filter: EntityFilter): Promise<Page<EntitySummary>> {
  const list = nameList(kind, filter);
  const [column, field] =
    filter.sort === "created" ? (["created_at", "createdAt"] as const) : (["updated_at", "updatedAt"] as const);
  const rows = await listed
    .where(isPast(decodeCursor(list, "time", filter.cursor), `e.${column}`, "e.id"))
    .orderBy(`e.${column}`, "desc")
    .orderBy("e.id", "desc")
    .execute();
  const items = rows.map((row) => toSummary(kind, row));
  return toPage(list, items, filter.limit, ({ [field]: at, id }) => [at, id]);
}

async function listByTitle(listed: Listed, kind: EntityKind, filter: EntityFilter): Promise<Page<EntitySummary>> {
  const list = nameList(kind, filter);
  const after = decodeCursor(list, "title", filter.cursor);
  const query = after ? listed.where(afterTitle(kind, after[0], after[1])) : listed;
  const rows = await query.orderBy("e.title").orderBy("e.id").execute();
  const items = rows.map((row) => toSummary(kind, row));
  return toPage(list, items, filter.limit, ({ title, id }) => [titleInCursor(title), id]);
}

/** Later than any due date that can be given: what has none comes last. */
const lastDay = "9999-12-31T23:59:59.999Z";
const dueOrLast = sql<string>`coalesce(e.due_at, ${sql.lit(lastDay)}::timestamptz)`;
/** Below the lowest priority, 5. */
const notUrgent = 6;

/** The most urgent first, and the nearest due date first; by due date all are equally urgent. */
async function listByRank(
  listed: Listed,
  kind: EntityKind,
  filter: EntityFilter,
  by: "due" | "priority",
): Promise<Page<EntitySummary>> {
  const list = nameList(kind, filter);
  const rank = by === "priority" ? sql<number>`coalesce(e.priority, ${sql.lit(notUrgent)})` : sql<number>`0::int`;
  const after = decodeCursor(list, "ranked", filter.cursor);
  const isAfter = ([atRank, due, id]: NonNullable<typeof after>) =>
    sql<boolean>`(${rank}, ${dueOrLast}, e.id) > (${atRank}::int, ${due}::timestamptz, ${id}::uuid)`;
  const query = after ? listed.where(isAfter(after)) : listed;
  const rows = await query.orderBy(rank).orderBy(dueOrLast).orderBy("e.id").execute();
  const items = rows.map((row) => toSummary(kind, row));
  return toPage(list, items, filter.limit, ({ priority, dueAt, id }) => [
    by === "priority" ? (priority ?? notUrgent) : 0,
    dueAt ?? lastDay,
    id,
  ]);
}

/** Where the row of a long title is gone since, the list begins again rather than lose something. */
function afterTitle(kind: EntityKind, title: string | null, id: string) {
  const kept = sql`(select t.title from ${sql.table(tableOf(kind))} t where t.id = ${id}::uuid)`;
  return sql<boolean>`(e.title, e.id) > (coalesce(${title}::text, ${kept}, ''), ${id}::uuid)`;
}

export async function findEntity(tx: Tx, kind: EntityKind, projectId: string, id: string): Promise<Entity | null> {
  const row = await selectSummaries(tx, kind)
    .select("e.content")
    .where("e.id", "=", id)
    .where("e.project_id", "=", projectId)
    .executeTakeFirst();
  return row ? toSummary(kind, row) : null;
}

/** Columns to write; what was left out is left out here too. */
function toColumns({ props, ...fields }: EntityFields) {
  return { ...fields, ...(props ? { props: JSON.stringify(props) } : {}) };
}

export async function createEntity(
  tx: Tx,
  kind: EntityKind,
  where: { readonly id: string; readonly projectId: string; readonly by: UserId },
  fields: EntityFields & { readonly title: string },
): Promise<void> {
  await tx
    .insertInto(tableOf(kind))
    .values({
      ...toColumns(fields),
      title: fields.title,
      id: where.id,
      project_id: where.projectId,
      created_by: where.by,
      created_by_run: sql`app_run_id()`,
      updated_by_run: sql`app_run_id()`,
    })
    .execute();
}

export async function updateEntity(
  tx: Tx,
  kind: EntityKind,
  where: { readonly id: string; readonly projectId: string; readonly version: number },
  fields: EntityFields,
): Promise<Saved<Entity>> {
  const { numUpdatedRows } = await tx
    .updateTable(tableOf(kind))
    .set({ ...toColumns(fields), ...touched })
    .where("id", "=", where.id)
    .where("project_id", "=", where.projectId)
    .where("version", "=", where.version)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const current = await findEntity(tx, kind, where.projectId, where.id);
  return toSaved(current, numUpdatedRows > 0n);
}

/** Into the bin and out of it; doing it twice changes nothing. */
export async function setEntityBinned(
  tx: Tx,
  kind: EntityKind,
  projectId: string,
  id: string,
  binned: boolean,
): Promise<Entity | null> {
  await tx
    .updateTable(tableOf(kind))
    .set({ deleted_at: binned ? sql`now()` : null, ...touched })
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .where("deleted_at", binned ? "is" : "is not", null)
    .execute();
  return findEntity(tx, kind, projectId, id);
}

/** More than anyone looks through; the project has the rest. */
const workspaceMax = 2_000;

/** The documents of a run's workspace, as far as the user may still see them: made by it, and marked as its own. */
export async function workspaceDocuments(tx: Tx, runId: string): Promise<readonly EntitySummary[]> {
  const rows = await selectSummaries(tx, "document")
    .where("e.created_by_run", "=", runId)
    .where(sql<boolean>`e.props->'homework'->>'run_id' = ${runId}`)
    .where("e.deleted_at", "is", null)
    .orderBy("e.created_at")
    .orderBy("e.id")
    .limit(workspaceMax)
    .execute();
  return rows.map((row) => toSummary("document", row));
}

/** Wherever it lies, if the user may see it and it is not in the bin. */
export async function findNode(
  tx: Tx,
  id: string,
): Promise<{ readonly kind: string; readonly projectId: string } | null> {
  const row = await tx
    .selectFrom("onto_nodes")
    .select(["kind", "project_id"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row?.kind && row.project_id ? { kind: row.kind, projectId: row.project_id } : null;
}

// The history of a project: read only, because triggers write it (migration 0002).

import { type InferResult, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Change, Page, Props } from "../../domain/entity/entity.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { camelCased, kindColumn, objectColumn, opColumn } from "../row.ts";

const columns = ["seq", "at", "op", "kind", "entity_id", "title", "version", "actor_id", "run_id"] as const;

const selectChanges = (tx: Tx, projectId: string) =>
  tx
    .selectFrom("onto_changes")
    .select([...columns])
    .where("project_id", "=", projectId);

type Row = InferResult<ReturnType<typeof selectChanges>>[number];

const toChange = <Read extends Row>(row: Read) => ({
  ...camelCased(row),
  seq: Number(row.seq),
  op: opColumn.parse(row.op),
  kind: kindColumn.parse(row.kind),
  actorId: row.actor_id as UserId | null,
});

export type ChangeWithBefore = Change & { readonly before: Props | null };

export type ChangeFilter = PageQuery & { readonly entity_id?: string | undefined };

/** Newest first, with what was there before each write. */
export async function listChanges(tx: Tx, projectId: string, filter: ChangeFilter): Promise<Page<ChangeWithBefore>> {
  const before = decodeCursor("changes", "number", filter.cursor);
  let query = selectChanges(tx, projectId)
    .select("before")
    .orderBy("seq", "desc")
    .limit(filter.limit + 1);
  if (filter.entity_id) query = query.where("entity_id", "=", filter.entity_id);
  if (before) query = query.where("seq", "<", String(before[0]));
  const changes = (await query.execute()).map((row) => ({
    ...toChange(row),
    before: objectColumn.nullable().parse(row.before),
  }));
  return toPage("changes", changes, filter.limit, ({ seq }) => [seq]);
}

/** Oldest first, for the live stream: everything after `seq`, at most `limit`. */
export async function changesAfter(tx: Tx, projectId: string, seq: number, limit: number): Promise<readonly Change[]> {
  const rows = await selectChanges(tx, projectId).where("seq", ">", String(seq)).orderBy("seq").limit(limit).execute();
  return rows.map(toChange);
}

/** The number of the last write; 0 for a project that the user cannot see. */
export async function lastChangeSeq(tx: Tx, projectId: string): Promise<number> {
  const row = await tx
    .selectFrom("onto_change_counters")
    .select("last_seq")
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return Number(row?.last_seq ?? 0);
}

type Author = {
  readonly runId: string | null;
  /** The beginning of it; null for a person, and for a run that the user cannot see. */
  readonly runObjective: string | null;
  readonly actorId: UserId | null;
  readonly changes: number;
  readonly lastAt: string;
};

/** Enough of an objective to recognise the run. */
const objectiveMax = 200;
const authorsMax = 50;

/** Who wrote a thing, in the order of their first write. Writes that were undone do not count. */
export async function listAuthors(tx: Tx, projectId: string, entityId: string): Promise<readonly Author[]> {
  const person = sql<string | null>`case when c.run_id is null then c.actor_id end`;
  const objective = sql<string | null>`left(r.objective, ${sql.lit(objectiveMax)})`;
  const rows = await tx
    .selectFrom("onto_changes as c")
    .leftJoin("homework_runs as r", "r.id", "c.run_id")
    .select(["c.run_id", person.as("actor_id"), objective.as("run_objective")])
    .select(({ fn }) => [fn.countAll().as("changes"), fn.max("c.at").as("last_at")])
    .where("c.project_id", "=", projectId)
    .where("c.entity_id", "=", entityId)
    .where("c.op", "in", ["created", "updated"])
    .where("c.is_undone", "=", false)
    .groupBy(["c.run_id", person, objective])
    .orderBy(({ fn }) => fn.min("c.seq"))
    .limit(authorsMax)
    .execute();
  return rows.map((row) => ({
    ...camelCased(row),
    changes: Number(row.changes),
    actorId: row.actor_id as UserId | null,
  }));
}

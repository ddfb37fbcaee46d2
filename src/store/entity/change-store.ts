// The history of a project: read only, because triggers write it (migration 0034).

import { type InferResult, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Change, Page, Props } from "../../domain/entity/entity.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { camelCased, kindColumn, objectColumn, opColumn, tableOf } from "../row.ts";
import { isWorkingNote } from "../workspace/working-notes.ts";

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

/** The title of a page that only the owner of its run may read. */
const noteTitle = "Working note";

/**
 * Oldest first, for the live stream: everything after `seq`, at most `limit`. All who watch a project are sent the same, so a
 * working note has no title there.
 */
export async function changesAfter(tx: Tx, projectId: string, seq: number, limit: number): Promise<readonly Change[]> {
  const isNote = sql<boolean>`exists (select from onto_documents d where d.id = entity_id and ${isWorkingNote("d")})`;
  const rows = await selectChanges(tx, projectId)
    .select(isNote.as("is_note"))
    .where("seq", ">", String(seq))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(({ is_note: isNote, ...row }) => toChange(isNote ? { ...row, title: noteTitle } : row));
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

/** How a thing was told: by its version, or by the digest of one of its texts (the first half of its SHA-256). */
export type EarlierState =
  | { readonly version: number }
  | { readonly column: "content" | "description"; readonly digest: string };

/** A row as it was, and who has written since. */
export type EarlierRow = { readonly row: Props; readonly writers: readonly Writer[] };
export type Writer = "user" | "this_run" | "other_run" | "other_person";

/** Older writes are not looked through: comparing texts costs their length. */
const searchedMax = 200;

const earlierRow = z.object({
  before: objectColumn,
  writers: z.array(z.enum(["user", "this_run", "other_run", "other_person"])),
});

/** Null where the history does not know it as it was then. */
export async function findEarlier(
  tx: Tx,
  { projectId, id }: { readonly projectId: string; readonly id: string },
  state: EarlierState,
): Promise<EarlierRow | null> {
  const isThat =
    "version" in state
      ? sql`(c.before->>'version')::int = ${state.version}::int`
      : sql`left(encode(sha256(convert_to(c.before->>${state.column}, 'UTF8')), 'hex'), 32) = ${state.digest}`;
  const { rows } = await sql`
    with written as materialized (
      select c.seq, c.before, c.actor_id, c.run_id from onto_changes c
       where c.project_id = ${projectId} and c.entity_id = ${id} order by c.seq desc limit ${searchedMax}),
    base as (select c.seq, c.before from written c where c.before is not null and ${isThat} order by c.seq desc limit 1)
    select b.before, array(select distinct case when c.run_id = app_run_id() then 'this_run' when c.run_id is not null then 'other_run'
             when c.actor_id = app_user_id() then 'user' else 'other_person' end
        from written c where c.seq >= b.seq) as writers
      from base b`.execute(tx);
  const [found] = z.array(earlierRow).parse(rows);
  return found ? { row: found.before, writers: found.writers } : null;
}

/** The text that a run itself wrote last; null where it has written none. */
export async function findOwnText(
  tx: Tx,
  kind: Change["kind"],
  id: string,
  column: "content" | "description",
): Promise<string | null> {
  const { rows } = await sql`
    with own as (select c.project_id, c.seq from onto_changes c where c.run_id = app_run_id() and c.entity_id = ${id}
                    and not c.is_undone order by c.seq desc limit 1)
    select coalesce(
      (select c.before->>${column} from onto_changes c, own where c.project_id = own.project_id and c.entity_id = ${id}
          and c.seq > own.seq order by c.seq limit 1),
      (select to_jsonb(e)->>${column} from ${sql.table(tableOf(kind))} e where e.id = ${id})) as text from own`.execute(
    tx,
  );
  return z.array(z.object({ text: z.string().nullable() })).parse(rows)[0]?.text ?? null;
}

/**
 * What a run of the line (this run, the one that it follows, the one before that) wrote last as the content of a document, also where
 * that was undone since; null where none of them has written it.
 */
export async function findContentOfLine(tx: Tx, documentId: string): Promise<string | null> {
  const { rows } = await sql`
    with recursive line as (
      select app_run_id() as id union
      select r.follows_run_id from homework_runs r join line on line.id = r.id where r.follows_run_id is not null),
    own as (select c.project_id, c.seq from onto_changes c join line on line.id = c.run_id where c.entity_id = ${documentId}
             order by c.at desc, c.seq desc limit 1),
    next as (select c.before->>'content' as content from onto_changes c join own on own.project_id = c.project_id
              where c.entity_id = ${documentId} and c.seq > own.seq order by c.seq limit 1)
    select content from next
    union all select d.content from onto_documents d, own where d.id = ${documentId} and not exists (select from next)`.execute(
    tx,
  );
  return z.array(z.object({ content: z.string().nullable() })).parse(rows)[0]?.content ?? null;
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

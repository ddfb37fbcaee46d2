// Anything a user keeps in a project, by its id alone: where it lies, how much there is, and whose words it holds.
// Asked in the user's name, so what they may not see is not there.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { type EntityKind, entityKinds } from "../../domain/entity/kinds.ts";
import { camelCased, tableOf } from "../row.ts";
import { isWorkingNote } from "../workspace/working-notes.ts";

const kindColumn = z.enum(entityKinds);

export type Located = { readonly kind: EntityKind; readonly projectId: string };

/** Also what lies in the bin. */
export async function locateNode(tx: Tx, id: string): Promise<Located | null> {
  const row = await tx.selectFrom("onto_nodes").select(["kind", "project_id"]).where("id", "=", id).executeTakeFirst();
  return row?.project_id ? { kind: kindColumn.parse(row.kind), projectId: row.project_id } : null;
}

/** One that is there: removed links cannot be put back by themselves. */
export async function locateEdge(tx: Tx, id: string) {
  const row = await tx
    .selectFrom("onto_edges")
    .select(["rel", "src_project_id", "dst_project_id", "dst_id"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row ? camelCased(row) : null;
}

const countRow = z.object({ kind: kindColumn, count: z.coerce.number() });

/** How many of each kind a project holds, without the bin and without working notes. Kinds it has none of are left out. */
export async function countNodes(
  tx: Tx,
  projectId: string,
): Promise<readonly { readonly kind: EntityKind; readonly count: number }[]> {
  const { rows } = await sql`
    select n.kind, count(*) as count from onto_nodes n
     where n.project_id = ${projectId} and n.deleted_at is null
       and not exists (select from onto_documents d where d.id = n.id and ${isWorkingNote("d")}) group by n.kind`.execute(
    tx,
  );
  const found = rows.map((row) => countRow.parse(row));
  return entityKinds.flatMap((kind) => found.filter((row) => row.kind === kind));
}

const idRow = z.object({ id: z.string() });

/**
 * Those that hold words of someone else: another person made or changed them at some time (their words may still be in
 * it), or they are marked as taken from the web. Ids may be of projects, entities and edges, all of `projectIds`.
 */
export async function findForeignWords(
  tx: Tx,
  projectIds: readonly string[],
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const marked = (["project", ...entityKinds] as const).map(
    (kind) =>
      sql`select id from ${sql.table(tableOf(kind))} where id = any (${ids}::uuid[]) and props->'homework'->>'source' = 'web'`,
  );
  const { rows } = await sql`
    select id from unnest(${ids}::uuid[]) as given (id) where ${writtenBy("<", projectIds)} or ${writtenBy(">", projectIds)}
    union ${sql.join(marked, sql` union `)}`.execute(tx);
  return rows.map((row) => idRow.parse(row).id);
}

/**
 * Whether someone whose id is smaller, or larger, than the user's has written it: two looks into an index, where "someone
 * else" would read the whole history of a page that a run writes to in every iteration.
 */
const writtenBy = (side: "<" | ">", projectIds: readonly string[]) => sql`exists (
  select from onto_changes c where c.entity_id = given.id and c.op in ('created', 'updated')
     and c.actor_id ${sql.raw(side)} app_user_id() and c.project_id = any (${projectIds}::uuid[]))`;

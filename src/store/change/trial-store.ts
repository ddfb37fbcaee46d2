// Trying writes without making them, and what a transaction that is still open has written so far: read from the history that
// triggers keep, and from the rows themselves. It must not know which tool wrote, nor what becomes of the record.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { inSavepoint } from "../../db/savepoint.ts";
import { type StagedChange, toStagedChange } from "../../domain/change-set/staged-write.ts";
import type { Change } from "../../domain/entity/entity.ts";
import { assert } from "../../lib/assert.ts";
import { kindColumn, objectColumn, rowOf, tableOf, whole } from "../row.ts";

/** Whatever `work` writes is taken back. */
export const inTrial = <T>(tx: Tx, work: () => Promise<T>): Promise<T> => inSavepoint(tx, work, () => false);

/** How far the history of each project reaches, as far as this transaction has written it. */
export type HistoryMark = ReadonlyMap<string, number>;

/**
 * Only what this transaction wrote: others of the same run may commit meanwhile. The time tells numbers of this cluster from
 * those that a restore brought along.
 */
const mine = sql<boolean>`c.run_id = app_run_id() and c.xact = pg_current_xact_id() and c.at = now()::timestamptz(3)`;

export async function markHistory(tx: Tx): Promise<HistoryMark> {
  const { rows } = await sql<{ project_id: string; seq: string }>`
    select c.project_id, max(c.seq) as seq from onto_changes c where ${mine} group by 1`.execute(tx);
  return new Map(rows.map(({ project_id: projectId, seq }) => [projectId, Number(seq)]));
}

const historyRow = rowOf({
  projectId: z.string(),
  seq: whole,
  kind: kindColumn,
  entityId: z.string(),
  title: z.string(),
  before: objectColumn.nullable(),
});
type HistoryRow = z.infer<typeof historyRow>;

/** What was written since, one entry for each thing: how it was before the first of these writes, and how it is now. */
export async function changesSince(tx: Tx, mark: HistoryMark): Promise<readonly StagedChange[]> {
  const { rows } = await sql`
    select c.project_id, c.seq, c.kind, c.entity_id, c.title, c.before from onto_changes c where ${mine}
     order by c.project_id, c.seq`.execute(tx);
  const lines = z
    .array(historyRow)
    .parse(rows)
    .filter(({ projectId, seq }) => seq > (mark.get(projectId) ?? 0));
  const firsts = [...new Map(lines.toReversed().map((line) => [keyOf(line), line])).values()].toReversed();
  const titles = new Map(lines.map((line) => [keyOf(line), line.title]));
  const now = new Map<string, CurrentRow>();
  for (const kind of new Set(firsts.map((line) => line.kind)))
    for (const row of await currentRows(tx, kind, idsOf(kind, firsts))) now.set(`${kind} ${row.id}`, row);
  return firsts.map((line) => {
    const current = now.get(keyOf(line));
    assert(current, `the writer of ${keyOf(line)} can read it`);
    const { kind, projectId, entityId, before } = line;
    const title = current.title ?? titles.get(keyOf(line)) ?? line.title;
    return toStagedChange({ kind, projectId, entityId, title, before, after: current.row });
  });
}

const keyOf = ({ kind, entityId }: HistoryRow) => `${kind} ${entityId}`;

const idsOf = (kind: Change["kind"], lines: readonly HistoryRow[]) =>
  lines.filter((line) => line.kind === kind).map(({ entityId }) => entityId);

const currentRow = z.object({ id: z.string(), row: objectColumn, title: z.string().nullable() });
type CurrentRow = z.infer<typeof currentRow>;

async function currentRows(tx: Tx, kind: Change["kind"], ids: readonly string[]): Promise<readonly CurrentRow[]> {
  const { rows } = await (kind === "edge" ? edgesNow(tx, ids) : rowsNow(tx, kind, ids));
  return z.array(currentRow).parse(rows);
}

const rowsNow = (tx: Tx, kind: Change["kind"], ids: readonly string[]) =>
  sql`select t.id, to_jsonb(t) - 'search' as row, null::text as title
        from ${sql.table(tableOf(kind))} t where t.id = any (${[...ids]}::uuid[])`.execute(tx);

/** A link is known by what it joins. */
const edgesNow = (tx: Tx, ids: readonly string[]) =>
  sql`select e.id, to_jsonb(e) as row, concat_ws(' ', coalesce(s.title, e.src_id::text), e.rel, coalesce(d.title, e.dst_id::text)) as title
        from onto_edges e left join onto_nodes s on s.id = e.src_id left join onto_nodes d on d.id = e.dst_id
       where e.id = any (${[...ids]}::uuid[])`.execute(tx);

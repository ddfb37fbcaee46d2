// What a run made, changed, removed and linked, from the history that triggers keep, thing by thing. Reads only, in the user's
// transaction: what they may not see any more is not there.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { RowImage, WrittenRow } from "../../domain/change-set/staged-write.ts";
import type { Change, ChangeOp, Page } from "../../domain/entity/entity.ts";
import { documentTreeRel } from "../../domain/entity/kinds.ts";
import { workingNoteTypes, workspaceProjectType } from "../../domain/workspace/pages.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { kindColumn, objectColumn, opColumn, rowOf, tableOf, whole } from "../row.ts";

const outputRow = rowOf({
  kind: kindColumn,
  id: z.string(),
  projectId: z.string(),
  /** For a link: what it joins. */
  title: z.string(),
  isMade: z.boolean(),
  lastOp: opColumn,
  firstIteration: whole.nullable(),
  lastIteration: whole.nullable(),
  writes: whole,
  /** It is there, and not in the bin. */
  isThere: z.boolean(),
  /** An undo took all of it back. */
  isUndone: z.boolean(),
  isBookkeeping: z.boolean(),
  /** Of the last write. */
  at: z.string(),
}).transform(({ isMade, lastOp, ...output }) => ({ ...output, op: opOf(output.kind, isMade, lastOp) }));
export type RunOutput = z.infer<typeof outputRow>;

/** What it came to in all, whatever the thing went through on the way. */
function opOf(kind: Change["kind"], isMade: boolean, last: ChangeOp): "created" | "updated" | "deleted" | "linked" {
  if (isMade) return kind === "edge" ? "linked" : "created";
  return last === "deleted" ? "deleted" : "updated";
}

/** Pages that every run keeps, the project they stand in, and the places of documents in the tree. */
const ownTypes = [...workingNoteTypes, workspaceProjectType];

/** Of a thing that is gone, the history knows what it was. */
const typeOf = sql`coalesce(d.type_key, p.type_key, (select c.before->>'type_key' from onto_changes c
  where c.project_id = t.project_id and c.entity_id = t.entity_id and c.before is not null order by c.seq desc limit 1))`;

/** The history has no iterations, but it has times: one writes from its beginning until the next begins. */
const iterationAt = (runId: string, at: RawBuilder<unknown>) => sql`
  (select max(i.iteration) from homework_run_iterations i where i.run_id = ${runId} and i.started_at <= ${at})`;

export type OutputFilter = PageQuery & {
  /** Left out: with the platform's own pages and without. */
  readonly isBookkeeping?: boolean | undefined;
};

/** The last that was written to first. */
export async function listOutputs(tx: Tx, runId: string, filter: OutputFilter): Promise<Page<RunOutput>> {
  const before = decodeCursor("outputs", "time", filter.cursor);
  const wanted = sql`${filter.isBookkeeping ?? null}::boolean is null or k.is_bookkeeping = ${filter.isBookkeeping ?? null}::boolean`;
  const page = sql`(${wanted}) and ${isPast(before, "k.last_at", "k.entity_id")}`;
  const outputs = await readOutputs(tx, runId, null, page, filter.limit + 1);
  return toPage("outputs", outputs, filter.limit, ({ at, id }) => [at, id]);
}

async function readOutputs(
  tx: Tx,
  runId: string,
  entityId: string | null,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly RunOutput[]> {
  const { rows } = await sql`
    with touched as (
      select c.kind, c.entity_id, c.project_id, count(*) as writes, min(c.at) as first_at, max(c.at) as last_at,
             max(c.seq) as last_seq, bool_or(c.op = 'created') as is_made, bool_and(c.is_undone) as is_undone
        from onto_changes c where c.run_id = ${runId} and (${entityId}::uuid is null or c.entity_id = ${entityId}::uuid)
       group by 1, 2, 3
    ), known as (
      select t.*, l.title, l.op as last_op,
             case t.kind when 'edge' then l.title = ${documentTreeRel}
               else coalesce(${typeOf} = any (${ownTypes}::text[]), false) end as is_bookkeeping
        from touched t join onto_changes l on l.project_id = t.project_id and l.seq = t.last_seq
        left join onto_documents d on t.kind = 'document' and d.id = t.entity_id
        left join onto_projects p on t.kind = 'project' and p.id = t.entity_id
    ), page as (
      select k.* from known k where ${where} order by k.last_at desc, k.entity_id desc limit ${limit}
    )
    select k.kind, k.entity_id as id, k.project_id, k.writes, k.is_made, k.is_undone, k.is_bookkeeping, k.last_op, k.last_at as at,
           case when e.id is null then k.title
             else concat_ws(' ', coalesce(s.title, e.src_id::text), e.rel, coalesce(o.title, e.dst_id::text)) end as title,
           coalesce(case k.kind when 'edge' then e.deleted_at is null and e.id is not null
             when 'project' then (select p.deleted_at is null from onto_projects p where p.id = k.entity_id)
             else (select n.deleted_at is null from onto_nodes n where n.id = k.entity_id) end, false) as is_there,
           ${iterationAt(runId, sql`k.first_at`)} as first_iteration, ${iterationAt(runId, sql`k.last_at`)} as last_iteration
      from page k
      left join onto_edges e on k.kind = 'edge' and e.id = k.entity_id
      left join lateral (select n.title from onto_nodes n where n.id = e.src_id) s on true
      left join lateral (select n.title from onto_nodes n where n.id = e.dst_id) o on true
     order by k.last_at desc, k.entity_id desc`.execute(tx);
  return z.array(outputRow).parse(rows);
}

export type ChangedOutput = { readonly output: RunOutput; readonly row: WrittenRow };

const image = objectColumn.nullable();
const imagesRow = rowOf({ was: image, afterLast: image, lastBefore: image });

/** As it was before the run's first write and after its last; null where the run did not touch it, or the user may not see it. */
export async function findOutput(tx: Tx, runId: string, entityId: string): Promise<ChangedOutput | null> {
  const [output] = await readOutputs(tx, runId, entityId, sql`true`, 1);
  if (output === undefined) return null;
  const { rows } = await sql`
    with own as (select min(c.seq) as first_seq, max(c.seq) as last_seq from onto_changes c
       where c.project_id = ${output.projectId} and c.entity_id = ${entityId} and c.run_id = ${runId})
    select f.before as was, l.before as last_before,
           -- What somebody wrote over next is what the run left; else it is still there.
           coalesce((select c.before from onto_changes c where c.project_id = ${output.projectId} and c.entity_id = ${entityId}
              and c.seq > own.last_seq order by c.seq limit 1), ${rowNow(output)}) as after_last
      from own join onto_changes f on f.project_id = ${output.projectId} and f.seq = own.first_seq
      join onto_changes l on l.project_id = ${output.projectId} and l.seq = own.last_seq`.execute(tx);
  const { was, afterLast, lastBefore } = imagesRow.parse(rows[0]);
  // Put in the bin, and gone with it: what it was when it went.
  const after: RowImage = afterLast ?? lastBefore ?? {};
  const { kind, projectId, title } = output;
  return { output, row: { kind, projectId, entityId, title, before: was, after } };
}

const rowNow = ({ kind, id }: RunOutput): RawBuilder<unknown> =>
  sql`(select to_jsonb(n) - 'search' from ${sql.table(tableOf(kind))} n where n.id = ${id})`;

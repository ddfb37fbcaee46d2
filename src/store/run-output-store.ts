// What a run made, changed, removed and linked, from the history that triggers keep, thing by thing. Reads only, in the user's
// transaction: what they may not see any more is not there.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { RowImage, WrittenRow } from "../domain/change-set/staged-write.ts";
import type { Page } from "../domain/entity/entity.ts";
import { documentTreeRel, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import { workingNoteTypes, workspaceProjectType } from "../domain/workspace/pages.ts";
import { decodeCursor, toPage } from "./cursor.ts";

export type RunOutput = {
  readonly kind: z.infer<typeof kindColumn>;
  readonly id: string;
  readonly projectId: string;
  readonly op: "created" | "updated" | "deleted" | "linked";
  /** For a link: what it joins. */
  readonly title: string;
  readonly firstIteration: number | null;
  readonly lastIteration: number | null;
  readonly writes: number;
  /** It is there, and not in the bin. */
  readonly isThere: boolean;
  /** An undo took all of it back. */
  readonly isUndone: boolean;
  readonly isBookkeeping: boolean;
  /** Of the last write. */
  readonly at: string;
};

const kindColumn = z.enum(["project", ...entityKinds, "edge"]);
const whole = z.coerce.number().int();
const outputRow = z.object({
  kind: kindColumn,
  entity_id: z.string(),
  project_id: z.string(),
  title: z.string(),
  is_made: z.boolean(),
  last_op: z.enum(["created", "updated", "deleted", "restored"]),
  first_iteration: whole.nullable(),
  last_iteration: whole.nullable(),
  writes: whole,
  is_there: z.boolean(),
  is_undone: z.boolean(),
  is_bookkeeping: z.boolean(),
  last_at: z.string(),
});

function toOutput(found: unknown): RunOutput {
  const row = outputRow.parse(found);
  return {
    kind: row.kind,
    id: row.entity_id,
    projectId: row.project_id,
    op: opOf(row),
    title: row.title,
    firstIteration: row.first_iteration,
    lastIteration: row.last_iteration,
    writes: row.writes,
    isThere: row.is_there,
    isUndone: row.is_undone,
    isBookkeeping: row.is_bookkeeping,
    at: row.last_at,
  };
}

/** What it came to in all, whatever the thing went through on the way. */
function opOf({ kind, is_made: isMade, last_op: last }: z.infer<typeof outputRow>): RunOutput["op"] {
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

export type OutputFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Left out: with the platform's own pages and without. */
  readonly isBookkeeping?: boolean | undefined;
};

/** The last that was written to first. */
export async function listOutputs(tx: Tx, runId: string, filter: OutputFilter): Promise<Page<RunOutput>> {
  const before = decodeCursor("outputs", "time", filter.cursor);
  const wanted = sql`${filter.isBookkeeping ?? null}::boolean is null or k.is_bookkeeping = ${filter.isBookkeeping ?? null}::boolean`;
  const place = before ? sql`(k.last_at, k.entity_id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : sql`true`;
  const rows = await readOutputs(tx, runId, null, sql`(${wanted}) and ${place}`, filter.limit + 1);
  return toPage("outputs", rows, filter.limit, toOutput, (row) => [row.last_at, row.entity_id]);
}

async function readOutputs(
  tx: Tx,
  runId: string,
  entityId: string | null,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly { last_at: string; entity_id: string }[]> {
  const { rows } = await sql<{ last_at: string; entity_id: string }>`
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
    select k.kind, k.entity_id, k.project_id, k.writes, k.is_made, k.is_undone, k.is_bookkeeping, k.last_op, k.last_at,
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
  return rows;
}

export type ChangedOutput = { readonly output: RunOutput; readonly row: WrittenRow };

const image = z.record(z.string(), z.unknown());
const imagesRow = z.object({ was: image.nullable(), after_last: image.nullable(), last_before: image.nullable() });

/** As it was before the run's first write and after its last; null where the run did not touch it, or the user may not see it. */
export async function findOutput(tx: Tx, runId: string, entityId: string): Promise<ChangedOutput | null> {
  const [found] = await readOutputs(tx, runId, entityId, sql`true`, 1);
  if (found === undefined) return null;
  const output = toOutput(found);
  const { rows } = await sql`
    with own as (select min(c.seq) as first_seq, max(c.seq) as last_seq from onto_changes c
       where c.project_id = ${output.projectId} and c.entity_id = ${entityId} and c.run_id = ${runId})
    select f.before as was, l.before as last_before,
           -- What somebody wrote over next is what the run left; nobody did: it is still there.
           coalesce((select c.before from onto_changes c where c.project_id = ${output.projectId} and c.entity_id = ${entityId}
              and c.seq > own.last_seq order by c.seq limit 1), ${rowNow(output)}) as after_last
      from own join onto_changes f on f.project_id = ${output.projectId} and f.seq = own.first_seq
      join onto_changes l on l.project_id = ${output.projectId} and l.seq = own.last_seq`.execute(tx);
  const { was, after_last: is, last_before: last } = imagesRow.parse(rows[0]);
  // Put in the bin, and gone with it: what it was when it went.
  const after: RowImage = is ?? last ?? {};
  const { kind, projectId, title } = output;
  return { output, row: { kind, projectId, entityId, title, before: was, after } };
}

function rowNow({ kind, id }: RunOutput): RawBuilder<unknown> {
  const table = kind === "edge" ? "onto_edges" : kind === "project" ? "onto_projects" : kindSpecs[kind].table;
  return sql`(select to_jsonb(n) - 'search' from ${sql.table(table)} n where n.id = ${id})`;
}

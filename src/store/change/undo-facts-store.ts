// What an undo has to know, from the history and the tables: what a run touched, who came after it, and what stands in the
// way. Asked as the platform, so that what the user may not see any more is named and not forgotten; only reads and holds.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { documentTreeRel, entityKinds } from "../../domain/entity/kinds.ts";
import {
  type Obstacle,
  refOf,
  type Thing,
  type Touched,
  type Trace,
  type UndoKind,
} from "../../domain/undo/undo-plan.ts";
import { workspaceProjectType } from "../../domain/workspace/pages.ts";
import { AppError } from "../../lib/app-error.ts";
import { kindColumn, opColumn, rowOf, tableOf, whole } from "../row.ts";

/** Things before links before projects: the order in which everyone else comes to hold them. */
export const undoKinds: readonly UndoKind[] = [...entityKinds, "edge", "project"];

/** What one transaction can take back in good time; a run of the longest kind makes a tenth of it. */
const touchedMax = 20_000;

const traceColumns = {
  at: z.string().nullable(),
  op: opColumn.nullable(),
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  runId: z.string().nullable(),
};
type TraceColumns = z.infer<z.ZodObject<typeof traceColumns>>;

const toTrace = ({ at, op, userId, userName, runId }: TraceColumns): Trace | null =>
  at === null || op === null ? null : { at, op, userId, userName, runId };

const touchedRow = rowOf({
  kind: kindColumn,
  id: z.string(),
  projectId: z.string(),
  title: z.string(),
  firstSeq: whole,
  isMade: z.boolean(),
  wasBinned: z.boolean(),
  isThere: z.boolean(),
  mayWrite: z.boolean(),
  isShared: z.boolean(),
  count: whole.nullable(),
  ...traceColumns,
}).transform(({ count, at, op, userId, userName, runId, ...thing }): Touched => {
  const last = toTrace({ at, op, userId, userName, runId });
  return { ...thing, changedSince: last && { last, count: count ?? 1 } };
});

/** Everything the run wrote to that was not taken back yet. */
export async function loadTouched(tx: Tx, runId: string): Promise<readonly Touched[]> {
  const { rows } = await sql`
    with mine as (
      select kind, entity_id, project_id, min(seq) as first_seq, (array_agg(op order by seq))[1] as first_op,
             (array_agg(title order by seq desc))[1] as title
        from onto_changes where run_id = ${runId} and not is_undone group by 1, 2, 3 limit ${touchedMax + 1}
    ), since as (
      select m.kind, m.entity_id, count(*) as count, max(c.seq) as last_seq
        from mine m join onto_changes c on c.project_id = m.project_id and c.entity_id = m.entity_id
       where c.kind = m.kind and c.seq > m.first_seq and not c.is_undone and c.run_id is distinct from ${runId} group by 1, 2
    )
    select m.kind, m.entity_id as id, m.project_id, m.first_seq, m.first_op = 'created' as is_made, m.title, s.count, l.at, l.op,
           l.actor_id as user_id, u.name as user_name, l.run_id, f.before ->> 'deleted_at' is not null as was_binned,
           (exists (select from onto_nodes n where n.id = m.entity_id) or exists (select from onto_edges e where e.id = m.entity_id)
             or exists (select from onto_projects p where p.id = m.entity_id)) as is_there,
           m.project_id in (select app_writable_projects()) and not exists (select from onto_edges e
             where e.id = m.entity_id and e.dst_project_id not in (select app_readable_projects())) as may_write,
           exists (select from onto_projects p where p.id = m.entity_id and p.type_key = ${workspaceProjectType}) as is_shared
      from mine m join onto_changes f on f.project_id = m.project_id and f.seq = m.first_seq
      left join since s on s.kind = m.kind and s.entity_id = m.entity_id
      left join onto_changes l on l.project_id = m.project_id and l.seq = s.last_seq
      left join auth_users u on u.id = l.actor_id
     order by m.project_id, m.first_seq`.execute(tx);
  if (rows.length > touchedMax)
    throw new AppError("too_large", `The run changed more than ${touchedMax} things, too many to take back at once`);
  return z.array(touchedRow).parse(rows);
}

/**
 * No other transaction writes to these things, or anything to their projects, until we are done. Rows first and then the
 * counters of the projects, as every write does it: earlier writes are finished, and later ones see what we did.
 */
export async function lockTouched(tx: Tx, touched: readonly Thing[]): Promise<void> {
  for (const kind of undoKinds) {
    const ids = touched.filter((thing) => thing.kind === kind).map(({ id }) => id);
    if (ids.length > 0)
      await sql`select from ${sql.table(tableOf(kind))} where id = any (${ids}::uuid[]) order by id for update`.execute(
        tx,
      );
  }
  const projects = [...new Set(touched.map(({ projectId }) => projectId))];
  await sql`select from onto_change_counters where project_id = any (${projects}::uuid[])
             order by project_id for no key update`.execute(tx);
}

/** More than anyone decides about one by one. */
const obstaclesMax = 2_000;

const obstacleRow = rowOf({
  kind: kindColumn,
  entityId: z.string(),
  byKind: kindColumn,
  byId: z.string(),
  byProject: z.string(),
  byTitle: z.string(),
  linkId: z.string().nullable(),
  ...traceColumns,
});

type Wanted = { readonly remove: readonly Touched[]; readonly restore: readonly Touched[] };

export async function loadObstacles(tx: Tx, { remove, restore }: Wanted): Promise<readonly Obstacle[]> {
  const gone = remove.map(({ id }) => id);
  const back = restore.filter(({ kind, wasBinned }) => kind === "edge" && !wasBinned);
  // What is put back stands there as it was, and no longer as it is.
  const replaced = [...gone, ...restore.filter(({ kind }) => kind === "edge").map(({ id }) => id)];
  const links = await linksInUse(tx, remove, replaced);
  const projects = await projectsInUse(tx, remove, gone);
  const places = back.length === 0 ? [] : await placesTaken(tx, back, replaced);
  const loops = back.length === 0 ? [] : await loopsMade(tx, back, replaced);
  return [...links, ...projects, ...places, ...loops].slice(0, obstaclesMax);
}

async function readObstacles(
  tx: Tx,
  reason: Obstacle["reason"],
  query: RawBuilder<unknown>,
): Promise<readonly Obstacle[]> {
  const { rows } = await query.execute(tx);
  return rows.map((found) => {
    const row = obstacleRow.parse(found);
    const { byKind: kind, byId: id, byProject: projectId, byTitle: title, linkId } = row;
    const by = { kind, id, projectId, title, trace: toTrace(row) };
    return { ref: refOf({ kind: row.kind, id: row.entityId }), reason, by, linkId };
  });
}

/** Who made a link, and whether it can be taken out of the way. */
const linkColumns = sql`'edge' as by_kind, e.id as by_id, e.src_project_id as by_project, e.rel as by_title,
  case when e.src_project_id in (select app_writable_projects()) then e.id end as link_id,
  e.created_at as at, 'created' as op, e.created_by as user_id, u.name as user_name, e.created_by_run as run_id`;

/** What stands in the way is no link, and it does not matter who made it. */
const noLinkColumns = sql`null::uuid as link_id, null::timestamptz as at, null::text as op, null::uuid as user_id,
  null::text as user_name, null::uuid as run_id`;

/** Links that stay and have an end that would go. Those into projects that the user may not see are not theirs to know. */
function linksInUse(tx: Tx, remove: readonly Touched[], replaced: readonly string[]) {
  const things = remove.filter(({ kind }) => kind !== "edge" && kind !== "project");
  const of = sql`unnest(${things.map(({ id }) => id)}::uuid[], ${things.map(({ projectId }) => projectId)}::uuid[],
    ${things.map(({ kind }) => kind)}::text[]) as gone (id, project_id, kind)`;
  const side = (end: "src" | "dst") => sql`
    select gone.kind, gone.id as entity_id, ${linkColumns} from ${of}
      join onto_edges e on ${sql.ref(`e.${end}_project_id`)} = gone.project_id and ${sql.ref(`e.${end}_id`)} = gone.id
      left join auth_users u on u.id = e.created_by
     where e.deleted_at is null and e.id <> all (${replaced}::uuid[])
       and e.src_project_id in (select app_readable_projects()) and e.dst_project_id in (select app_readable_projects())`;
  return readObstacles(tx, "in_use", sql`${side("src")} union all ${side("dst")} limit ${obstaclesMax}`);
}

/** A project goes only with everything in it, also what lies in the bin, and only while it has no other member. */
function projectsInUse(tx: Tx, remove: readonly Touched[], gone: readonly string[]) {
  const ids = remove.filter(({ kind }) => kind === "project").map(({ id }) => id);
  return readObstacles(
    tx,
    "in_use",
    sql`select distinct on (entity_id) 'project' as kind, held.* from (
      select p.id as entity_id, n.kind as by_kind, n.id as by_id, n.project_id as by_project, n.title as by_title, ${noLinkColumns}
        from unnest(${ids}::uuid[]) as p (id) join onto_nodes n on n.project_id = p.id and n.id <> all (${gone}::uuid[])
      union all
      select p.id, 'edge', e.id, e.src_project_id, e.rel, ${noLinkColumns}
        from unnest(${ids}::uuid[]) as p (id) join onto_edges e on p.id in (e.src_project_id, e.dst_project_id) and e.id <> all (${gone}::uuid[])
      union all
      select p.id, 'project', p.id, p.id, coalesce(u.name, ''), ${noLinkColumns}
        from unnest(${ids}::uuid[]) as p (id) join onto_project_members m on m.project_id = p.id and m.user_id <> app_user_id()
        left join auth_users u on u.id = m.user_id) held`,
  );
}

/** The links as they were. */
const backRows = (back: readonly Touched[]) => sql`
  back as (select b.*, c.seq from unnest(${back.map(({ projectId }) => projectId)}::uuid[], ${back.map(({ firstSeq }) => firstSeq)}::bigint[])
    as f (project_id, seq) join onto_changes c on c.project_id = f.project_id and c.seq = f.seq,
    lateral jsonb_populate_record(null::onto_edges, c.before) b)`;

/** A link that is there now, or comes back as well, where this one would be: a thing has one of a kind, a document one parent. */
function placesTaken(tx: Tx, back: readonly Touched[], replaced: readonly string[]) {
  return readObstacles(
    tx,
    "place_taken",
    sql`with ${backRows(back)}
      select distinct on (back.id) 'edge' as kind, back.id as entity_id, ${linkColumns}
        from back join onto_edges e on e.deleted_at is null and e.id <> all (${replaced}::uuid[])
         and ((e.rel = ${documentTreeRel} and back.rel = ${documentTreeRel} and e.dst_id = back.dst_id)
           or (e.src_id = back.src_id and e.rel = back.rel and e.dst_id = back.dst_id))
        left join auth_users u on u.id = e.created_by
      union all
      select 'edge', back.id, 'edge', o.id, o.src_project_id, o.rel, null, o.created_at, 'created', o.created_by, u.name, o.created_by_run
        from back join back o on o.id <> back.id and o.dst_id = back.dst_id and o.rel = back.rel and o.seq > back.seq
         and (o.rel = ${documentTreeRel} or o.src_id = back.src_id)
        left join auth_users u on u.id = o.created_by`,
  );
}

/** Deeper than any tree of documents. */
const depthMax = 33;

/** A document that would be put back below itself, because what it was below has been put below it since. */
function loopsMade(tx: Tx, back: readonly Touched[], replaced: readonly string[]) {
  return readObstacles(
    tx,
    "would_loop",
    sql`with recursive ${backRows(back)},
      up (edge_id, goal, id, depth) as (
        select back.id, back.dst_id, back.src_id, 1 from back where back.rel = ${documentTreeRel}
        union all
        select up.edge_id, up.goal, a.src_id, up.depth + 1 from up, lateral (
          select e.src_id from onto_edges e where e.rel = ${documentTreeRel} and e.deleted_at is null and e.dst_id = up.id
             and e.id <> all (${replaced}::uuid[])
          union all
          select b.src_id from back b where b.rel = ${documentTreeRel} and b.dst_id = up.id) a
         where up.depth < ${depthMax} and up.id <> up.goal)
      select distinct on (up.edge_id) 'edge' as kind, up.edge_id as entity_id, 'document' as by_kind, d.id as by_id, d.project_id as by_project,
             d.title as by_title, ${noLinkColumns}
        from up join onto_documents d on d.id = up.goal where up.id = up.goal`,
  );
}

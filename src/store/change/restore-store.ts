// Brings back what an undo of a run took back, in one transaction of its user. The undo's own line in the history of each thing says
// what it found there; what was changed since the undo, or has no place any more, stays as it is now.

import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { EventOf } from "../../domain/run/events.ts";
import { refOf, type Thing, type Touched } from "../../domain/undo/undo-plan.ts";
import { toJson } from "../json.ts";
import { appendToFeed, lockFeed } from "../notification/feed-store.ts";
import { runTopic, tellTopics } from "../notification/topics.ts";
import { kindColumn, rowOf, whole } from "../row.ts";
import { loadObstacles, lockTouched } from "./undo-facts-store.ts";
import { columnsOf, restoreThings } from "./undo-store.ts";

export type Restored = {
  readonly restored: readonly Thing[];
  /** Changed since the undo, or without a place: they stay as they are. */
  readonly left: readonly Thing[];
};

/** Comes with the run locked. Nothing, where no undo is left to restore. */
export async function restoreRun(tx: Tx, runId: string): Promise<Restored> {
  const undos = await asPlatform(tx, (platform) => openUndos(platform, runId));
  const restored: Thing[] = [];
  const left: Thing[] = [];
  // The last one first: each finds what it left behind.
  for (const undoId of undos) {
    const projects = await asPlatform(tx, (platform) => bringProjectsBack(platform, undoId));
    const things = await asPlatform(tx, (platform) => loadReturning(platform, undoId));
    const back = await asPlatform(tx, (platform) => withoutObstacles(platform, things));
    await restoreThings(tx, back);
    await asPlatform(tx, (platform) => markRestored(platform, undoId, back));
    const isBack = new Set(back.map(refOf));
    restored.push(...projects, ...back.map(toThing));
    left.push(...things.filter((thing) => !isBack.has(refOf(thing))).map(toThing));
  }
  if (undos.length > 0) await asPlatform(tx, (platform) => noteRestored(platform, runId, undos, { restored, left }));
  return { restored, left };
}

async function openUndos(platform: Tx, runId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from homework_run_undos where run_id = ${runId} and restored_at is null
     order by undone_at desc, id for update`.execute(platform);
  return rows.map(({ id }) => id);
}

const projectRow = rowOf({ id: z.string(), title: z.string() });

/** With their members and their history, in place of the line that making them again has written. */
async function bringProjectsBack(platform: Tx, undoId: string): Promise<readonly Thing[]> {
  const columns = ["id", ...(await columnsOf(platform, "project"))];
  const kept = sql`homework_run_undos u, lateral jsonb_array_elements(u.projects) as k (project)`;
  const { rows } = await sql`
    insert into onto_projects (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map((name) => sql.ref(`p.${name}`)))} from ${kept}, lateral jsonb_populate_record(null::onto_projects, k.project -> 'row') p
     where u.id = ${undoId} returning id, name as title`.execute(platform);
  const made = z.array(projectRow).parse(rows);
  if (made.length === 0) return [];
  const ids = made.map(({ id }) => id);
  // Before the history comes back: what a run wrote lies within its scope, and this project is part of it.
  await sql`
    update homework_runs r set workspace_project_id = p.id from homework_run_undos u
      join onto_projects p on p.id = (u.workspace ->> 'project')::uuid
     where u.id = ${undoId} and r.id = u.run_id and r.workspace_project_id is null`.execute(platform);
  await sql`delete from onto_changes where project_id = any (${ids}::uuid[])`.execute(platform);
  await sql`
    insert into onto_project_members select m.* from ${kept},
      lateral jsonb_populate_recordset(null::onto_project_members, k.project -> 'members') m
     where u.id = ${undoId} and exists (select from auth_users a where a.id = m.user_id)`.execute(platform);
  await sql`
    insert into onto_changes select c.* from ${kept},
      lateral jsonb_populate_recordset(null::onto_changes, k.project -> 'changes') c where u.id = ${undoId}`.execute(
    platform,
  );
  await sql`
    update onto_change_counters n set last_seq = (select max(seq) from onto_changes c where c.project_id = n.project_id)
     where project_id = any (${ids}::uuid[])`.execute(platform);
  // Removing a project leaves no line of the undo: all that is written about it is the run's.
  await sql`update onto_changes set is_undone = false, undo_id = null
             where undo_id = ${undoId} and kind = 'project' and project_id = any (${ids}::uuid[])`.execute(platform);
  return made.map(({ id, title }) => ({ kind: "project", id, projectId: id, title }));
}

const returningRow = rowOf({
  kind: kindColumn,
  id: z.string(),
  projectId: z.string(),
  title: z.string(),
  firstSeq: whole,
  wasBinned: z.boolean(),
  isThere: z.boolean(),
  mayReturn: z.boolean(),
  ends: z.array(z.string()),
  endsThere: whole,
});
type ReturningRow = z.infer<typeof returningRow>;

/** Each thing that the undo touched, with the number of the undo's own line; held still until we are done. */
async function loadReturning(platform: Tx, undoId: string): Promise<readonly ReturningRow[]> {
  const read = async () => {
    const { rows } = await sql`
      with own as (
        select distinct on (kind, entity_id) * from onto_changes where undo_id = ${undoId} order by kind, entity_id, seq desc)
      select o.kind, o.entity_id as id, o.project_id, o.title, o.seq as first_seq,
             o.before ->> 'deleted_at' is not null as was_binned,
             (exists (select from onto_nodes n where n.id = o.entity_id) or exists (select from onto_edges e where e.id = o.entity_id)
               or exists (select from onto_projects p where p.id = o.entity_id)) as is_there,
             o.before is not null and o.project_id in (select app_writable_projects())
               and not exists (select from onto_changes c where c.project_id = o.project_id and c.entity_id = o.entity_id
                 and c.kind = o.kind and c.seq > o.seq and not c.is_undone) as may_return,
             coalesce(e.ends, '{}') as ends,
             (select count(*) from onto_nodes n where n.id::text = any (e.ends)) as ends_there
        from own o left join lateral (select array[o.before ->> 'src_id', o.before ->> 'dst_id'] as ends
               where o.kind = 'edge' and o.before is not null) e on true
       order by o.project_id, o.seq`.execute(platform);
    return z.array(returningRow).parse(rows);
  };
  await lockTouched(platform, await read());
  return read();
}

/** Those that can stand where they stood: links need both of their ends, and a place that is not taken. */
async function withoutObstacles(platform: Tx, things: readonly ReturningRow[]): Promise<readonly ReturningRow[]> {
  const free = things.filter(({ mayReturn }) => mayReturn);
  const comes = new Set(free.filter(({ isThere }) => !isThere).map(({ id }) => id));
  const whole = free.filter(
    ({ ends, endsThere }) => endsThere + ends.filter((id) => comes.has(id)).length >= ends.length,
  );
  const restore = whole.map(
    (thing): Touched => ({ ...thing, isMade: false, mayWrite: true, isShared: false, changedSince: null }),
  );
  const inTheWay = new Set((await loadObstacles(platform, { remove: [], restore })).map(({ ref }) => ref));
  return whole.filter((thing) => !inTheWay.has(refOf(thing)));
}

/** What the run wrote counts again; the lines of the undo and of this do not: together they changed nothing. */
async function markRestored(platform: Tx, undoId: string, things: readonly ReturningRow[]): Promise<void> {
  await sql`
    update onto_changes c set is_undone = c.seq >= f.seq, undo_id = case when c.seq >= f.seq then c.undo_id end
      from unnest(${things.map(({ projectId }) => projectId)}::uuid[], ${things.map(({ id }) => id)}::uuid[],
                  ${things.map(({ kind }) => kind)}::text[], ${things.map(({ firstSeq }) => firstSeq)}::bigint[])
        as f (project_id, entity_id, kind, seq)
     where c.project_id = f.project_id and c.entity_id = f.entity_id and c.kind = f.kind
       and (c.undo_id = ${undoId} or c.seq > f.seq)`.execute(platform);
}

async function noteRestored(
  platform: Tx,
  runId: string,
  undos: readonly string[],
  { restored, left }: Restored,
): Promise<void> {
  const counts = { restored: restored.length, left: left.length };
  const event: Omit<EventOf<"run_restored">, "iteration"> = { type: "run_restored", ...counts };
  await sql`update homework_run_undos set restored_at = now(), projects = '[]' where id = any (${undos}::uuid[])`.execute(
    platform,
  );
  const { rows } = await sql<{ user_id: UserId }>`
    with run as (update homework_runs r set last_seq = last_seq + 1,
        undone_at = case when ${restored.length === 0} then undone_at end,
        workspace_document_id = coalesce(r.workspace_document_id, (select d.id from homework_run_undos u
          join onto_documents d on d.id = (u.workspace ->> 'document')::uuid where u.id = any (${undos}::uuid[]) limit 1))
      where r.id = ${runId} returning r.id, user_id, last_seq, iteration),
    event as (insert into homework_run_events (run_id, seq, iteration, type, event)
      select id, last_seq, iteration, 'run_restored',
             ${toJson(event)}::jsonb || jsonb_build_object('iteration', iteration) from run)
    select user_id from run`.execute(platform);
  for (const { user_id: userId } of rows) {
    await lockFeed(platform, userId);
    await appendToFeed(platform, userId, "run_changed", { id: runId });
  }
  await tellTopics(platform, [...new Set(restored.map(({ projectId }) => projectId)), runTopic(runId)]);
}

const toThing = ({ kind, id, projectId, title }: Thing): Thing => ({ kind, id, projectId, title });

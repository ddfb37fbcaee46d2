// Takes back what a run wrote, in one transaction of its user: what it made goes, what it changed is put back byte for byte as
// the history kept it. What to do is decided before (`src/domain/undo/`); the row level security of the user holds for
// everything but deleting, which is the platform's.

import { sql } from "kysely";
import { asPlatform, type Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { EventOf } from "../../domain/run/events.ts";
import {
  type Choice,
  candidates,
  planUndo,
  type Touched,
  type UndoKind,
  type UndoPlan,
} from "../../domain/undo/undo-plan.ts";
import { assert } from "../../lib/assert.ts";
import { nextVersion } from "../entity/project-store.ts";
import { toJson } from "../json.ts";
import { appendToFeed, lockFeed } from "../notification/feed-store.ts";
import { runTopic, tellTopics } from "../notification/topics.ts";
import { tableOf } from "../row.ts";
import { loadObstacles, loadTouched, lockTouched, undoKinds } from "./undo-facts-store.ts";

/** What it would come to now. */
export const readUndo = (tx: Tx, runId: string, choice: Choice): Promise<UndoPlan> =>
  asPlatform(tx, (platform) => planNow(platform, runId, choice));

async function planNow(platform: Tx, runId: string, choice: Choice): Promise<UndoPlan> {
  const touched = await loadTouched(platform, runId);
  return planUndo(touched, await loadObstacles(platform, candidates(touched, choice)), choice);
}

/** Done, unless the plan has conflicts. Comes with the run locked and not at work: nothing is added to it meanwhile. */
export async function undoRun(tx: Tx, runId: string, choice: Choice): Promise<UndoPlan> {
  const plan = await asPlatform(tx, async (platform) => {
    await lockTouched(platform, await loadTouched(platform, runId));
    return planNow(platform, runId, choice);
  });
  const { remove, restore, conflicts } = plan;
  if (conflicts.length > 0 || remove.length + restore.length === 0) return plan;
  const undoId = await asPlatform(tx, (platform) => noteUndo(platform, runId));
  await unlink(tx, plan.unlink);
  await asPlatform(tx, (platform) => removeThings(platform, remove));
  await restoreThings(tx, restore);
  await asPlatform(tx, async (platform) => {
    await markUndone(platform, undoId, [...remove, ...restore]);
    await keepProjects(platform, undoId, idsOf(remove, "project"));
    await removeProjects(platform, remove);
    await noteUndone(platform, runId, plan);
  });
  return plan;
}

async function unlink(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await sql`update onto_edges set deleted_at = now(), updated_at = now(), version = ${nextVersion}
               where id = any (${ids}::uuid[]) and deleted_at is null`.execute(tx);
}

const idsOf = (things: readonly Touched[], kind: UndoKind) =>
  things.filter((thing) => thing.kind === kind).map(({ id }) => id);

/** For good, and the history keeps what they were. Links first: they have no end without their things. */
async function removeThings(platform: Tx, things: readonly Touched[]): Promise<void> {
  for (const kind of ["edge", "task", "goal", "plan", "milestone", "document"] as const) {
    const ids = idsOf(things, kind);
    if (ids.length === 0) continue;
    const [project, title] = kind === "edge" ? ["src_project_id", "rel"] : ["project_id", "title"];
    const { rows } = await sql`
      with gone as (
        delete from ${sql.table(tableOf(kind))} t where t.id = any (${ids}::uuid[]) returning to_jsonb(t) - 'search' as row
      ), counted as (
        update onto_change_counters c set last_seq = last_seq + g.n
          from (select (row ->> ${project}::text)::uuid as project_id, count(*) as n from gone group by 1) g
         where g.project_id = c.project_id returning c.project_id, c.last_seq - g.n as base)
      insert into onto_changes (project_id, seq, op, kind, entity_id, title, version, before, actor_id)
      select c.project_id, base + row_number() over (partition by c.project_id order by row ->> 'id'), 'deleted', ${kind}::text,
             (row ->> 'id')::uuid, left(row ->> ${title}::text, 4000), (row ->> 'version')::int, row, app_user_id()
        from gone join counted c on c.project_id = (row ->> ${project}::text)::uuid returning seq`.execute(platform);
    assert(rows.length === ids.length, `all ${ids.length} ${kind}s to remove are there, and locked`);
  }
}

/** A project goes with its members and its history: there is nothing left that it could be the history of. */
async function removeProjects(platform: Tx, things: readonly Touched[]): Promise<void> {
  const ids = idsOf(things, "project");
  if (ids.length > 0) await sql`delete from onto_projects where id = any (${ids}::uuid[])`.execute(platform);
}

/** A row that is put back as it was before one line of its history. */
export type Returning = Pick<Touched, "kind" | "projectId" | "firstSeq" | "isThere" | "wasBinned">;

/** Links that lie in the bin again make room for those that come back. */
export async function restoreThings(tx: Tx, things: readonly Returning[]): Promise<void> {
  for (const kind of undoKinds.toReversed()) {
    const some = things.filter((thing) => thing.kind === kind);
    for (const wasBinned of [true, false]) {
      const rows = some.filter((thing) => thing.wasBinned === wasBinned);
      const gone = rows.filter(({ isThere }) => !isThere);
      const there = rows.filter(({ isThere }) => isThere);
      await putBack(tx, kind, there);
      await makeAgain(tx, kind, gone);
    }
  }
}

/** The row as it was, with its version and its times. What the history does not know, a newer column, stays. */
async function putBack(tx: Tx, kind: UndoKind, things: readonly Returning[]): Promise<void> {
  if (things.length === 0) return;
  const columns = await columnsOf(tx, kind);
  const { numAffectedRows } = await sql`
    update ${sql.table(tableOf(kind))} t set (${sql.join(columns.map((name) => sql.ref(name)))})
         = (select ${sql.join(columns.map((name) => sql.ref(`r.${name}`)))} from jsonb_populate_record(t, c.before) r)
      from ${firstChanges(things)} where t.id = c.entity_id`.execute(tx);
  assert(
    Number(numAffectedRows) === things.length,
    `all ${things.length} ${kind}s to put back are there, and may be written`,
  );
}

/** Its row is gone for good: housekeeping has emptied the bin, or an undo has removed it. */
async function makeAgain(tx: Tx, kind: UndoKind, things: readonly Returning[]): Promise<void> {
  if (things.length === 0) return;
  const columns = ["id", ...(await columnsOf(tx, kind))];
  const table = sql.table(tableOf(kind));
  await sql`
    insert into ${table} (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map((name) => sql.ref(`r.${name}`)))}
      from ${firstChanges(things)}, lateral jsonb_populate_record(null::${table}, c.before) r`.execute(tx);
}

const firstChanges = (things: readonly Returning[]) => sql`
  unnest(${things.map(({ projectId }) => projectId)}::uuid[], ${things.map(({ firstSeq }) => firstSeq)}::bigint[]) as f (project_id, seq)
    join onto_changes c on c.project_id = f.project_id and c.seq = f.seq`;

/** All but the key and what the database works out itself. */
export async function columnsOf(tx: Tx, kind: UndoKind): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${tableOf(kind)}::regclass
       and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'id' order by attnum`.execute(tx);
  return rows.map(({ name }) => name);
}

/** From the run's first change on, all that was written to these things is not there any more, and neither is the undo. */
async function markUndone(platform: Tx, undoId: string, things: readonly Touched[]): Promise<void> {
  await sql`
    update onto_changes c set is_undone = true, undo_id = ${undoId}
      from unnest(${things.map(({ projectId }) => projectId)}::uuid[], ${things.map(({ id }) => id)}::uuid[],
                  ${things.map(({ kind }) => kind)}::text[], ${things.map(({ firstSeq }) => firstSeq)}::bigint[])
        as f (project_id, entity_id, kind, first_seq)
     where c.project_id = f.project_id and c.entity_id = f.entity_id and c.kind = f.kind and c.seq >= f.first_seq
       and not c.is_undone`.execute(platform);
}

/** Before anything goes: the run forgets where it kept its pages once they are gone. */
async function noteUndo(platform: Tx, runId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into homework_run_undos (run_id, workspace)
    select id, jsonb_build_object('document', workspace_document_id, 'project', workspace_project_id)
      from homework_runs where id = ${runId} returning id`.execute(platform);
  const [undo] = rows;
  assert(undo !== undefined, "the run is there, and locked");
  return undo.id;
}

/** What goes with a project and could not be read from its history afterwards: its row, its members and that history. */
async function keepProjects(platform: Tx, undoId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update homework_run_undos set projects = (
      select jsonb_agg(jsonb_build_object('row', to_jsonb(p),
        'members', (select jsonb_agg(to_jsonb(m)) from onto_project_members m where m.project_id = p.id),
        'changes', (select jsonb_agg(to_jsonb(c)) from onto_changes c where c.project_id = p.id)))
        from onto_projects p where p.id = any (${ids}::uuid[]))
     where id = ${undoId}`.execute(platform);
}

/** The run has ended, so its row says nothing new but that it was undone, where its workspace was and that there is one event more. */
async function noteUndone(platform: Tx, runId: string, { remove, restore, kept, skipped }: UndoPlan): Promise<void> {
  // What is kept is the user's own place for all of their runs: it is no work of this one.
  const isAll = skipped.length === 0;
  const gone = remove.map(({ id }) => id);
  const counts = { removed: remove.length, restored: restore.length, left: kept.length + skipped.length };
  const undone: Omit<EventOf<"run_undone">, "iteration"> = { type: "run_undone", ...counts };
  const { rows } = await sql<{ user_id: UserId }>`
    with run as (update homework_runs set last_seq = last_seq + 1,
        undone_at = case when ${isAll} then coalesce(undone_at, run_now()) end,
        workspace_document_id = case when workspace_document_id <> all (${gone}::uuid[]) then workspace_document_id end,
        workspace_project_id = case when workspace_project_id <> all (${gone}::uuid[]) then workspace_project_id end
      where id = ${runId} returning id, user_id, last_seq, iteration),
    event as (insert into homework_run_events (run_id, seq, iteration, type, event)
      select id, last_seq, iteration, 'run_undone',
             ${toJson(undone)}::jsonb || jsonb_build_object('iteration', iteration) from run)
    select user_id from run`.execute(platform);
  for (const { user_id: userId } of rows) {
    await lockFeed(platform, userId);
    await appendToFeed(platform, userId, "run_changed", { id: runId });
  }
  const projects = [...new Set([...remove, ...restore].map(({ projectId }) => projectId))];
  await tellTopics(platform, [...projects, runTopic(runId)]);
}

// The real store and the real queue on a test database, with the world's clock: the two functions that everything asks for
// the time are replaced, by an administrator of the test database, with a look into a table of one row.

import { sql } from "kysely";
import type { Tx } from "../../../src/db/database.ts";
import type { UserId } from "../../../src/domain/identity/identity.ts";
import type { Run, RunId } from "../../../src/domain/run/run.ts";
import { createEntity } from "../../../src/store/entity/entity-store.ts";
import { giveUpOldCalls } from "../../../src/store/journal/lost-call-store.ts";
import { keepLeases, letGo } from "../../../src/store/run/lease-store.ts";
import { readMessages } from "../../../src/store/run-view/message-store.ts";
import type { RunWorld } from "../../helpers/run-world.ts";
import type { Backend } from "../backend.ts";
import type { World } from "../world.ts";
import { loadState } from "./load-state.ts";

/** Once for each test database. */
export async function takeOverClock({ admin }: RunWorld): Promise<void> {
  await admin.query(`
    create table homework.sim_clock (at timestamptz not null);
    insert into homework.sim_clock values (now());
    grant select on homework.sim_clock to public;
    create or replace function homework.run_now() returns timestamptz language sql volatile
      return (select at from homework.sim_clock);
    create or replace function homework_queue.job_now() returns timestamptz language sql volatile
      as 'select at from homework.sim_clock'`);
}

/** Of the seed before. */
export async function clearRuns({ admin, queue }: RunWorld): Promise<void> {
  await admin.query("truncate homework.homework_runs, homework.user_feeds cascade");
  await queue.clear();
  await admin.query("delete from homework.onto_changes where run_id is not null");
}

async function readMessageIds(db: RunWorld["db"], { id, userId, state }: Run): Promise<readonly string[]> {
  const messages = await db.asUser({ userId }, (tx) => readMessages(tx, id, state.iteration));
  return messages.map((message) => message.id);
}

async function hasJobsOfTheDead(db: RunWorld["db"]): Promise<boolean> {
  const { rows } = await sql`select from open_jobs where is_active and silent_at < run_now()`.execute(db.system);
  return rows.length > 0;
}

async function countDocuments(db: RunWorld["db"], runId: RunId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from onto_documents where created_by_run = ${runId}`.execute(db.system);
  return rows[0]?.count ?? 0;
}

export function sqlBackend(
  world: World,
  { db, admin, store, queue, find }: RunWorld,
  projects: ReadonlyMap<UserId, string>,
): Backend<Tx> {
  let shownMs = 0;
  const setClock = async (): Promise<void> => {
    if (shownMs === world.databaseNowMs) return;
    shownMs = world.databaseNowMs;
    await admin.query("update homework.sim_clock set at = to_timestamp($1 / 1000.0)", [shownMs]);
  };
  /** At the world's time. */
  const now =
    <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await setClock();
      return work(...args);
    };
  const listRuns = async (): Promise<readonly Run[]> => {
    const { rows } = await sql<{ id: RunId }>`select id from homework_runs`.execute(db.system);
    return Promise.all(rows.map(({ id }) => find(id)));
  };
  return {
    storeFor: () => ({
      transaction: (work) => setClock().then(() => store.transaction(work)),
      recordEntry: now(store.recordEntry),
      recordWrites: now(store.recordWrites),
      reserveCall: now(store.reserveCall),
      settleCall: now(store.settleCall),
      noteSilence: now(store.noteSilence),
      intendEffect: now(store.intendEffect),
      keepHandle: now(store.keepHandle),
      isAtWork: now(store.isAtWork),
      finishEffect: now(store.finishEffect),
      hear: now(store.hear),
    }),
    queueFor: () => ({
      fetch: now(queue.fetch),
      touch: now(queue.touch),
      release: now(queue.release),
      // The library's round is many statements; it is made when it would find something.
      supervise: now(async () => {
        if (await hasJobsOfTheDead(db)) await queue.supervise();
      }),
    }),
    keepLeases: now((_actor, leases) => keepLeases(db, leases)),
    letGo: now((_actor, lease) => letGo(db, lease)),
    write: async (tx, { userId, state }, id, key) => {
      const projectId = projects.get(userId);
      if (projectId === undefined) throw new Error("bug: everyone has a project");
      await createEntity(tx, "document", { id, projectId, by: userId }, { title: `${state.iteration}/${key}` });
    },
    countDocuments: (runId) => countDocuments(db, runId),
    readMessages: (run) => readMessageIds(db, run),
    findRun: async (runId) => (await store.transaction((tx) => tx.lockRun(runId)))?.run ?? null,
    listRuns,
    look: async () => loadState(db, await listRuns()),
    giveUpOldCalls: now(async (ageMs) => {
      await db.asSystem((tx) => giveUpOldCalls(tx, Math.round(ageMs / 60_000)));
    }),
    setClock,
    onNotice: () => {},
  };
}

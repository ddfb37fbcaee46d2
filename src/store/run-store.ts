// Runs in PostgreSQL: the transactions that `src/runs/` is written in. A change of a run is one statement (`save`), so that
// state, events, iteration and what the user is told cannot come apart, and a commit takes few round trips.

import { sql } from "kysely";
import { type Database, statementIn, type Tx } from "../db/database.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import type { LockedRun, RunChange, RunStore, RunTx } from "../runs/ports.ts";
import { Binder } from "./binder.ts";
import { toJson } from "./json.ts";
import { giveUpCalls } from "./lost-call-store.ts";
import { jobKey, jobOf, type RunJobs } from "./run-jobs.ts";
import { leaveUnread, readJournal, readWorkedMs, stepStore, takeUpSignals } from "./run-journal-store.ts";
import { lockRow } from "./run-read.ts";
import { recordOf } from "./run-record-store.ts";
import { stateColumns } from "./run-row.ts";
import { checkRows, saveStatement, upsertChecks } from "./run-save.ts";
import { changesChannel, runTopic, userTopic } from "./topics.ts";

/** `tell` is called with the topics of what was written, once it is committed. */
export function runStore(db: Database, jobs: RunJobs, tell: (topic: string) => void): RunStore<Tx> {
  return {
    ...stepStore(db, tell),
    transaction: async (work) => {
      const changed: RunChange[] = [];
      const result = await db.asSystem((tx) => work(runTx(tx, jobs, (change) => changed.push(change))));
      for (const topic of changed.flatMap(topicsOf)) tell(topic);
      return result;
    },
  };
}

/** After a restore: runs came back without their jobs, and whatever jobs there are belong to what was there before. */
export async function enqueueDueRuns(db: Database, jobs: RunJobs): Promise<number> {
  return db.asSystem(async (tx) => {
    await sql`delete from homework_queue.job`.execute(tx);
    const { rows } = await sql<{ id: RunId }>`
      select id from homework_runs where status = 'running' or (status = 'queued' and has_slot) order by queued_at, id`.execute(
      tx,
    );
    for (const { id } of rows) {
      const locked = await lockRun(tx, id);
      if (locked === null) continue;
      const { run } = locked;
      const notBeforeMs = run.state.status === "running" ? (run.state.hold?.untilMs ?? null) : null;
      await runTx(tx, jobs, () => {}).enqueue(run, run.state.iteration, notBeforeMs);
    }
    return rows.length;
  });
}

/** In a transaction of someone else's that has the platform's role now; whoever watches is told when that is committed. */
export async function inRunTx<T>(tx: Tx, jobs: RunJobs, work: (tx: RunTx) => Promise<T>): Promise<T> {
  const topics = new Set<string>();
  const result = await work(
    runTx(tx, jobs, (change) => {
      for (const topic of topicsOf(change)) topics.add(topic);
    }),
  );
  await sql`select pg_notify(${changesChannel}, topic) from unnest(${[...topics]}::text[]) as topic`.execute(tx);
  return result;
}

/** What will be news when it is committed. */
const topicsOf = ({ run, events, isListed }: RunChange): readonly string[] => [
  ...(events.length > 0 ? [runTopic(run.id)] : []),
  ...(isListed ? [userTopic(run.userId)] : []),
];

/** Inside a transaction that has the platform's role. `onChange` gets what will be news when it is committed. */
function runTx(tx: Tx, jobs: RunJobs, onChange: (change: RunChange) => void): RunTx {
  return {
    lockUser: (userId) => lockUser(tx, userId),
    lockRun: (runId) => lockRun(tx, runId),
    insertRun: (run) => insertRun(tx, run),
    save: async (change) => {
      await save(tx, change);
      onChange(change);
    },
    recordOf: (run) => recordOf(tx, run),
    countSlots: (userId) => countSlots(tx, userId),
    nextInLine: (userId) => nextInLine(tx, userId),
    takeUpSignals: (runId, iteration, isNew) => takeUpSignals(tx, runId, iteration, isNew),
    readJournal: (runId, iteration) => readJournal(tx, runId, iteration),
    workedMs: (claim) => readWorkedMs(tx, claim),
    giveUpCalls: (runId) => giveUpCalls(tx, runId),
    enqueue: (run, iteration, notBeforeMs) => jobs.enqueue(tx, jobOf(run, iteration, notBeforeMs)),
    dropJob: (runId, iteration) => jobs.drop(tx, jobKey(runId, iteration)),
    acknowledge: (job) => jobs.complete(tx, job),
  };
}

/** A statement of its own: what is counted afterwards is counted after the wait. */
async function lockUser(tx: Tx, userId: UserId): Promise<void> {
  await sql`select from auth_users where id = ${userId} for no key update`.execute(tx);
}

async function lockRun(tx: Tx, runId: RunId): Promise<LockedRun | null> {
  return lockRow(statementIn(tx), runId);
}

async function insertRun(tx: Tx, run: Run): Promise<void> {
  const { scope, context, permission, budget, state } = run;
  const { hold: _h, questions: _q, proofs: _p, ...columns } = stateColumns(state);
  await tx
    .insertInto("homework_runs")
    .values({
      id: run.id,
      user_id: run.userId,
      objective: run.objective,
      engine: run.engine,
      scope: scope.kind,
      project_ids: projectsOf(run),
      context_type: context.type,
      entity_id: context.entityId,
      write_mode: permission.writeMode,
      allowed_tools: permission.allowedTools === null ? null : [...permission.allowedTools],
      models: run.models === null ? null : toJson(run.models),
      time_zone: run.timeZone,
      is_judged: run.isJudged,
      budgets: toJson(budget),
      ...columns,
      plan: toJson(run.plan),
      deliverables: toJson(run.deliverables),
      streaks: toJson(run.streaks),
      guidance: toJson(run.guidance),
      forked_from_run: run.forkedFrom?.runId ?? null,
      forked_from_iteration: run.forkedFrom?.iteration ?? null,
    })
    .execute();
  await sql`insert into user_feeds (user_id) values (${run.userId}) on conflict do nothing`.execute(tx);
  const bind = new Binder();
  const checks = upsertChecks(bind.value(run.id, "uuid"), bind.json(checkRows(run)));
  await statementIn(tx)(checks, bind.values);
}

function projectsOf({ scope }: Run): string[] {
  if (scope.kind === "global") return [];
  return scope.kind === "project" ? [scope.projectId] : [...scope.projectIds];
}

async function countSlots(tx: Tx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select count(*)::int as taken from homework_runs
     where user_id = ${userId} and status in ('queued', 'running') and has_slot`.execute(tx);
  return rows[0]?.taken ?? 0;
}

async function nextInLine(tx: Tx, userId: UserId): Promise<RunId | null> {
  const { rows } = await sql<{ id: RunId }>`
    select id from homework_runs where user_id = ${userId} and status = 'queued' and not has_slot
     order by queued_at, id limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/** The run is locked. */
async function save(tx: Tx, change: RunChange): Promise<void> {
  const unheard = change.unheard === null ? 0 : await leaveUnread(tx, change.run.id, change.unheard);
  const { text, values } = saveStatement(change, unheard);
  await statementIn(tx)(text, values);
}

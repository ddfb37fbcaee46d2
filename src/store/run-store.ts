// Runs in PostgreSQL: the transactions that `src/runs/` is written in. A change of a run is one statement (`save`), so that
// state, events, iteration and what the user is told cannot come apart, and a commit takes few round trips.

import { CompiledQuery, sql } from "kysely";
import { z } from "zod";
import type { Database, Tx } from "../db/database.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import type { JobAttempt, LockedRun, RunChange, RunStore, RunTx } from "../runs/ports.ts";
import { toJson } from "./json.ts";
import { graceSeconds } from "./run-claim-store.ts";
import { giveUpCalls, leaveUnread, readJournal, stepStore, takeUpSignals } from "./run-journal-store.ts";
import { recordOf } from "./run-record-store.ts";
import { stateColumns, toRun } from "./run-row.ts";
import { saveStatement, upsertChecks } from "./run-save.ts";
import { changesChannel, runTopic, userTopic } from "./topics.ts";

type RunJob = {
  readonly key: string;
  readonly data: object;
  readonly notBeforeMs: number | null;
  readonly isNews: boolean;
};

/** What the store needs of the queue, in the same transaction. */
export type RunJobs = {
  readonly enqueue: (tx: Tx, job: RunJob) => Promise<void>;
  readonly drop: (tx: Tx, key: string) => Promise<void>;
  readonly complete: (tx: Tx, job: JobAttempt) => Promise<boolean>;
};

/** `tell` is called with the topics of what was written, once it is committed. */
export function runStore(db: Database, jobs: RunJobs, tell: (topic: string) => void): RunStore<Tx> {
  return {
    ...stepStore(db, tell),
    transaction: async (work) => {
      const topics = new Set<string>();
      const result = await db.asSystem((tx) => work(runTx(tx, jobs, (topic) => topics.add(topic))));
      for (const topic of topics) tell(topic);
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
  const result = await work(runTx(tx, jobs, (topic) => topics.add(topic)));
  await sql`select pg_notify(${changesChannel}, topic) from unnest(${[...topics]}::text[]) as topic`.execute(tx);
  return result;
}

/** Inside a transaction that has the platform's role. `tell` gets the topics that will be news when it is committed. */
function runTx(tx: Tx, jobs: RunJobs, tell: (topic: string) => void): RunTx {
  return {
    lockUser: (userId) => lockUser(tx, userId),
    lockRun: (runId) => lockRun(tx, runId),
    insertRun: (run) => insertRun(tx, run),
    save: async (change) => {
      await save(tx, change);
      if (change.events.length > 0) tell(runTopic(change.run.id));
      if (change.isListed) tell(userTopic(change.run.userId));
    },
    recordOf: (run) => recordOf(tx, run),
    countSlots: (userId) => countSlots(tx, userId),
    nextInLine: (userId) => nextInLine(tx, userId),
    takeUpSignals: (runId, iteration, isNew) => takeUpSignals(tx, runId, iteration, isNew),
    readJournal: (runId, iteration) => readJournal(tx, runId, iteration),
    giveUpCalls: (runId) => giveUpCalls(tx, runId),
    enqueue: (run, iteration, notBeforeMs) =>
      jobs.enqueue(tx, {
        key: jobKey(run.id, iteration),
        data: jobData(run, iteration),
        notBeforeMs,
        isNews: run.state.status === "queued",
      }),
    dropJob: (runId, iteration) => jobs.drop(tx, jobKey(runId, iteration)),
    acknowledge: (job) => jobs.complete(tx, job),
  };
}

/** One open job per run and iteration, whoever enqueues it. */
const jobKey = (runId: RunId, iteration: number) => `homework:${runId}:${iteration}`;

function jobData({ id, context, budget, permission }: Run, iteration: number): object {
  return {
    run_id: id,
    iteration,
    chat_session_id: null,
    context_type: context.type,
    ...(context.entityId === null ? {} : { entity_id: context.entityId }),
    budgets: {
      max_iterations: budget.maxIterations,
      max_wall_clock_ms: budget.maxRunningMs,
      ...(budget.maxCostMicroUsd === null ? {} : { max_cost_usd: budget.maxCostMicroUsd / 1_000_000 }),
      ...(budget.maxTokens === null ? {} : { max_total_tokens: budget.maxTokens }),
    },
    permissions: {
      write_mode: permission.writeMode,
      ...(permission.allowedTools === null ? {} : { allowed_tools: permission.allowedTools }),
    },
  };
}

/** A statement of its own: what is counted afterwards is counted after the wait. */
async function lockUser(tx: Tx, userId: UserId): Promise<void> {
  await sql`select from auth_users where id = ${userId} for no key update`.execute(tx);
}

const lockedColumns = z.object({ attempts: z.number(), claimed_ms: z.number(), claimed_at: z.string().nullable() });

// As one JSON value: forty columns take longer to read as columns than to work with.
const lockRunText = `
  select to_jsonb(r) || jsonb_build_object('checks', run_checks(r.id), 'claimed_ms', case when r.claimed_at is null then 0 else
           greatest(0, floor(1000 * extract(epoch from
             least(run_now(), r.claim_seen_at + make_interval(secs => $2::int)) - r.claimed_at)))::bigint end) as run
    from homework_runs r where r.id = $1::uuid for no key update of r`;

async function lockRun(tx: Tx, runId: RunId): Promise<LockedRun | null> {
  const { rows } = await tx.executeQuery<{ run: unknown }>(CompiledQuery.raw(lockRunText, [runId, graceSeconds]));
  const [found] = rows;
  if (found === undefined) return null;
  const { attempts, claimed_ms: claimedMs, claimed_at: claimedAt } = lockedColumns.parse(found.run);
  return { run: toRun(found.run), attempts, claimedMs, isClaimed: claimedAt !== null };
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
  await tx.executeQuery(
    CompiledQuery.raw(`with c as (select $1::jsonb as c) ${upsertChecks}`, [
      toJson({ checks: checkRows(run) }),
      run.id,
    ]),
  );
}

function projectsOf({ scope }: Run): string[] {
  if (scope.kind === "global") return [];
  return scope.kind === "project" ? [scope.projectId] : [...scope.projectIds];
}

const checkRows = ({ checks, lastProofs }: Run) =>
  checks.map((check, position) => ({
    ...check,
    position,
    proof: lastProofs.find(({ checkId }) => checkId === check.id) ?? null,
  }));

async function countSlots(tx: Tx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select count(*)::int as taken from homework_runs where user_id = ${userId} and has_slot`.execute(tx);
  return rows[0]?.taken ?? 0;
}

async function nextInLine(tx: Tx, userId: UserId): Promise<RunId | null> {
  const { rows } = await sql<{ id: RunId }>`
    select id from homework_runs where user_id = ${userId} and status = 'queued' and not has_slot
     order by queued_at, id limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Null stands for "as it was". */
const ifChanged = <T>(before: T, after: T): T | null => (before === after ? null : after);

async function save(tx: Tx, change: RunChange): Promise<void> {
  const { before, run } = change;
  const isProven = run.checks !== before.checks || change.proofs.length > 0;
  const unheard = change.unheard === null ? 0 : await leaveUnread(tx, run.id, change.unheard);
  const input = {
    ...stateColumns(run.state),
    running_ms: run.spent.runningMs,
    remaining: run.remaining,
    unread_signals: run.unreadSignals + unheard,
    deaths: run.deaths,
    fence: run.fence,
    budgets: ifChanged(before.budget, run.budget),
    plan: ifChanged(before.plan, run.plan),
    deliverables: ifChanged(before.deliverables, run.deliverables),
    streaks: ifChanged(before.streaks, run.streaks),
    guidance: run.guidance,
    claim: change.claim,
    claimed_by: change.claimedBy,
    events: change.events,
    attempt: change.attempt,
    ended: change.ended,
    interrupted: change.interrupted,
    checks: isProven ? checkRows(run) : [],
    signals: change.signals,
    asked_in: before.state.iteration,
    report: change.report,
    notification: change.notification,
    is_listed: change.isListed,
  };
  const statement = saveStatement({
    events: change.events.length > 0,
    begun: change.attempt !== null,
    ended: change.ended !== null,
    interrupted: change.interrupted !== null,
    checks: isProven,
    signals: change.signals.length > 0,
    notification: change.notification !== null,
    feed: change.isListed,
  });
  await tx.executeQuery(CompiledQuery.raw(statement, [toJson(input), run.id]));
}

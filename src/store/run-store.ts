// Runs in PostgreSQL: the transactions that `src/runs/` is written in. A change of a run is one statement (`save`), so that
// state, events, iteration and what the user is told cannot come apart, and a commit takes few round trips.

import { sql } from "kysely";
import { z } from "zod";
import type { Database, Tx } from "../db/database.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import type { JobAttempt, LockedRun, RunChange, RunTransactions, RunTx } from "../runs/ports.ts";
import { giveUpCalls, readJournal, takeUpSignals } from "./run-journal-store.ts";
import { recordOf } from "./run-record-store.ts";
import { stateColumns, toRun } from "./run-row.ts";

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

export function runTransactions(db: Database, jobs: RunJobs): RunTransactions {
  return { transaction: (work) => db.asSystem((tx) => work(runTx(tx, jobs))) };
}

/** Inside a transaction that has the platform's role. */
export function runTx(tx: Tx, jobs: RunJobs): RunTx {
  return {
    lockUser: (userId) => lockUser(tx, userId),
    lockRun: (runId) => lockRun(tx, runId),
    insertRun: (run) => insertRun(tx, run),
    save: (change) => save(tx, change),
    recordOf: (run) => recordOf(tx, run),
    countSlots: (userId) => countSlots(tx, userId),
    nextInLine: (userId) => nextInLine(tx, userId),
    takeUpSignals: (runId, iteration) => takeUpSignals(tx, runId, iteration),
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

const lockedColumns = z.object({ attempts: z.number(), claimed_ms: z.coerce.number() });

/** A worker that froze or died is not thought to have worked on for longer than this after its last sign of life. */
const graceSeconds = 5;

async function lockRun(tx: Tx, runId: RunId): Promise<LockedRun | null> {
  const { rows } = await sql`
    select r.*, run_checks(r.id) as checks,
           case when r.claimed_at is null then 0 else greatest(0, floor(1000 * extract(epoch from
             least(run_now(), r.claim_seen_at + make_interval(secs => ${graceSeconds})) - r.claimed_at)))::bigint end as claimed_ms
      from homework_runs r where r.id = ${runId} for no key update of r`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  const { attempts, claimed_ms: claimedMs } = lockedColumns.parse(row);
  return { run: toRun(row), attempts, claimedMs };
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
      budgets: JSON.stringify(budget),
      ...columns,
      plan: JSON.stringify(run.plan),
      deliverables: JSON.stringify(run.deliverables),
      streaks: JSON.stringify(run.streaks),
      guidance: JSON.stringify(run.guidance),
      forked_from_run: run.forkedFrom?.runId ?? null,
      forked_from_iteration: run.forkedFrom?.iteration ?? null,
    })
    .execute();
  await sql`insert into user_feeds (user_id) values (${run.userId}) on conflict do nothing`.execute(tx);
  await sql`with c as (select ${JSON.stringify({ id: run.id, checks: checkRows(run) })}::jsonb as c) ${upsertChecks}`.execute(
    tx,
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

const upsertChecks = sql`
  insert into homework_run_checks (run_id, check_id, position, deliverable_id, target, given_by, proof)
  select (c->>'id')::uuid, k->>'id', (k->>'position')::int, k->>'deliverableId', k->'target', k->>'givenBy', nullif(k->'proof', 'null')
    from c, jsonb_array_elements(c->'checks') k
  on conflict (run_id, check_id) do update set proof = excluded.proof`;

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
  const input = {
    id: run.id,
    ...stateColumns(run.state),
    running_ms: run.spent.runningMs,
    remaining: run.remaining,
    unread_signals: run.unreadSignals,
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
  await sql`with c as (select ${JSON.stringify(input)}::jsonb as c), ${saveRun}, ${saveEvents}, ${saveIterations},
    checks as (${upsertChecks}), ${saveSignals}, ${saveNotification}, ${saveFeed}
    select case when jsonb_array_length(c->'events') > 0 then pg_notify('homework_changes', 'run:' || run.id) end,
           case when (c->>'is_listed')::boolean then pg_notify('homework_changes', 'user:' || run.user_id) end
      from c, run`.execute(tx);
}

// Money, tokens and tool calls are not here: the ledger and the journal count them (run-journal-store.ts).
const saveRun = sql`
  run as (update homework_runs r set
    status = c->>'status', iteration = (c->>'iteration')::int, has_slot = (c->>'has_slot')::boolean,
    hold = nullif(c->'hold', 'null'), questions = nullif(c->'questions', 'null'), proofs = nullif(c->'proofs', 'null'),
    stop_reason = c->>'stop_reason', detail = c->>'detail', running_ms = (c->>'running_ms')::bigint,
    remaining = (c->>'remaining')::int, unread_signals = (c->>'unread_signals')::int, fence = (c->>'fence')::bigint,
    budgets = coalesce(nullif(c->'budgets', 'null'), r.budgets), plan = coalesce(nullif(c->'plan', 'null'), r.plan),
    deliverables = coalesce(nullif(c->'deliverables', 'null'), r.deliverables),
    streaks = coalesce(nullif(c->'streaks', 'null'), r.streaks), guidance = nullif(c->'guidance', 'null'),
    attempts = case when c->'attempt' <> 'null' then (c->'attempt'->>'attempt')::int
                    when (c->>'iteration')::int <> r.iteration then 0 else r.attempts end,
    claimed_at = case c->>'claim' when 'begin' then run_now() when 'keep' then r.claimed_at end,
    claim_seen_at = case c->>'claim' when 'begin' then run_now() when 'keep' then r.claim_seen_at end,
    claimed_by = case c->>'claim' when 'begin' then c->>'claimed_by' when 'keep' then r.claimed_by end,
    last_seq = r.last_seq + jsonb_array_length(c->'events'),
    moves = r.moves + case when c->'notification' = 'null' then 0 else 1 end,
    queued_at = case when c->>'status' = 'queued' and r.status <> 'queued' then run_now() else r.queued_at end,
    report = coalesce(nullif(c->'report', 'null'), r.report),
    started_at = coalesce(r.started_at, case when c->>'status' = 'running' then run_now() end),
    ended_at = case when c->>'status' in ('completed', 'stopped', 'failed', 'canceled') then run_now() end,
    updated_at = run_now()
    from c where r.id = (c->>'id')::uuid returning r.*)`;

const saveEvents = sql`
  events as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select run.id, run.last_seq - jsonb_array_length(c->'events') + e.ord, (e.event->>'iteration')::int, e.event->>'type', e.event
      from c, run, jsonb_array_elements(c->'events') with ordinality as e (event, ord))`;

// What an iteration used is what the run has now less what it had when the iteration began.
const saveIterations = sql`
  begun as (insert into homework_run_iterations (run_id, iteration, attempts, status, started_at, metrics)
    select run.id, (c->'attempt'->>'iteration')::int, (c->'attempt'->>'attempt')::int, 'running', run_now(),
           jsonb_build_object('before', jsonb_build_object('running_ms', run.running_ms, 'cost_micro_usd', run.cost_micro_usd,
             'tokens', run.tokens, 'tool_calls', run.tool_calls))
      from c, run where c->'attempt' <> 'null'
    on conflict (run_id, iteration) do update set attempts = excluded.attempts, status = 'running', ended_at = null),
  ended as (update homework_run_iterations i set
    status = c->'ended'->>'status', ended_at = run_now(), summary = c->'ended'->>'summary',
    decision = c->'ended'->>'decision', why = c->'ended'->>'why', error = c->'ended'->>'error',
    error_fingerprint = c->'ended'->>'error', artifacts = c->'ended'->'artifacts', plan = c->'ended'->'plan',
    metrics = i.metrics || jsonb_build_object(
      'running_ms', run.running_ms - (i.metrics->'before'->>'running_ms')::bigint,
      'cost_micro_usd', run.cost_micro_usd - (i.metrics->'before'->>'cost_micro_usd')::bigint,
      'tokens', run.tokens - (i.metrics->'before'->>'tokens')::bigint,
      'tool_calls', run.tool_calls - (i.metrics->'before'->>'tool_calls')::int)
    from c, run where c->'ended' <> 'null' and i.run_id = run.id and i.iteration = (c->'ended'->>'iteration')::int),
  interrupted as (update homework_run_iterations i set status = 'interrupted', ended_at = run_now()
    from c, run where c->'interrupted' <> 'null' and i.run_id = run.id
     and i.iteration = (c->>'interrupted')::int and i.status = 'running')`;

const saveSignals = sql`
  signals as (insert into homework_run_signals (id, run_id, kind, question_id, asked_in, text)
    select gen_random_uuid(), run.id, s->>'kind', s->>'questionId',
           case when s->>'kind' = 'answer' then (c->>'asked_in')::int end, s->>'text'
      from c, run, jsonb_array_elements(c->'signals') s)`;

const saveNotification = sql`
  notification as (insert into user_notifications (id, user_id, run_id, move, event, title, message, action_url, data)
    select gen_random_uuid(), run.user_id, run.id, run.moves, n->>'event', n->>'title', n->>'message', n->>'actionUrl',
           jsonb_build_object('run_id', run.id, 'status', run.status, 'duration_ms', run.running_ms, 'iterations', run.iteration,
             'tokens', run.tokens, 'cost_micro_usd', run.cost_micro_usd)
      from c, run, lateral (select c->'notification' as n) as told where n <> 'null' returning id),
  outbox as (insert into notification_outbox (notification_id, channel) select id, 'in_app' from notification)`;

/** What lists show of a run; for a row named `run`. */
const runSummary = sql`jsonb_build_object('id', run.id, 'objective', left(run.objective, 300), 'status', run.status,
  'iteration', run.iteration, 'has_slot', run.has_slot, 'running_ms', run.running_ms, 'cost_micro_usd', run.cost_micro_usd,
  'tokens', run.tokens, 'updated_at', run.updated_at)`;

const saveFeed = sql`
  fed as (update user_feeds f set last_seq = f.last_seq + 1 from c, run
    where (c->>'is_listed')::boolean and f.user_id = run.user_id returning f.user_id, f.last_seq),
  feed as (insert into user_feed_events (user_id, seq, type, data)
    select fed.user_id, fed.last_seq, 'run_changed', ${runSummary} from fed, run)`;

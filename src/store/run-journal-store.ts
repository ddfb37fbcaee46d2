// The step journal, the ledger and the signals of a run. Each write is one statement that begins by taking the run's row
// under the claim's fence: whoever lost the claim writes nothing, and the numbers of events have no gaps.

import { CompiledQuery, sql } from "kysely";
import { z } from "zod";
import { type Database, statementIn, type Tx } from "../db/database.ts";
import type { RunId } from "../domain/run/run.ts";
import {
  type Claim,
  type EndedEffect,
  type EntryHead,
  type JournaledStep,
  type Kept,
  type ModelCall,
  type RecordedStep,
  type Signal,
  type StepStore,
  stepKinds,
  type Usage,
} from "../runs/ports.ts";
import { toJson } from "./json.ts";
import { lostPricedByText } from "./lost-call.ts";
import { runTopic } from "./topics.ts";

/** `tell` is called with the topic of the run after each of them that wrote an event. */
export function stepStore(db: Database, tell: (topic: string) => void): StepStore<Tx> {
  const told = async <T>({ runId }: Claim, written: Promise<T>): Promise<T> => {
    const result = await written;
    tell(runTopic(runId));
    return result;
  };
  return {
    recordStep: (claim, step) => told(claim, recordStep(db.statement, claim, step)),
    recordWrites: (claim, work) => told(claim, recordWrites(db, claim, work)),
    reserveCall: (claim, call) => reserveCall(db, claim, call),
    settleCall: (claim, call, usage, step, error = null) =>
      told(claim, settleCall(db, claim, call, usage, step, error)),
    intendEffect: (claim, head) => underFence(db.system, intendEffectText, claim, { ...head, events: [] }),
    finishEffect: (claim, head, ended) => told(claim, finishEffect(db.system, claim, head, ended)),
    hear: (claim, head, shown) => hear(db, claim, head, shown, tell),
  };
}

type Queryable = Database["system"] | Tx;

/** $1 is the step as JSON, $2 the run, $3 the fence. Whether it was kept is whether a row comes back. */
async function underFence(to: Queryable, text: string, claim: Claim, input: object): Promise<Kept> {
  const { rows } = await to.executeQuery(
    CompiledQuery.raw(text, [toJson({ iteration: claim.iteration, ...input }), claim.runId, claim.fence]),
  );
  return rows.length === 1 ? "kept" : "lost";
}

/** Only under the fence, and only while it runs. Events are numbered while the row is ours. */
const fencedRun = (more: string) => `
  with c as (select $1::jsonb as c),
  run as (update homework_runs r set last_seq = r.last_seq + jsonb_array_length(c->'events'), ${more}
    from c where r.id = $2::uuid and r.fence = $3::bigint and r.status = 'running' returning r.id, r.fence, r.last_seq)`;

const stepEvents = `
  events as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select run.id, run.last_seq - jsonb_array_length(c->'events') + e.ord, (c->>'iteration')::int, e.event->>'type', e.event
      from c, run, jsonb_array_elements(c->'events') with ordinality as e (event, ord))`;

// The most frequent statement of all: values as they are, nothing taken out of JSON.
const recordStepText = `
  with run as (update homework_runs r set last_seq = r.last_seq + 1, tool_calls = r.tool_calls + $8::int
    where r.id = $1::uuid and r.fence = $2::bigint and r.status = 'running' returning r.last_seq),
  step as (insert into homework_run_steps (run_id, iteration, key, kind, state, fence, result, lane, lane_title, tool, did, args, error, began_at, ended_at)
    select $1::uuid, $3::int, $4, $5, 'done', $2::bigint, $6::jsonb, $9, $10, $11, $12, $13::jsonb, $14,
           run_now() - make_interval(secs => $15::float8 / 1000), run_now() from run),
  event as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select $1::uuid, run.last_seq, $3::int, $7::jsonb->>'type', $7::jsonb from run)
  select run.last_seq from run`;

async function recordStep(
  query: Database["statement"],
  { runId, fence, iteration }: Claim,
  { key, kind, result, event, lane, tool, did, args, error, tookMs }: RecordedStep,
): Promise<Kept> {
  const step = [runId, fence, iteration, key, kind, toJson(result ?? null), toJson(event), kind === "tool" ? 1 : 0];
  const told = [lane.id, lane.title, tool, did, args === null ? null : toJson(args), error, tookMs];
  const values = [...step, ...told];
  return (await query(recordStepText, values)).length === 1 ? "kept" : "lost";
}

/** Thrown to undo the writes of a step whose claim is gone. */
class ClaimGone extends Error {}

async function recordWrites(db: Database, claim: Claim, work: (tx: Tx) => Promise<RecordedStep>): Promise<Kept> {
  try {
    await db.asUser({ userId: claim.userId, runId: claim.runId }, async (tx) => {
      const step = await work(tx);
      await sql`select set_config('role', 'homework_system', true)`.execute(tx);
      if ((await recordStep(statementIn(tx), claim, step)) === "lost") throw new ClaimGone();
    });
    return "kept";
  } catch (thrown) {
    if (thrown instanceof ClaimGone) return "lost";
    throw thrown;
  }
}

/**
 * Refused: with a hard limit, what is spent and reserved already leaves no room for this call. A statement sees what was
 * there when it began, so where reservations are added up, the lock comes in a statement before it: of two calls at once
 * the second one sees the first.
 */
async function reserveCall(db: Database, claim: Claim, call: ModelCall): Promise<Kept | "refused"> {
  const room = await reserve(db.system, claim, call, false);
  if (room !== "not_locked") return room;
  return db.asSystem(async (tx) => {
    await sql`select from homework_runs where id = ${claim.runId} for no key update`.execute(tx);
    const counted = await reserve(tx, claim, call, true);
    return counted === "not_locked" ? "refused" : counted;
  });
}

async function reserve(
  to: Queryable,
  claim: Claim,
  call: ModelCall,
  isLocked: boolean,
): Promise<Kept | "refused" | "not_locked"> {
  const { rows } = await sql<{ allowed: boolean | null }>`
    with run as (select * from homework_runs where id = ${claim.runId} and fence = ${claim.fence} and status = 'running'
                  for no key update),
    room as (select run.*, case
        when not (run.budgets->>'isCostHard')::boolean or run.budgets->>'maxCostMicroUsd' is null then true
        when ${isLocked}::boolean then run.cost_micro_usd + ${call.reservedMicroUsd}::bigint
             + (select coalesce(sum(l.reserved_micro_usd), 0) from llm_usage_logs l where l.run_id = run.id and l.state = 'reserved')
           <= (run.budgets->>'maxCostMicroUsd')::bigint end as allowed from run),
    made as (insert into llm_usage_logs (call_id, run_id, user_id, iteration, step_key, fence, role, model, state, reserved_micro_usd, is_unpriced,
        lane, lane_title, messages)
      select ${call.callId}::uuid, room.id, room.user_id, ${claim.iteration}::int, ${call.key}, room.fence, ${call.role}, ${call.model},
             'reserved', ${call.reservedMicroUsd}::bigint, ${call.isUnpriced ?? false}::boolean,
             ${call.lane?.id ?? "planner"}, ${call.lane?.title ?? null}, ${call.messages ?? 0}::int from room where allowed)
    select allowed from room`.execute(to);
  const [row] = rows;
  if (row === undefined) return "lost";
  if (row.allowed === null) return "not_locked";
  return row.allowed ? "kept" : "refused";
}

// The run's row first, as everyone does: a worker that gives calls up has it already, and would wait for us for ever. Whoever
// settles a row of the ledger first, settles it. The journal's line only if the run is still ours.
const settleCallText = `
  with c as (select $1::jsonb as c),
  locked as (select id from homework_runs where id = $2::uuid for no key update),
  call as (update llm_usage_logs l set state = c->>'state', cost_micro_usd = (c->>'cost')::bigint,
      input_tokens = (c->>'input')::bigint, output_tokens = (c->>'output')::bigint, settled_at = run_now(),
      cached_tokens = (c->>'cached')::bigint, written_tokens = (c->>'written')::bigint, error = c->>'error',
      priced_by = case when c->>'state' = 'unknown' then ${lostPricedByText} else c->>'priced_by' end
    from c, locked where l.call_id = $4::uuid and l.run_id = locked.id and l.state = 'reserved'
    returning l.iteration, l.model, l.cost_micro_usd, l.priced_by, l.input_tokens + l.output_tokens as tokens),
  run as (update homework_runs r set cost_micro_usd = r.cost_micro_usd + call.cost_micro_usd, tokens = r.tokens + call.tokens,
      unpriced_calls = r.unpriced_calls + (call.priced_by = 'unpriced')::int, last_seq = r.last_seq + 1
    from call where r.id = $2::uuid
    returning r.id, r.fence, r.last_seq, r.cost_micro_usd, r.tokens, r.fence = $3::bigint and r.status = 'running' as is_ours),
  event as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select run.id, run.last_seq, call.iteration, 'iteration_cost_update', jsonb_build_object('type', 'iteration_cost_update',
      'iteration', call.iteration, 'model', call.model, 'costMicroUsd', call.cost_micro_usd, 'pricedBy', call.priced_by,
      'tokens', call.tokens, 'totalCostMicroUsd', run.cost_micro_usd, 'totalTokens', run.tokens) from run, call),
  step as (insert into homework_run_steps (run_id, iteration, key, kind, state, fence, result, lane, lane_title, did, error, began_at, ended_at)
    select run.id, call.iteration, s->>'key', 'model', 'done', run.fence, s->'result', s->'lane'->>'id', s->'lane'->>'title',
           s->>'did', s->>'error', run_now() - make_interval(secs => (s->>'tookMs')::float8 / 1000), run_now()
      from (select c->'step' as s from c) as c, run, call where run.is_ours and s <> 'null')
  select run.is_ours as kept from run`;

const noTokens = { input: 0, output: 0, cached: 0, written: 0 };

async function settleCall(
  db: Database,
  claim: Claim,
  call: ModelCall,
  usage: Usage | "unknown",
  step: RecordedStep | null,
  error: string | null,
): Promise<Kept> {
  const money =
    usage === "unknown"
      ? { state: "unknown", cost: call.reservedMicroUsd, priced_by: "reservation", ...noTokens }
      : {
          state: "settled",
          cost: usage.costMicroUsd,
          input: usage.inputTokens,
          output: usage.outputTokens,
          cached: usage.cachedTokens,
          written: usage.writtenTokens,
          priced_by: usage.pricedBy,
        };
  const values = [toJson({ ...money, step, error }), claim.runId, claim.fence, call.callId];
  const { rows } = await db.system.executeQuery<{ kept: boolean }>(CompiledQuery.raw(settleCallText, values));
  return rows[0]?.kept ? "kept" : "lost";
}

// An intent that is there already is the same call again.
const intendEffectText = `${fencedRun(`updated_at = run_now(), tool_calls = r.tool_calls + (not exists (select from homework_run_steps s
      where s.run_id = r.id and s.iteration = (c->>'iteration')::int and s.key = c->>'key'))::int`)},
  step as (insert into homework_run_steps (run_id, iteration, key, kind, state, fence, lane, lane_title, tool, args)
    select run.id, (c->>'iteration')::int, c->>'key', 'effect', 'intended', run.fence, c->'lane'->>'id', c->'lane'->>'title',
           c->>'tool', nullif(c->'args', 'null') from c, run
    on conflict (run_id, iteration, key) do nothing)
  select run.id from run`;

const finishEffectText = `${fencedRun("updated_at = run_now()")},
  step as (update homework_run_steps s set state = c->>'state', result = c->'result', did = c->>'did', error = c->>'error',
      ended_at = run_now()
    from c, run where s.run_id = $2::uuid and s.iteration = (c->>'iteration')::int and s.key = c->>'key' and s.state = 'intended'),
  ${stepEvents} select run.id from run`;

function finishEffect(to: Queryable, claim: Claim, { key, lane }: EntryHead, ended: EndedEffect): Promise<Kept> {
  const { did, error } = ended.kind === "done" ? ended : uncertain;
  return underFence(to, finishEffectText, claim, {
    key,
    state: ended.kind,
    result: ended.kind === "done" ? (ended.result ?? null) : null,
    did,
    error,
    events: [
      {
        type: "step_recorded",
        iteration: claim.iteration,
        step: key,
        summary: did,
        ...(lane.id === "planner" ? {} : { lane: lane.id }),
        ...(error === null ? {} : { isFailed: true }),
      },
    ],
  });
}

const uncertain = {
  did: "Interrupted: it may or may not have happened",
  error: "the program ended in the middle of it",
};

/** Most of the time there is nothing new; then nothing is locked. */
async function hear(
  db: Database,
  claim: Claim,
  head: EntryHead,
  shown: readonly string[],
  tell: (topic: string) => void,
): Promise<readonly Signal[] | "lost"> {
  const { runId, iteration } = claim;
  const isNew = sql`s.run_id = ${runId} and (s.consumed_iteration is null
    or s.consumed_iteration = ${iteration} and s.id <> all (${[...shown]}::uuid[]))`;
  const { rows } = await sql`select from homework_run_signals s where ${isNew} limit 1`.execute(db.system);
  if (rows.length === 0) return [];
  const heard = await db.asSystem(async (tx) => {
    const { rows: ours } = await sql`update homework_runs set unread_signals = 0, updated_at = run_now()
      where id = ${runId} and fence = ${claim.fence} and status = 'running' returning id`.execute(tx);
    if (ours.length === 0) return "lost";
    const all = await takeUpSignals(tx, runId, iteration, true);
    const signals = all.filter(({ id }) => !shown.includes(id));
    const did = signals.length === 1 ? "Read your message" : `Read ${signals.length} messages of yours`;
    const said = { type: "step_recorded", iteration, step: head.key, summary: did, unread: 0 } as const;
    const event = head.lane.id === "planner" ? said : { ...said, lane: head.lane.id };
    const step = { ...head, kind: "platform", result: { result: signals, artifacts: [] } } as const;
    const record: RecordedStep = { ...step, did, error: null, tookMs: 0, event };
    return (await recordStep(statementIn(tx), claim, record)) === "kept" ? signals : "lost";
  });
  if (heard !== "lost") tell(runTopic(runId));
  return heard;
}

const stepRows = z.array(
  z.object({
    key: z.string(),
    kind: z.enum(stepKinds),
    state: z.enum(["intended", "done", "uncertain"]),
    result: z.unknown(),
  }),
);

export async function readJournal(tx: Tx, runId: RunId, iteration: number): Promise<readonly JournaledStep[]> {
  const rows = await tx
    .selectFrom("homework_run_steps")
    .select(["key", "kind", "state", "result"])
    .where("run_id", "=", runId)
    .where("iteration", "=", iteration)
    .orderBy("began_at")
    .execute();
  return stepRows.parse(rows);
}

const workedRow = z.object({ worked_ms: z.number() });

/** From the beginning of the claim to its last step that is done. */
export async function readWorkedMs(tx: Tx, { runId, iteration, fence }: Claim): Promise<number> {
  const { rows } = await sql`
    select coalesce(greatest(0, floor(1000 * extract(epoch from max(coalesce(s.ended_at, s.began_at)) - r.claimed_at))), 0)::float8
             as worked_ms
      from homework_runs r left join homework_run_steps s
        on s.run_id = r.id and s.iteration = ${iteration} and s.fence = ${fence} and s.state = 'done'
     where r.id = ${runId} group by r.claimed_at`.execute(tx);
  return workedRow.parse(rows[0]).worked_ms;
}

const signalRows = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(["steer", "answer"]),
    question_id: z.string().nullable(),
    question: z.string().nullable(),
    text: z.string(),
  }),
);

/** Marks what is new as this iteration's, and answers with all that is: another attempt gets the same. */
export async function takeUpSignals(
  tx: Tx,
  runId: RunId,
  iteration: number,
  isNew: boolean,
): Promise<readonly Signal[]> {
  if (isNew)
    await sql`update homework_run_signals set consumed_iteration = ${iteration}
      where run_id = ${runId} and consumed_iteration is null`.execute(tx);
  const { rows } = await sql`select id, kind, question_id, question, text from homework_run_signals
    where run_id = ${runId} and consumed_iteration = ${iteration} order by created_at, id`.execute(tx);
  return signalRows.parse(rows).map(({ question_id: questionId, ...signal }) => ({ ...signal, questionId }));
}

/** What this iteration took up is new again; answers how much that was. */
export async function leaveUnread(tx: Tx, runId: RunId, iteration: number): Promise<number> {
  const { rows } = await sql`update homework_run_signals set consumed_iteration = null
    where run_id = ${runId} and consumed_iteration = ${iteration} returning id`.execute(tx);
  return rows.length;
}

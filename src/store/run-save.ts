// The statement that saves a change of a run, put together from what has changed. A few shapes come again and again, so the
// database plans each of them once; columns that stay as they are stay out of it.

import type { Run, RunState } from "../domain/run/run.ts";
import type { RunChange } from "../runs/ports.ts";
import { Binder } from "./binder.ts";
import { toJson } from "./json.ts";
import { stateColumns } from "./run-row.ts";

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** `unheard`: signals of the user that are unread again. The run is locked. */
export function saveStatement(change: RunChange, unheard: number): Statement {
  const bind = new Binder();
  const id = bind.value(change.run.id, "uuid");
  const run = `run as (update homework_runs r set ${changedColumns(bind, change, unheard).join(", ")}
    where r.id = ${id}
    returning r.id, r.user_id, r.objective, r.status, r.iteration, r.has_slot, r.running_ms, r.cost_micro_usd, r.tokens,
      r.tool_calls, r.moves, r.unread_signals, r.last_seq, r.updated_at)`;
  const parts = [run, ...writesOf(bind, id, change)];
  return { text: `with ${parts.join(",\n  ")}\n  select from run`, values: bind.values };
}

// Money, tokens and tool calls are not here: the ledger and the journal count them (run-journal-store.ts).
function changedColumns(bind: Binder, change: RunChange, unheard: number): readonly string[] {
  const { before, run, events, claim, attempt, notification, report } = change;
  const is = plainColumns(run, unheard);
  const [had, has] = [jsonColumns(before), jsonColumns(run)];
  const set = ["updated_at = run_now()"];
  for (const name of keysOf(plainTypes)) set.push(`${name} = ${bind.value(is[name], plainTypes[name])}`);
  for (const name of keysOf(has))
    if (had[name] !== has[name])
      set.push(`${name} = ${bind.value(has[name] === null ? null : toJson(has[name]), "jsonb")}`);
  if (events.length > 0) set.push(`last_seq = r.last_seq + ${bind.value(events.length, "int")}`);
  if (attempt !== null) set.push(`attempts = ${bind.value(attempt.attempt, "int")}`);
  else if (before.state.iteration !== run.state.iteration) set.push("attempts = 0");
  if (claim === "begin")
    set.push(
      "claimed_at = run_now(), claim_seen_at = run_now()",
      `claimed_by = ${bind.value(change.claimedBy, "text")}`,
    );
  if (claim === "release") set.push("claimed_at = null, claim_seen_at = null, claimed_by = null");
  if (notification !== null) set.push("moves = r.moves + 1");
  if (report !== null) set.push(`report = ${bind.value(toJson(report), "jsonb")}`);
  return [...set, ...timesOf(before.state, run.state)];
}

/** When it got in line, began and ended. */
function timesOf(before: RunState, { status }: RunState): readonly string[] {
  const hasEnded = status === "completed" || status === "stopped" || status === "failed" || status === "canceled";
  if (hasEnded) return ["ended_at = run_now()"];
  if (before.status === status) return [];
  if (status === "queued") return ["ended_at = null", "queued_at = run_now()"];
  return ["ended_at = null", ...(status === "running" ? ["started_at = coalesce(r.started_at, run_now())"] : [])];
}

const plainTypes = {
  status: "text",
  iteration: "int",
  has_slot: "boolean",
  stop_reason: "text",
  detail: "text",
  running_ms: "bigint",
  remaining: "int",
  unread_signals: "int",
  heard_in: "int",
  deaths: "int",
  fence: "bigint",
} as const;

function plainColumns(run: Run, unheard: number): Record<keyof typeof plainTypes, unknown> {
  const { hold: _h, questions: _q, proofs: _p, ...state } = stateColumns(run.state);
  return {
    ...state,
    running_ms: run.spent.runningMs,
    remaining: run.remaining,
    unread_signals: run.unreadSignals + unheard,
    heard_in: run.heardIn,
    deaths: run.deaths,
    fence: run.fence,
  };
}

function jsonColumns(run: Run) {
  const { hold, questions, proofs } = stateColumns(run.state);
  const { budget: budgets, plan, deliverables, streaks, guidance, best, awaited, closing, holds } = run;
  return { hold, questions, proofs, budgets, plan, deliverables, streaks, guidance, best, awaited, closing, holds };
}

const keysOf = <T extends object>(of: T) => Object.keys(of) as (keyof T & string)[];

/** The rows beside the run's own. */
function writesOf(bind: Binder, id: string, change: RunChange): readonly string[] {
  const { before, run, events, attempt, ended, interrupted, proofs, signals, notification, isListed } = change;
  const parts: string[] = [];
  if (events.length > 0) parts.push(insertEvents(bind.json(events), events.length));
  if (attempt !== null) parts.push(beginAttempt(bind, attempt));
  if (ended !== null) parts.push(endIteration(id, bind.json(ended), bind.value(ended.iteration, "int")));
  if (interrupted !== null) parts.push(interrupt(id, bind.value(interrupted, "int")));
  if (run.checks !== before.checks || proofs.length > 0) parts.push(keepChecks(bind, id, before, run));
  if (signals.length > 0) parts.push(insertSignals(bind.json(signals), bind.value(before.state.iteration, "int")));
  if (notification !== null) parts.push(notify(bind.json(notification)));
  if (isListed) parts.push(feed);
  return parts;
}

// With what a live view cannot work out from them (`Stamp` in src/domain/run/events.ts), as it is once this is committed.
const insertEvents = (events: string, count: number) => `
  events as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select run.id, run.last_seq - ${count} + e.ord, (e.event->>'iteration')::int, e.event->>'type',
           e.event || jsonb_build_object('runningMs', run.running_ms, 'unread', run.unread_signals)
             || case e.event->>'type' when 'iteration_completed' then ${metricsOfEnded} else '{}' end
      from run, jsonb_array_elements(${events}) with ordinality as e (event, ord))`;

// As `endIteration` writes it to the iteration's row, in the words of events.
const metricsOfEnded = `coalesce((
  select jsonb_build_object('metrics', jsonb_build_object(
      'runningMs', run.running_ms - (i.metrics->'before'->>'running_ms')::bigint,
      'costMicroUsd', run.cost_micro_usd - (i.metrics->'before'->>'cost_micro_usd')::bigint,
      'tokens', run.tokens - (i.metrics->'before'->>'tokens')::bigint,
      'toolCalls', run.tool_calls - (i.metrics->'before'->>'tool_calls')::int))
    from homework_run_iterations i where i.run_id = run.id and i.iteration = (e.event->>'iteration')::int), '{}')`;

const beginAttempt = (bind: Binder, { iteration, attempt }: NonNullable<RunChange["attempt"]>) => `
  begun as (insert into homework_run_iterations (run_id, iteration, attempts, status, started_at, first_seq, metrics)
    select run.id, ${bind.value(iteration, "int")}, ${bind.value(attempt, "int")}, 'running', run_now(), run.last_seq,
           jsonb_build_object('before', jsonb_build_object('running_ms', run.running_ms, 'cost_micro_usd', run.cost_micro_usd,
             'tokens', run.tokens, 'tool_calls', run.tool_calls))
      from run
    on conflict (run_id, iteration) do update set attempts = excluded.attempts, status = 'running', ended_at = null)`;

// Each with what the iteration did to it: the history knows whether it was made since the iteration began.
const artifactsOfEnded = `coalesce((
  select jsonb_agg(a.ref || jsonb_build_object('op', case when exists (
      select from onto_changes c where c.run_id = run.id and c.op = 'created' and c.at >= i.started_at and c.entity_id =
        case when a.ref->>'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (a.ref->>'id')::uuid end
    ) then 'created' else 'updated' end) order by a.ord)
    from jsonb_array_elements(e->'artifacts') with ordinality as a (ref, ord)), '[]')`;

// What an iteration used is what the run has now less what it had when the iteration began.
const endIteration = (id: string, ended: string, iteration: string) => `
  ended as (update homework_run_iterations i set
    status = e->>'status', ended_at = run_now(), summary = e->>'summary', decision = e->>'decision', why = e->>'why',
    error = e->'error'->>'text', error_fingerprint = e->'error'->>'fingerprint', artifacts = ${artifactsOfEnded}, plan = e->'plan',
    metrics = i.metrics || jsonb_build_object(
      'running_ms', run.running_ms - (i.metrics->'before'->>'running_ms')::bigint,
      'cost_micro_usd', run.cost_micro_usd - (i.metrics->'before'->>'cost_micro_usd')::bigint,
      'tokens', run.tokens - (i.metrics->'before'->>'tokens')::bigint,
      'tool_calls', run.tool_calls - (i.metrics->'before'->>'tool_calls')::int)
    from run, (select ${ended} as e) as x where i.run_id = ${id} and i.iteration = ${iteration})`;

const interrupt = (id: string, iteration: string) => `
  interrupted as (update homework_run_iterations i set status = 'interrupted', ended_at = run_now()
    from run where i.run_id = ${id} and i.iteration = ${iteration} and i.status = 'running')`;

/** Mostly there is a new proof for each check and nothing else. */
function keepChecks(bind: Binder, id: string, before: Run, run: Run): string {
  const rows = checkRows(run);
  if (run.checks !== before.checks || rows.some(({ proof }) => proof === null)) {
    const all = bind.json(rows);
    return `
  dropped as (delete from homework_run_checks k using run where k.run_id = ${id}
    and not exists (select from jsonb_array_elements(${all}) c where c->>'id' = k.check_id)),
  checks as (${upsertChecks(id, all, "run, ")})`;
  }
  return `
  checks as (update homework_run_checks k set proof = ${bind.json(proofsOf(run))}->k.check_id from run where k.run_id = ${id})`;
}

const proofsOf = ({ lastProofs }: Run) => Object.fromEntries(lastProofs.map((proof) => [proof.checkId, proof]));

/** `checks`: all of them as JSON (`checkRows`). Together with a change of the run, only if that happened (`source`). */
export const upsertChecks = (id: string, checks: string, source = "") => `
  insert into homework_run_checks (run_id, check_id, position, deliverable_id, target, given_by, proof)
  select ${id}, k->>'id', (k->>'position')::int, k->>'deliverableId', k->'target', k->>'givenBy', nullif(k->'proof', 'null')
    from ${source}jsonb_array_elements(${checks}) k
  on conflict (run_id, check_id) do update set position = excluded.position, deliverable_id = excluded.deliverable_id,
    target = excluded.target, given_by = excluded.given_by, proof = excluded.proof`;

export const checkRows = ({ checks, lastProofs }: Run) =>
  checks.map((check, position) => ({
    ...check,
    position,
    proof: lastProofs.find(({ checkId }) => checkId === check.id) ?? null,
  }));

// Those of one change in the order in which they were said, however coarse the clock is.
const insertSignals = (signals: string, askedIn: string) => `
  signals as (insert into homework_run_signals (id, run_id, kind, question_id, question, asked_in, text, created_at)
    select gen_random_uuid(), run.id, s->>'kind', s->>'questionId', s->>'question', case when s->>'kind' = 'answer' then ${askedIn} end, s->>'text',
           run_now() + s.ord * interval '1 microsecond'
      from run, jsonb_array_elements(${signals}) with ordinality as s (s, ord))`;

// What the user does not want to hear of is kept as read.
const notify = (notification: string) => `
  notification as (insert into user_notifications (id, user_id, run_id, move, event, title, message, action_url, data, read_at)
    select gen_random_uuid(), run.user_id, run.id, run.moves, n->>'event', n->>'title', n->>'message', n->>'actionUrl',
           jsonb_build_object('run_id', run.id, 'status', run.status, 'duration_ms', run.running_ms, 'iterations', run.iteration,
             'tokens', run.tokens, 'cost_micro_usd', run.cost_micro_usd,
             'cost_usd', trim_scale(run.cost_micro_usd / 1000000.0)),
           case when exists (select from user_notification_preferences p where p.user_id = run.user_id and p.event = n->>'event'
             and not p.in_app) then run_now() end
      from run, (select ${notification} as n) as told returning id),
  outbox as (insert into notification_outbox (notification_id, channel) select id, 'in_app' from notification)`;

// What lists show of a run.
const feed = `
  fed as (update user_feeds f set last_seq = f.last_seq + 1 from run
    where f.user_id = run.user_id returning f.user_id, f.last_seq),
  feed as (insert into user_feed_events (user_id, seq, type, data)
    select fed.user_id, fed.last_seq, 'run_changed', jsonb_build_object('id', run.id, 'objective', left(run.objective, 300),
      'status', run.status, 'iteration', run.iteration, 'has_slot', run.has_slot, 'running_ms', run.running_ms,
      'cost_micro_usd', run.cost_micro_usd, 'tokens', run.tokens, 'updated_at', run.updated_at) from fed, run)`;

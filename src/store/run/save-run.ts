// Saves a change of a run that is locked: its row, that of an iteration that begins or ends with it, the events it tells of, and
// its line in the user's lists. One statement, so that none of them is ever seen without the others.

import { statementIn, type Tx } from "../../db/database.ts";
import { withNext } from "../../db/guarded-pool.ts";
import type { RunChange } from "../../runs/ports/run-store.ts";
import { buildMetrics, buildStamp } from "../event-sql.ts";
import { toJson } from "../json.ts";
import { stateColumns } from "./run-row.ts";

// What a live view cannot work out from an event, as it is once this is committed.
const stamp = buildStamp({ running_ms: "run.running_ms", unread: "run.unread_messages" });

// What an iteration used is what its run has now less what it had at the beginning.
const used = buildMetrics({
  running_ms: "run.running_ms - (i.metrics->'before'->>'running_ms')::bigint",
  cost_micro_usd: "run.cost_micro_usd - (i.metrics->'before'->>'cost_micro_usd')::bigint",
  tokens: "run.tokens - (i.metrics->'before'->>'tokens')::bigint",
  tool_calls: "run.tool_calls - (i.metrics->'before'->>'tool_calls')::int",
});

// Money, tokens and tool calls are not here: the ledger and the journal count them (journal-store.ts).
const saveRunText = `${withNext}
  with new as (
    select * from jsonb_to_record($2::jsonb) as new (
      status text, iteration int, has_slot boolean, hold jsonb, questions jsonb, proofs jsonb, stop_reason text, detail text,
      running_ms bigint, remaining int, unread_messages int, heard_in int, deaths int, fence bigint, budgets jsonb, plan jsonb,
      deliverables jsonb, streaks jsonb, guidance jsonb, best jsonb, awaited jsonb, closing jsonb, holds jsonb, report jsonb,
      attempt int, lease text, leased_by text, is_move boolean, is_listed boolean)
  ),
  run as (
    update homework_runs r set
      status = new.status, iteration = new.iteration, has_slot = new.has_slot, hold = new.hold, questions = new.questions,
      proofs = new.proofs, stop_reason = new.stop_reason, detail = new.detail, running_ms = new.running_ms,
      remaining = new.remaining, unread_messages = new.unread_messages, heard_in = new.heard_in, deaths = new.deaths,
      fence = new.fence, budgets = new.budgets, plan = new.plan, deliverables = new.deliverables, streaks = new.streaks,
      guidance = new.guidance, best = new.best, awaited = new.awaited, closing = new.closing, holds = new.holds,
      report = coalesce(new.report, r.report),
      attempts = coalesce(new.attempt, case when new.iteration = r.iteration then r.attempts else 0 end),
      leased_at = case new.lease when 'begin' then run_now() when 'keep' then r.leased_at end,
      lease_seen_at = case new.lease when 'begin' then run_now() when 'keep' then r.lease_seen_at end,
      leased_by = case new.lease when 'begin' then new.leased_by when 'keep' then r.leased_by end,
      last_seq = r.last_seq + jsonb_array_length($3::jsonb),
      moves = r.moves + new.is_move::int,
      updated_at = run_now(),
      queued_at = case when new.status = 'queued' and r.status <> 'queued' then run_now() else r.queued_at end,
      started_at = case when new.status = 'running' then coalesce(r.started_at, run_now()) else r.started_at end,
      ended_at = case when new.status in ('completed', 'stopped', 'failed', 'canceled') then run_now() end
    from new where r.id = $1::uuid
    returning r.id, r.user_id, r.objective, r.status, r.iteration, r.has_slot, r.running_ms, r.cost_micro_usd, r.tokens,
      r.tool_calls, r.unread_messages, r.last_seq, r.updated_at, new.is_listed
  ),
  began as (
    insert into homework_run_iterations (run_id, iteration, attempts, status, started_at, first_seq, metrics)
    select run.id, (a->>'iteration')::int, (a->>'attempt')::int, 'running', run_now(), run.last_seq,
           jsonb_build_object('before', jsonb_build_object('running_ms', run.running_ms, 'cost_micro_usd', run.cost_micro_usd,
             'tokens', run.tokens, 'tool_calls', run.tool_calls))
      from run, (select $4::jsonb as a) as attempt where a is not null
    on conflict (run_id, iteration) do update set attempts = excluded.attempts, status = 'running', ended_at = null
  ),
  ended as (
    update homework_run_iterations i set
      status = e->>'status', ended_at = run_now(), summary = e->>'summary', decision = e->>'decision', why = e->>'why',
      error = e->'error'->>'text', error_fingerprint = e->'error'->>'fingerprint', plan = e->'plan',
      deliverables = e->'deliverables', checks = e->'checks',
      -- Each artifact says what the iteration did to it: the history knows whether it was made since the iteration began.
      artifacts = coalesce((
        select jsonb_agg(a.ref || jsonb_build_object('op', case when exists (
            select from onto_changes c where c.run_id = run.id and c.op = 'created' and c.at >= i.started_at and c.entity_id =
              case when a.ref->>'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (a.ref->>'id')::uuid end
          ) then 'created' else 'updated' end) order by a.ord)
          from jsonb_array_elements(e->'artifacts') with ordinality as a (ref, ord)), '[]'),
      metrics = i.metrics || ${used}
      from run, (select $5::jsonb as e) as iteration
     where e is not null and i.run_id = run.id and i.iteration = (e->>'iteration')::int
    returning i.metrics - 'before' as metrics
  ),
  events as (
    insert into homework_run_events (run_id, seq, iteration, type, event)
    select run.id, run.last_seq - jsonb_array_length($3::jsonb) + e.ord, (e.event->>'iteration')::int, e.event->>'type',
           e.event || ${stamp}
             || case e.event->>'type' when 'iteration_completed'
                  then coalesce((select jsonb_build_object('metrics', metrics) from ended), '{}') else '{}' end
      from run, jsonb_array_elements($3::jsonb) with ordinality as e (event, ord)
  ),
  feed as (
    update user_feeds f set last_seq = f.last_seq + 1 from run where f.user_id = run.user_id and run.is_listed
    returning f.user_id, f.last_seq
  )
  insert into user_feed_events (user_id, seq, type, data)
  select feed.user_id, feed.last_seq, 'run_changed', jsonb_build_object('id', run.id, 'objective', left(run.objective, 300),
         'status', run.status, 'iteration', run.iteration, 'has_slot', run.has_slot, 'running_ms', run.running_ms,
         'cost_micro_usd', run.cost_micro_usd, 'tokens', run.tokens, 'updated_at', run.updated_at)
    from feed, run`;

/** `unheard`: how many of the user's messages are unread again. */
export async function saveRun(tx: Tx, change: RunChange, unheard: number): Promise<void> {
  const { run, events, attempt, ended } = change;
  const parts = [columnsOf(change, unheard), events, attempt, ended];
  await statementIn(tx)(saveRunText, [run.id, ...parts.map((part) => part && toJson(part))]);
}

function columnsOf({ run, lease, leasedBy, attempt, notification, report, isListed }: RunChange, unheard: number) {
  const { plan, deliverables, streaks, guidance, best, awaited, closing, holds, remaining, deaths, fence } = run;
  return {
    ...stateColumns(run.state),
    ...{
      plan,
      deliverables,
      streaks,
      guidance,
      best,
      awaited,
      closing,
      holds,
      remaining,
      deaths,
      fence,
      report,
      lease,
    },
    running_ms: run.spent.runningMs,
    unread_messages: run.unreadMessages + unheard,
    heard_in: run.heardIn,
    budgets: run.budget,
    attempt: attempt?.attempt ?? null,
    leased_by: leasedBy,
    is_move: notification !== null,
    is_listed: isListed,
  };
}

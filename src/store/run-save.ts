// The statement that saves a change of a run, put together from the parts the change has. $1 is the change as JSON, $2 the run.
// A few shapes come again and again, so the database plans each of them once.

/** Which parts a change has; the run's own row is always one. */
export type SavedParts = Readonly<
  Record<"events" | "begun" | "ended" | "interrupted" | "checks" | "signals" | "notification" | "feed", boolean>
>;

const statements = new Map<string, string>();

export function saveStatement(parts: SavedParts): string {
  const key = JSON.stringify(parts);
  const known = statements.get(key);
  if (known !== undefined) return known;
  const named = Object.entries(parts).flatMap(([name, isThere]) => (isThere ? [writes[name as keyof SavedParts]] : []));
  const statement = `with c as (select $1::jsonb as c), ${[saveRun, ...named].join(", ")} select run.id from run`;
  statements.set(key, statement);
  return statement;
}

// Money, tokens and tool calls are not here: the ledger and the journal count them (run-journal-store.ts).
const saveRun = `
  run as (update homework_runs r set
    status = c->>'status', iteration = (c->>'iteration')::int, has_slot = (c->>'has_slot')::boolean,
    hold = nullif(c->'hold', 'null'), questions = nullif(c->'questions', 'null'), proofs = nullif(c->'proofs', 'null'),
    stop_reason = c->>'stop_reason', detail = c->>'detail', running_ms = (c->>'running_ms')::bigint,
    remaining = (c->>'remaining')::int, unread_signals = (c->>'unread_signals')::int, deaths = (c->>'deaths')::int, fence = (c->>'fence')::bigint,
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
    from c where r.id = $2::uuid
    returning r.id, r.user_id, r.objective, r.status, r.iteration, r.has_slot, r.running_ms, r.cost_micro_usd, r.tokens,
      r.tool_calls, r.moves, r.last_seq, r.updated_at)`;

export const upsertChecks = `
  insert into homework_run_checks (run_id, check_id, position, deliverable_id, target, given_by, proof)
  select $2::uuid, k->>'id', (k->>'position')::int, k->>'deliverableId', k->'target', k->>'givenBy', nullif(k->'proof', 'null')
    from c, jsonb_array_elements(c->'checks') k
  on conflict (run_id, check_id) do update set proof = excluded.proof`;

/** What lists show of a run. */
const summary = `jsonb_build_object('id', run.id, 'objective', left(run.objective, 300), 'status', run.status,
  'iteration', run.iteration, 'has_slot', run.has_slot, 'running_ms', run.running_ms, 'cost_micro_usd', run.cost_micro_usd,
  'tokens', run.tokens, 'updated_at', run.updated_at)`;

const writes: Readonly<Record<keyof SavedParts, string>> = {
  events: `
  events as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select run.id, run.last_seq - jsonb_array_length(c->'events') + e.ord, (e.event->>'iteration')::int, e.event->>'type', e.event
      from c, run, jsonb_array_elements(c->'events') with ordinality as e (event, ord))`,
  begun: `
  begun as (insert into homework_run_iterations (run_id, iteration, attempts, status, started_at, metrics)
    select run.id, (c->'attempt'->>'iteration')::int, (c->'attempt'->>'attempt')::int, 'running', run_now(),
           jsonb_build_object('before', jsonb_build_object('running_ms', run.running_ms, 'cost_micro_usd', run.cost_micro_usd,
             'tokens', run.tokens, 'tool_calls', run.tool_calls))
      from c, run
    on conflict (run_id, iteration) do update set attempts = excluded.attempts, status = 'running', ended_at = null)`,
  // What an iteration used is what the run has now less what it had when the iteration began.
  ended: `
  ended as (update homework_run_iterations i set
    status = c->'ended'->>'status', ended_at = run_now(), summary = c->'ended'->>'summary',
    decision = c->'ended'->>'decision', why = c->'ended'->>'why', error = c->'ended'->>'error',
    error_fingerprint = c->'ended'->>'error', artifacts = c->'ended'->'artifacts', plan = c->'ended'->'plan',
    metrics = i.metrics || jsonb_build_object(
      'running_ms', run.running_ms - (i.metrics->'before'->>'running_ms')::bigint,
      'cost_micro_usd', run.cost_micro_usd - (i.metrics->'before'->>'cost_micro_usd')::bigint,
      'tokens', run.tokens - (i.metrics->'before'->>'tokens')::bigint,
      'tool_calls', run.tool_calls - (i.metrics->'before'->>'tool_calls')::int)
    from c, run where i.run_id = $2::uuid and i.iteration = (c->'ended'->>'iteration')::int)`,
  interrupted: `
  interrupted as (update homework_run_iterations i set status = 'interrupted', ended_at = run_now()
    from c, run where i.run_id = $2::uuid and i.iteration = (c->>'interrupted')::int and i.status = 'running')`,
  checks: `checks as (${upsertChecks})`,
  signals: `
  signals as (insert into homework_run_signals (id, run_id, kind, question_id, asked_in, text)
    select gen_random_uuid(), run.id, s->>'kind', s->>'questionId',
           case when s->>'kind' = 'answer' then (c->>'asked_in')::int end, s->>'text'
      from c, run, jsonb_array_elements(c->'signals') s)`,
  notification: `
  notification as (insert into user_notifications (id, user_id, run_id, move, event, title, message, action_url, data)
    select gen_random_uuid(), run.user_id, run.id, run.moves, n->>'event', n->>'title', n->>'message', n->>'actionUrl',
           jsonb_build_object('run_id', run.id, 'status', run.status, 'duration_ms', run.running_ms, 'iterations', run.iteration,
             'tokens', run.tokens, 'cost_micro_usd', run.cost_micro_usd)
      from c, run, lateral (select c->'notification' as n) as told returning id),
  outbox as (insert into notification_outbox (notification_id, channel) select id, 'in_app' from notification)`,
  feed: `
  fed as (update user_feeds f set last_seq = f.last_seq + 1 from run
    where f.user_id = run.user_id returning f.user_id, f.last_seq),
  feed as (insert into user_feed_events (user_id, seq, type, data)
    select fed.user_id, fed.last_seq, 'run_changed', ${summary} from fed, run)`,
};

-- Everything that must be true of outcomes at any moment, as one statement: each row of the answer is something that is not.
-- One snapshot, so it may be asked while workers work. `homework doctor --runs` asks it, and so do simulations and tests.
with turn_jobs as (
  select (data->>'outcome_id')::uuid as outcome_id, data->'turn'->>'kind' as kind, (data->'turn'->>'run_id')::uuid as run_id
    from open_jobs where queue = 'homework_homr'
), tasks as (
  select t.*, t.status in ('pending', 'running', 'paused') as is_open from outcome_tasks t
), asked as (
  select distinct n.task_id from homr_escalation_tasks n join homr_escalations e on e.id = n.escalation_id
   where e.pauses and e.status in ('pending', 'pending_confirmation')
), attempts as (
  select a.*, t.outcome_id, t.run_id as task_run_id, t.is_open, t.status as task_status,
         r.status in ('completed', 'failed', 'canceled') or (r.status = 'stopped' and r.stop_reason <> 'paused') as is_run_over,
         r.cost_micro_usd as run_cost, r.tokens as run_tokens
    from outcome_task_attempts a join tasks t on t.id = a.task_id join homework_runs r on r.id = a.run_id
), spent as (
  select o.id, coalesce(t.cost, 0) + coalesce(a.cost, 0) - coalesce(l.cost, 0) as cost_micro_usd,
         coalesce(t.tokens, 0) + coalesce(a.tokens, 0) - coalesce(l.tokens, 0) as tokens
    from outcomes o
    left join (select outcome_id, sum(cost_micro_usd) as cost, sum(tokens) as tokens from homr_turns group by 1) t on t.outcome_id = o.id
    left join (select outcome_id, sum(cost_micro_usd) as cost, sum(tokens) as tokens from attempts where state <> 'running' group by 1) a
      on a.outcome_id = o.id
    left join (select outcome_id, sum(cost_micro_usd) as cost, sum(tokens) as tokens from outcome_late_costs group by 1) l on l.outcome_id = o.id
), ledger as (
  select outcome_id, turn, sum(cost_micro_usd) as cost_micro_usd, sum(input_tokens + output_tokens) as tokens
    from llm_usage_logs where outcome_id is not null group by 1, 2
), steered as (
  select outcome_id, (cause->>'observationId')::uuid as observation_id, count(*) as actions
    from homr_activity_log where type = 'steering' and cause ? 'observationId' group by 1, 2
), violations (invariant, outcome_id, detail) as (
  select 'one_observation_per_attempt', a.outcome_id, format('attempt %s of task %s is said to be observed: %s; it has %s observations', a.attempt,
         a.task_id, a.is_observed, (select count(*) from homr_observations v where v.task_id = a.task_id and v.attempt = a.attempt))
    from attempts a
   where (select count(*) from homr_observations v where v.task_id = a.task_id and v.attempt = a.attempt) <> (coalesce(a.is_observed, false))::int
  union all
  select 'paused_while_asked', t.outcome_id, format('task %s is %s, a question that pauses names it: %s', t.number, t.status, k.task_id is not null)
    from tasks t left join asked k on k.task_id = t.id where t.is_open and (t.status = 'paused') <> (k.task_id is not null)
  union all
  select 'running_task_has_a_run', t.outcome_id, format('task %s is running without an attempt that is', t.number)
    from tasks t where t.status = 'running'
     and not exists (select from attempts a where a.task_id = t.id and a.state = 'running' and a.run_id = t.run_id)
  union all
  select 'attempt_is_of_its_task', a.outcome_id, format('attempt %s of task %s (%s) is under way with run %s, the task names %s', a.attempt, a.task_id,
         a.task_status, a.run_id, a.task_run_id)
    from attempts a where a.state = 'running' and not a.is_run_over and (not a.is_open or a.task_run_id is distinct from a.run_id)
  union all
  select 'every_end_is_told', a.outcome_id, format('run %s of task %s has ended and no job says so', a.run_id, a.task_id)
    from attempts a join outcomes o on o.id = a.outcome_id and o.deleted_at is null
   where a.state = 'running' and a.is_run_over
     and not exists (select from turn_jobs j where j.kind = 'observe' and j.run_id = a.run_id)
  union all
  select 'attempts_without_gaps', t.outcome_id, format('task %s counts %s attempts, there are %s up to %s', t.number, t.attempts, count(a.attempt), max(a.attempt))
    from tasks t left join attempts a on a.task_id = t.id group by t.outcome_id, t.number, t.attempts
  having t.attempts <> count(a.attempt) or t.attempts <> coalesce(max(a.attempt), 0) or count(*) filter (where a.state = 'running' and not a.is_run_over) > 1
  union all
  select 'steering_within_limit', s.outcome_id, format('observation %s led to %s actions, %s were allowed', s.observation_id, s.actions, v.steering_max)
    from steered s join homr_observations v on v.id = s.observation_id where s.actions > v.steering_max
  union all
  select 'money_is_the_ledger', o.id, format('the outcome says %s micro-dollars and %s tokens, its runs and turns %s and %s', o.cost_micro_usd,
         o.tokens, s.cost_micro_usd, s.tokens)
    from outcomes o join spent s on s.id = o.id where (o.cost_micro_usd, o.tokens) <> (s.cost_micro_usd, s.tokens)
  union all
  select 'money_is_the_ledger', a.outcome_id, format('run %s has cost %s micro-dollars, %s were counted', a.run_id, a.run_cost, a.cost_micro_usd)
    from attempts a where a.state <> 'running' and (a.run_cost, a.run_tokens) <> (a.cost_micro_usd, a.tokens)
  union all
  select 'money_is_the_ledger', t.outcome_id, format('turn %s says %s micro-dollars and %s tokens, the ledger %s and %s', t.turn, t.cost_micro_usd,
         t.tokens, coalesce(l.cost_micro_usd, 0), coalesce(l.tokens, 0))
    from homr_turns t left join ledger l on l.outcome_id = t.outcome_id and l.turn = t.turn
   where (t.cost_micro_usd, t.tokens) <> (coalesce(l.cost_micro_usd, 0), coalesce(l.tokens, 0))
  union all
  select 'numbers_without_gaps', o.id, format('%s lines of the log up to %s, the outcome counts %s', count(g.seq), max(g.seq), o.last_seq)
    from outcomes o left join homr_activity_log g on g.outcome_id = o.id group by o.id, o.last_seq
  having (count(g.seq), coalesce(max(g.seq), 0)) <> (o.last_seq, o.last_seq)
  union all
  select 'numbers_without_gaps', o.id, format('%s events up to %s, the outcome counts %s', count(e.seq), max(e.seq), o.event_seq)
    from outcomes o left join outcome_events e on e.outcome_id = o.id group by o.id, o.event_seq
  having (count(e.seq), coalesce(max(e.seq), 0)) <> (o.event_seq, o.event_seq)
)
select invariant, outcome_id, detail from violations order by invariant, outcome_id limit 1000

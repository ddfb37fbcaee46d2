// What an outcome left behind, without ids and times: two that went alike have the same traces, however often their workers died.
// Beside them the moments that say who waited for whom.

import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";

const whole = z.coerce.number();
const lines = z.array(z.string());

const traces = z.object({
  status: z.string(),
  tasks: lines,
  /** Each end of an attempt that was looked at. */
  observations: lines,
  questions: lines,
  context: lines,
  /** Which prompt carried what of the context. */
  receipts: lines,
  steering: lines,
  reviews: lines,
  pages: lines,
});
export type OutcomeTraces = z.output<typeof traces>;

/** `began` and `worked` are milliseconds: when its run was made, and when that run last got on. */
const attempt = z.object({ number: whole, attempt: whole, began: whole, worked: whole });
/** `about`: the observation that led to it, as `task:attempt`. */
const question = z.object({ trigger: z.string(), about: z.string().nullable() });
const brief = z.object({ number: whole, attempt: whole, iteration: whole, text: z.string(), items: lines });
const item = z.object({ id: z.string(), content: z.string() });

export type OutcomeMoments = {
  readonly attempts: readonly z.output<typeof attempt>[];
  readonly questions: readonly z.output<typeof question>[];
  readonly briefs: readonly z.output<typeof brief>[];
  readonly items: readonly z.output<typeof item>[];
  /** In the order in which attempts were looked at: whether each went well. */
  readonly successes: readonly boolean[];
};

export async function readTraces(db: Database, outcomeId: string): Promise<OutcomeTraces> {
  const { rows } = await sql`
    with task as (select * from outcome_tasks where outcome_id = ${outcomeId}),
      attempt as (select t.number, a.* from outcome_task_attempts a join task t on t.id = a.task_id)
    select o.status,
      ${list(sql`select format('#%s %s: %s after %s attempts, made by %s%s, waits for %s', t.number, t.title, t.status, t.attempts, t.made_by,
          (select ', corrects #' || c.number from task c where c.id = t.corrects),
          (select coalesce(string_agg('#' || d.number, ' ' order by d.number), 'none') from outcome_task_dependencies e
             join task d on d.id = e.depends_on where e.task_id = t.id)) as line from task t`)} as tasks,
      ${list(sql`select format('#%s attempt %s: %s, %s of 100, %s, by %s, %s discoveries, drift %s', t.number, v.attempt,
          case when v.has_succeeded then 'completed' else 'failed' end, v.alignment_score, v.quality, v.observed_by,
          jsonb_array_length(v.discoveries), jsonb_path_query_array(v.drift, '$[*].type')) as line
        from homr_observations v join task t on t.id = v.task_id`)} as observations,
      ${list(sql`select format('%s about #%s: %s (%s), answered %s by %s; whole: %s, pauses: %s, names %s', e.trigger_type,
          (select number from task where id = e.trigger_task_id), e.question, e.status, e.answer_option, e.answered_by, e.is_whole, e.pauses,
          (select string_agg('#' || t.number, ' ' order by t.number) from homr_escalation_tasks n join task t on t.id = n.task_id
            where n.escalation_id = e.id)) as line from homr_escalations e where e.outcome_id = o.id`)} as questions,
      ${list(sql`select format('%s %s from #%s for %s: %s', i.kind, i.type, (select number from task where id = i.source_task_id),
          coalesce((select string_agg('#' || t.number, ' ' order by t.number) from task t where t.id = any(i.audience)), 'all'),
          i.content) as line from homr_context_items i where i.outcome_id = o.id`)} as context,
      ${list(sql`select format('#%s attempt %s, iteration %s: %s', a.number, a.attempt, b.iteration, i.content) as line
        from attempt a join homr_briefs b on b.run_id = a.run_id join homr_context_items i on i.id = any(b.items)`)} as receipts,
      ${list(sql`select summary as line from homr_activity_log where outcome_id = o.id and type = 'steering'`)} as steering,
      ${list(sql`select format('review %s: %s', cycle, case when is_clean then 'clean' else summary end) as line
        from homr_reviews where outcome_id = o.id`)} as reviews,
      ${list(sql`select format('#%s attempt %s: %s: %s', a.number, a.attempt, d.title, d.content) as line
        from attempt a join onto_documents d on d.created_by_run = a.run_id
        where d.type_key not like 'document.homework.%'`)} as pages
    from outcomes o where o.id = ${outcomeId}`.execute(db.system);
  return traces.parse(rows[0]);
}

const list = (lineQuery: ReturnType<typeof sql>) =>
  sql`(select coalesce(array_agg(line order by line), '{}') from (${lineQuery}) as each)`;

export async function readMoments(db: Database, outcomeId: string): Promise<OutcomeMoments> {
  const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(db.system)).rows;
  const attempts = await rowsOf(sql`select t.number, a.attempt, extract(epoch from r.created_at) * 1000 as began,
      (select extract(epoch from max(e.ended_at)) * 1000 from journal_entries e where e.run_id = a.run_id) as worked
    from outcome_task_attempts a join outcome_tasks t on t.id = a.task_id join homework_runs r on r.id = a.run_id
   where t.outcome_id = ${outcomeId} order by t.number, a.attempt`);
  const questions = await rowsOf(sql`select trigger_type as trigger,
      (select t.number || ':' || v.attempt from homr_observations v join outcome_tasks t on t.id = v.task_id
        where v.id = e.observation_id) as about
    from homr_escalations e where outcome_id = ${outcomeId} order by created_at`);
  const briefs = await rowsOf(sql`select t.number, a.attempt, b.iteration, b.text, b.items
    from homr_briefs b join outcome_task_attempts a on a.run_id = b.run_id join outcome_tasks t on t.id = a.task_id
   where t.outcome_id = ${outcomeId} order by t.number, a.attempt, b.iteration`);
  const items = await rowsOf(sql`select id, content from homr_context_items where outcome_id = ${outcomeId}`);
  const observed = await rowsOf(
    sql`select has_succeeded from homr_observations where outcome_id = ${outcomeId} order by seq`,
  );
  return {
    attempts: z.array(attempt).parse(attempts),
    questions: z.array(question).parse(questions),
    briefs: z.array(brief).parse(briefs),
    items: z.array(item).parse(items),
    successes: z
      .array(z.object({ has_succeeded: z.boolean() }))
      .parse(observed)
      .map((row) => row.has_succeeded),
  };
}

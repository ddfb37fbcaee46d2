// Outcomes as their owner looks at them: lists, and one with everything that can be edited. Reads only, in the owner's transaction:
// row level security leaves nothing but their own.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { autoResolve, homrConfig } from "../../domain/homr/homr-config.ts";
import { intent, type OutcomeId, type OutcomeStatus, outcomeStatuses } from "../../domain/homr/outcome.ts";
import { interventionTypes } from "../../domain/homr/outcome-state.ts";
import { engines, writeModes } from "../../domain/run/run.ts";
import { runModelRoles } from "../../domain/run/run-models.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { idColumn, rowOf, whole } from "../row.ts";
import { budgetColumn } from "../run/run-row.ts";

const countsColumn = z.object({
  pending: whole,
  running: whole,
  paused: whole,
  completed: whole,
  failed: whole,
  obsolete: whole,
});

const summaryColumns = {
  id: idColumn<OutcomeId>(),
  name: z.string(),
  status: z.enum(outcomeStatuses),
  engine: z.enum(engines),
  projectId: z.string().nullable(),
  tasks: countsColumn,
  /** Questions that wait for their owner. */
  openEscalations: whole,
  /** Runs on its tasks that have asked their owner something. */
  waitingRuns: whole,
  isDrafting: z.boolean(),
  /** What HOMЯ did last. */
  latest: z.object({ summary: z.string(), at: z.string() }).nullable(),
  costMicroUsd: whole,
  tokens: whole,
  unpricedCalls: whole,
  createdAt: z.string(),
  updatedAt: z.string(),
};
const summaryRow = rowOf(summaryColumns);
export type OutcomeSummary = z.infer<typeof summaryRow>;

const count = (status: string) => sql`count(*) filter (where t.status = ${sql.lit(status)})`;

/** For `select … from outcomes o`. */
const summary = sql`
  o.id, o.name, o.status, o.engine, o.project_id, o.created_at, o.updated_at, spent.*,
  (select json_build_object('pending', ${count("pending")}, 'running', ${count("running")}, 'paused', ${count("paused")},
     'completed', ${count("completed")}, 'failed', ${count("failed")}, 'obsolete', ${count("obsolete")})
     from outcome_tasks t where t.outcome_id = o.id) as tasks,
  (select count(*) from homr_escalations e where e.outcome_id = o.id and e.status in ('pending', 'pending_confirmation')) as open_escalations,
  (select count(*) from outcome_tasks t join homework_runs r on r.id = t.run_id
    where t.outcome_id = o.id and t.status = 'running' and r.status = 'waiting_on_user') as waiting_runs,
  o.brief <> '' and o.next_number = 1 and not exists (
    select from homr_turns u where u.outcome_id = o.id and u.kind = 'draft' and u.state <> 'running') as is_drafting,
  (select json_build_object('summary', l.summary, 'at', to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     from homr_activity_log l where l.outcome_id = o.id order by l.seq desc limit 1) as latest`;

/** With what runs under way have cost so far, and what was settled after its run had ended (src/store/outcome/read-outcome.ts). */
const withSpent = sql`
  left join lateral (
    select sum(r.cost_micro_usd) as cost, sum(r.tokens) as tokens, sum(r.unpriced_calls) as unpriced
      from outcome_tasks t join outcome_task_attempts a on a.task_id = t.id and a.attempt = t.attempts and a.state = 'running'
      join homework_runs r on r.id = a.run_id where t.outcome_id = o.id) as live on true
  left join lateral (
    select sum(l.cost_micro_usd) as cost, sum(l.tokens) as tokens, sum(l.unpriced_calls) as unpriced
      from outcome_late_costs l where l.outcome_id = o.id) as late on true
  cross join lateral (
    select o.cost_micro_usd + coalesce(live.cost, 0) + coalesce(late.cost, 0) as cost_micro_usd,
           o.tokens + coalesce(live.tokens, 0) + coalesce(late.tokens, 0) as tokens,
           o.unpriced_calls + coalesce(live.unpriced, 0) + coalesce(late.unpriced, 0) as unpriced_calls) as spent`;

export type OutcomeFilter = PageQuery & {
  readonly status?: OutcomeStatus | undefined;
  readonly project_id?: string | undefined;
  /** A part of the name; capitals do not matter. */
  readonly q?: string | undefined;
};

/** Last changed first. */
export async function listOutcomes(tx: Tx, filter: OutcomeFilter): Promise<Page<OutcomeSummary>> {
  const { limit, status, project_id: projectId } = filter;
  const before = decodeCursor("outcomes", "time", filter.cursor);
  const part = filter.q?.trim() ?? "";
  const { rows } = await sql`
    select ${summary} from outcomes o ${withSpent}
     where o.user_id = app_user_id() and o.deleted_at is null and ${isPast(before, "o.updated_at", "o.id")}
       and ${status === undefined ? sql`true` : sql`o.status = ${status}`}
       and ${projectId === undefined ? sql`true` : sql`o.project_id = ${projectId}::uuid`}
       and ${part === "" ? sql`true` : sql`position(lower(${part}) in lower(o.name)) > 0`}
     order by o.updated_at desc, o.id desc limit ${limit + 1}`.execute(tx);
  return toPage("outcomes", z.array(summaryRow).parse(rows), limit, ({ updatedAt, id }) => [updatedAt, id]);
}

const viewRow = rowOf({
  ...summaryColumns,
  brief: z.string(),
  intent,
  approach: z.object({ version: z.number(), text: z.string() }).nullable(),
  workFolder: z.string().nullable(),
  models: z.partialRecord(z.enum(runModelRoles), z.string()).nullable(),
  writeMode: z.enum(writeModes),
  allowedTools: z.array(z.string()).nullable(),
  timeZone: z.string(),
  workers: z.number(),
  runBudget: budgetColumn,
  maxCostMicroUsd: whole.nullable(),
  config: homrConfig,
  autoResolve,
  cleanReviews: z.number(),
  tasksObserved: z.number(),
  discoveriesExtracted: z.number(),
  escalationsCreated: z.number(),
  steeringActions: z.number(),
  /** The number of its last event. */
  eventSeq: whole,
  version: z.number(),
});
export type OutcomeView = z.infer<typeof viewRow>;

/** One statement, so that all of it is of the moment that `eventSeq` names. */
export async function findOutcome(tx: Tx, id: string): Promise<OutcomeView | null> {
  const { rows } = await sql`
    select ${summary}, o.brief, o.intent, o.work_folder, o.models, o.write_mode, o.allowed_tools, o.time_zone, o.workers, o.run_budget,
           o.max_cost_micro_usd, o.config, o.auto_resolve, o.clean_reviews, o.tasks_observed, o.discoveries_extracted,
           o.escalations_created, o.steering_actions, o.event_seq, o.version,
           (select json_build_object('version', d.version, 'text', d.text) from outcome_designs d where d.outcome_id = o.id
             order by d.version desc limit 1) as approach
      from outcomes o ${withSpent} where o.id = ${id} and o.deleted_at is null`.execute(tx);
  return rows[0] === undefined ? null : viewRow.parse(rows[0]);
}

/** The number of its last event; null for an outcome that is not there, or not theirs. */
export async function lastOutcomeSeq(tx: Tx, id: string): Promise<number | null> {
  const { rows } = await sql<{ seq: string }>`
    select event_seq as seq from outcomes where id = ${id} and deleted_at is null`.execute(tx);
  return rows[0] === undefined ? null : Number(rows[0].seq);
}

const eventRow = rowOf({
  outcomeId: z.string(),
  seq: whole,
  event: z.looseObject({ type: z.string() }),
  at: z.string(),
});
export type OutcomeEventView = z.infer<typeof eventRow>;

/** Oldest first: everything after `seq`, at most `limit`. */
export async function outcomeEventsAfter(
  tx: Tx,
  outcomeId: string,
  seq: number,
  limit: number,
): Promise<readonly OutcomeEventView[]> {
  const { rows } = await sql`
    select outcome_id, seq, data || jsonb_build_object('type', type) as event, created_at as at from outcome_events
     where outcome_id = ${outcomeId} and seq > ${seq} order by seq limit ${limit}`.execute(tx);
  return z.array(eventRow).parse(rows);
}

const designRow = rowOf({
  version: z.number(),
  text: z.string(),
  why: z.string(),
  madeBy: z.enum(["user", "planner", "homr"]),
  createdAt: z.string(),
});
export type DesignView = z.infer<typeof designRow>;

/** Newest first. */
export async function listDesigns(tx: Tx, outcomeId: string, page: PageQuery): Promise<Page<DesignView>> {
  const before = decodeCursor("designs", "number", page.cursor);
  const { rows } = await sql`
    select version, text, why, made_by, created_at from outcome_designs
     where outcome_id = ${outcomeId} and ${before === null ? sql`true` : sql`version < ${before[0]}`}
     order by version desc limit ${page.limit + 1}`.execute(tx);
  return toPage("designs", z.array(designRow).parse(rows), page.limit, ({ version }) => [version]);
}

const interventionRow = rowOf({
  id: z.string(),
  type: z.enum(interventionTypes),
  taskId: z.string().nullable(),
  message: z.string(),
  status: z.enum(["pending", "acknowledged", "completed", "dismissed"]),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type InterventionView = z.infer<typeof interventionRow>;

const selectInterventions = sql`
  select id, type, task_id, message, status, created_at, updated_at from outcome_interventions`;

/** Newest first. */
export async function listInterventions(tx: Tx, outcomeId: string, page: PageQuery): Promise<Page<InterventionView>> {
  const before = decodeCursor("interventions", "time", page.cursor);
  const { rows } = await sql`
    ${selectInterventions} where outcome_id = ${outcomeId} and ${isPast(before, "created_at", "id")}
     order by created_at desc, id desc limit ${page.limit + 1}`.execute(tx);
  const found = z.array(interventionRow).parse(rows);
  return toPage("interventions", found, page.limit, ({ createdAt, id }) => [createdAt, id]);
}

export async function findIntervention(tx: Tx, outcomeId: string, id: string): Promise<InterventionView | null> {
  const { rows } = await sql`${selectInterventions} where outcome_id = ${outcomeId} and id = ${id}`.execute(tx);
  return rows[0] === undefined ? null : interventionRow.parse(rows[0]);
}

// A user's runs as lists show them: pages of them by status and by a part of their objective, how many there are, and what the
// last ones came to. Reads only, in the user's transaction. What lists show of a run is here for the page of one run too.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Page } from "../domain/entity/entity.ts";
import type { Spent } from "../domain/run/budget.ts";
import {
  type EngineName,
  engines,
  type RunId,
  type RunStatus,
  runStatuses,
  type StopReason,
  stopReasons,
} from "../domain/run/run.ts";
import { decodeCursor, toPage } from "./cursor.ts";

const whole = z.coerce.number().int();

/** What lists and pages show beside the run itself. */
export const shownColumns = z.object({
  place_in_line: whole.nullable(),
  hold_until: z.string().nullable(),
  progress: z.string().nullable(),
  green_checks: whole,
  all_checks: whole,
  created_at: z.string(),
  started_at: z.string().nullable(),
  updated_at: z.string(),
  ended_at: z.string().nullable(),
});

export type Shown = {
  /** From 1; null unless it waits for a slot. */
  readonly placeInLine: number | null;
  readonly holdUntil: string | null;
  /** How its last iteration summed itself up; null before one has ended. */
  readonly progress: string | null;
  /** When the platform last looked. */
  readonly greenChecks: number;
  readonly allChecks: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly updatedAt: string;
  readonly endedAt: string | null;
};

export const toShown = (row: z.infer<typeof shownColumns>): Shown => ({
  placeInLine: row.place_in_line,
  holdUntil: row.hold_until,
  progress: row.progress,
  greenChecks: row.green_checks,
  allChecks: row.all_checks,
  createdAt: row.created_at,
  startedAt: row.started_at,
  updatedAt: row.updated_at,
  endedAt: row.ended_at,
});

/** For `select … from homework_runs r`. The line is in the order in which slots are given (run-store.ts). */
export const shown: RawBuilder<unknown> = sql`
  case when r.status = 'queued' and not r.has_slot then (
    select count(*) from homework_runs q where q.user_id = r.user_id and q.status = 'queued' and not q.has_slot
       and (q.queued_at, q.id) <= (r.queued_at, r.id)) end as place_in_line,
  to_timestamp((r.hold->>'untilMs')::double precision / 1000) as hold_until,
  (select i.summary from homework_run_iterations i where i.run_id = r.id and i.decision is not null
    order by i.iteration desc limit 1) as progress,
  (select count(*) from homework_run_checks k where k.run_id = r.id) as all_checks,
  (select count(*) from homework_run_checks k where k.run_id = r.id and (k.proof->>'isGreen')::boolean) as green_checks`;

const summaryRow = shownColumns.extend({
  id: z.string(),
  objective: z.string(),
  engine: z.enum(engines),
  status: z.enum(runStatuses),
  iteration: whole,
  max_iterations: whole,
  hold_why: z.string().nullable(),
  question: z.string().nullable(),
  stop_reason: z.enum(stopReasons).nullable(),
  detail: z.string().nullable(),
  running_ms: whole,
  cost_micro_usd: whole,
  tokens: whole,
  tool_calls: whole,
  unpriced_calls: whole,
});

export type RunSummary = Shown & {
  readonly id: RunId;
  /** How it begins. */
  readonly objective: string;
  readonly engine: EngineName;
  readonly status: RunStatus;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly holdWhy: string | null;
  /** The first that it asks; null unless it waits for its user. */
  readonly question: string | null;
  readonly stopReason: StopReason | null;
  readonly detail: string | null;
  readonly spent: Spent;
};

function toSummary(found: unknown): RunSummary {
  const row = summaryRow.parse(found);
  return {
    ...toShown(row),
    id: row.id as RunId,
    objective: row.objective,
    engine: row.engine,
    status: row.status,
    iteration: row.iteration,
    maxIterations: row.max_iterations,
    holdWhy: row.hold_why,
    question: row.question,
    stopReason: row.stop_reason,
    detail: row.detail,
    spent: spentOf(row),
  };
}

type SpentRow = Readonly<Record<"running_ms" | "cost_micro_usd" | "tokens" | "tool_calls" | "unpriced_calls", number>>;

export const spentOf = (row: SpentRow): Spent => ({
  runningMs: row.running_ms,
  costMicroUsd: row.cost_micro_usd,
  tokens: row.tokens,
  toolCalls: row.tool_calls,
  unpricedCalls: row.unpriced_calls,
});

/** Those that wait for their user, are in line or at work, or have ended. */
export type RunGroup = "needs_you" | "active" | "finished";

const statusesIn: Readonly<Record<RunGroup, readonly RunStatus[]>> = {
  needs_you: ["waiting_on_user"],
  active: ["queued", "running"],
  finished: ["completed", "stopped", "failed", "canceled"],
};

export type RunFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly group?: RunGroup | undefined;
  /** A part of the objective; capitals do not matter. Nothing but blanks is nothing. */
  readonly q?: string | undefined;
};

/** Characters of a text in a list: a page of whole ones could be megabytes. */
const textMax = 300;

/** Newest first. */
export async function listRuns(tx: Tx, filter: RunFilter): Promise<Page<RunSummary>> {
  const { limit } = filter;
  const { rows } = await sql<{ id: string; created_at: string }>`
    select s.*, left(s.progress, ${textMax}) as progress from (
    select r.id, left(r.objective, ${textMax}) as objective, r.engine, r.status, r.iteration,
           (r.budgets->>'maxIterations')::int as max_iterations, r.hold->>'why' as hold_why,
           left(r.questions->0->>'text', ${textMax}) as question, r.stop_reason, r.detail,
           r.running_ms, r.cost_micro_usd, r.tokens, r.tool_calls, r.unpriced_calls, r.created_at, r.started_at, r.updated_at, r.ended_at, ${shown}
      from homework_runs r
     where r.user_id = app_user_id() and r.id in (${pageOf(filter)})) as s
     order by s.created_at desc, s.id desc limit ${limit + 1}`.execute(tx);
  return toPage("runs", rows, limit, toSummary, (row) => [row.created_at, row.id]);
}

/** The ids of one page and one more. Each status is read in its own order, so that no more of any is read than is shown. */
function pageOf({ limit, cursor, status, group, q = "" }: RunFilter): RawBuilder<unknown> {
  const before = decodeCursor("runs", "time", cursor);
  const only = statusesOf(status, group);
  const part = q.trim();
  if (part !== "")
    return sql`select app_find_runs(${part}, ${only}::text[], ${before?.[0] ?? null}::timestamptz, ${before?.[1] ?? null}::uuid, ${limit + 1})`;
  const pages = (only ?? [null]).map(
    (one) => sql`(select p.id, p.created_at from homework_runs p where p.user_id = app_user_id()
       and ${one === null ? sql`true` : sql`p.status = ${one}`}
       and ${before ? sql`(p.created_at, p.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : sql`true`}
     order by p.created_at desc, p.id desc limit ${limit + 1})`,
  );
  const none = sql`(select null::uuid as id, null::timestamptz as created_at where false)`;
  return sql`select page.id from (${sql.join(pages.length === 0 ? [none] : pages, sql` union all `)}) as page
     order by page.created_at desc, page.id desc limit ${limit + 1}`;
}

/** Null: of any. */
function statusesOf(status: RunStatus | undefined, group: RunGroup | undefined): readonly RunStatus[] | null {
  if (group === undefined) return status === undefined ? null : [status];
  return statusesIn[group].filter((one) => status === undefined || one === status);
}

const countRows = z.array(z.object({ status: z.enum(runStatuses), count: whole }));

/** Every status is there, also those of none. */
export async function countRuns(tx: Tx): Promise<Readonly<Record<RunStatus, number>>> {
  const { rows } = await sql`
    select status, count(*) from homework_runs where user_id = app_user_id() group by status`.execute(tx);
  const counted = new Map(countRows.parse(rows).map(({ status, count }) => [status, count]));
  const of = (status: RunStatus) => counted.get(status) ?? 0;
  return {
    queued: of("queued"),
    running: of("running"),
    waiting_on_user: of("waiting_on_user"),
    completed: of("completed"),
    stopped: of("stopped"),
    failed: of("failed"),
    canceled: of("canceled"),
  };
}

/** Enough to tell what is usual, and so few that what one did long ago counts no more. */
const estimatedFrom = 50;

const spread = z.tuple([whole, whole]).nullable();
const usualRow = z.object({ runs: whole, cost: spread, iterations: spread, running_ms: spread, tokens: spread });

/** What half of them came to, and nine of ten; null where there were none. */
export type Spread = { readonly p50: number; readonly p90: number };

export type UsualRun = {
  readonly runs: number;
  readonly costMicroUsd: Spread | null;
  readonly iterations: Spread | null;
  readonly runningMs: Spread | null;
  readonly tokens: Spread | null;
};

/** Of the user's last runs that came to their end or to a limit. */
export async function usualRun(tx: Tx): Promise<UsualRun> {
  const last = (status: RunStatus) => sql`(
    select created_at, id, cost_micro_usd, iteration, running_ms, tokens from homework_runs
     where user_id = app_user_id() and status = ${status} order by created_at desc, id desc limit ${estimatedFrom})`;
  const both = (column: string) => sql`percentile_disc(array[0.5, 0.9]) within group (order by l.${sql.ref(column)})`;
  const { rows } = await sql`
    select count(*) as runs, ${both("cost_micro_usd")} as cost, ${both("iteration")} as iterations,
           ${both("running_ms")} as running_ms, ${both("tokens")} as tokens
      from (select * from (${last("completed")} union all ${last("stopped")}) as e
             order by e.created_at desc, e.id desc limit ${estimatedFrom}) as l`.execute(tx);
  const row = usualRow.parse(rows[0]);
  const toSpread = (found: z.infer<typeof spread>) => found && { p50: found[0], p90: found[1] };
  return {
    runs: row.runs,
    costMicroUsd: toSpread(row.cost),
    iterations: toSpread(row.iterations),
    runningMs: toSpread(row.running_ms),
    tokens: toSpread(row.tokens),
  };
}

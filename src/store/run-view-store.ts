// Runs as their user looks at them: lists, one run with its place in line, its iterations and its events. Reads only, in the
// user's transaction: row level security leaves nothing but their own.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Page } from "../domain/entity/entity.ts";
import { type ArtifactRef, emptyPlan, type Plan } from "../domain/plan/plan.ts";
import type { Spent } from "../domain/run/budget.ts";
import { type IterationStatus, iterationStatuses } from "../domain/run/effects.ts";
import type { Report } from "../domain/run/report.ts";
import {
  type EngineName,
  engines,
  type Run,
  type RunId,
  type RunStatus,
  type StopReason,
  stopReasons,
} from "../domain/run/run.ts";
import { decodeCursor, toPage } from "./cursor.ts";
import { reportColumn } from "./run-report-column.ts";
import { artifactColumn, planColumn, runStatuses, toRun } from "./run-row.ts";

const whole = z.coerce.number().int();

/** What lists and pages show beside the run itself. */
const shownColumns = z.object({
  place_in_line: whole.nullable(),
  hold_until: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  updated_at: z.string(),
  ended_at: z.string().nullable(),
});

export type Shown = {
  /** From 1; null unless it waits for a slot. */
  readonly placeInLine: number | null;
  readonly holdUntil: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly updatedAt: string;
  readonly endedAt: string | null;
};

const toShown = (row: z.infer<typeof shownColumns>): Shown => ({
  placeInLine: row.place_in_line,
  holdUntil: row.hold_until,
  createdAt: row.created_at,
  startedAt: row.started_at,
  updatedAt: row.updated_at,
  endedAt: row.ended_at,
});

/** For `select … from homework_runs r`. The line is in the order in which slots are given (run-store.ts). */
const shown: RawBuilder<unknown> = sql`
  case when r.status = 'queued' and not r.has_slot then (
    select count(*) from homework_runs q where q.user_id = r.user_id and q.status = 'queued' and not q.has_slot
       and (q.queued_at, q.id) <= (r.queued_at, r.id)) end as place_in_line,
  to_timestamp((r.hold->>'untilMs')::double precision / 1000) as hold_until`;

const viewColumns = shownColumns.extend({
  last_seq: whole,
  iterations_done: whole,
  report: reportColumn.nullable(),
  workspace_document_id: z.string().nullable(),
  workspace_project_id: z.string().nullable(),
});

export type RunView = Shown & {
  readonly run: Run;
  readonly lastSeq: number;
  /** Iterations that were committed. */
  readonly iterationsDone: number;
  readonly report: Report | null;
  readonly workspace: { readonly documentId: string | null; readonly projectId: string | null };
};

export async function findRunView(tx: Tx, runId: string): Promise<RunView | null> {
  const { rows } = await sql`
    select r.*, run_checks(r.id) as checks, ${shown},
           (select count(*) from homework_run_iterations i where i.run_id = r.id and i.decision is not null) as iterations_done
      from homework_runs r where r.id = ${runId}`.execute(tx);
  const [found] = rows;
  if (found === undefined) return null;
  const row = viewColumns.parse(found);
  return {
    ...toShown(row),
    run: toRun(found),
    lastSeq: row.last_seq,
    iterationsDone: row.iterations_done,
    report: row.report,
    workspace: { documentId: row.workspace_document_id, projectId: row.workspace_project_id },
  };
}

/** The number of the last event; null for a run that is not there, or not theirs. */
export async function lastEventSeq(tx: Tx, runId: string): Promise<number | null> {
  const row = await tx.selectFrom("homework_runs").select("last_seq").where("id", "=", runId).executeTakeFirst();
  return row ? Number(row.last_seq) : null;
}

const summaryRow = shownColumns.extend({
  id: z.string(),
  objective: z.string(),
  engine: z.enum(engines),
  status: z.enum(runStatuses),
  iteration: whole,
  max_iterations: whole,
  hold_why: z.string().nullable(),
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
    stopReason: row.stop_reason,
    detail: row.detail,
    spent: spentOf(row),
  };
}

type SpentRow = Readonly<Record<"running_ms" | "cost_micro_usd" | "tokens" | "tool_calls" | "unpriced_calls", number>>;

const spentOf = (row: SpentRow): Spent => ({
  runningMs: row.running_ms,
  costMicroUsd: row.cost_micro_usd,
  tokens: row.tokens,
  toolCalls: row.tool_calls,
  unpricedCalls: row.unpriced_calls,
});

export type RunFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: RunStatus | undefined;
};

/** Characters of an objective in a list: a page of whole ones could be megabytes. */
const objectiveMax = 300;

/** Newest first. */
export async function listRuns(tx: Tx, { limit, cursor, status }: RunFilter): Promise<Page<RunSummary>> {
  const before = decodeCursor("runs", "time", cursor);
  const { rows } = await sql<{ id: string; created_at: string }>`
    select r.id, left(r.objective, ${objectiveMax}) as objective, r.engine, r.status, r.iteration,
           (r.budgets->>'maxIterations')::int as max_iterations, r.hold->>'why' as hold_why, r.stop_reason, r.detail,
           r.running_ms, r.cost_micro_usd, r.tokens, r.tool_calls, r.unpriced_calls, r.created_at, r.started_at, r.updated_at, r.ended_at, ${shown}
      from homework_runs r
     where r.user_id = app_user_id()
       and ${status === undefined ? sql`true` : sql`r.status = ${status}`}
       and ${before ? sql`(r.created_at, r.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : sql`true`}
     order by r.created_at desc, r.id desc limit ${limit + 1}`.execute(tx);
  return toPage("runs", rows, limit, toSummary, (row) => [row.created_at, row.id]);
}

const metricsColumn = z
  .object({
    running_ms: whole,
    cost_micro_usd: whole,
    tokens: whole,
    tool_calls: whole,
    unpriced_calls: whole.default(0),
  })
  .nullable()
  .catch(null); // Only its beginning is known until it has ended.

const iterationRow = z.object({
  iteration: z.number(),
  attempts: z.number(),
  status: z.enum(iterationStatuses),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  summary: z.string(),
  decision: z.string().nullable(),
  why: z.string().nullable(),
  error: z.string().nullable(),
  metrics: metricsColumn,
  artifacts: z.array(artifactColumn),
});

export type IterationView = {
  readonly iteration: number;
  readonly attempts: number;
  readonly status: IterationStatus;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly summary: string;
  readonly decision: string | null;
  readonly why: string | null;
  readonly error: string | null;
  /** Null until it has ended. */
  readonly spent: Spent | null;
  readonly artifacts: readonly ArtifactRef[];
};

function toIteration(found: unknown): IterationView {
  const { started_at: startedAt, ended_at: endedAt, metrics, ...row } = iterationRow.parse(found);
  return { ...row, startedAt, endedAt, spent: metrics && spentOf(metrics) };
}

const iterationColumns = [
  "iteration",
  "attempts",
  "status",
  "started_at",
  "ended_at",
  "summary",
  "decision",
  "why",
  "error",
  "metrics",
  "artifacts",
] as const;

/** Newest first. */
export async function listIterations(
  tx: Tx,
  runId: string,
  { limit, cursor }: Omit<RunFilter, "status">,
): Promise<Page<IterationView>> {
  const before = decodeCursor("iterations", "number", cursor);
  let query = tx
    .selectFrom("homework_run_iterations")
    .select([...iterationColumns])
    .where("run_id", "=", runId)
    .orderBy("iteration", "desc")
    .limit(limit + 1);
  if (before) query = query.where("iteration", "<", before[0]);
  return toPage("iterations", await query.execute(), limit, toIteration, (row) => [row.iteration]);
}

/** The plan as it was after an iteration; without a number, after the last one that ended. Null: no such iteration. */
export async function planAfter(
  tx: Tx,
  runId: string,
  iteration: number | undefined,
): Promise<{ readonly iteration: number; readonly plan: Plan } | null> {
  let query = tx
    .selectFrom("homework_run_iterations")
    .select(["iteration", "plan"])
    .where("run_id", "=", runId)
    .where("decision", "is not", null)
    .orderBy("iteration", "desc")
    .limit(1);
  if (iteration !== undefined) query = query.where("iteration", "=", iteration);
  const row = await query.executeTakeFirst();
  return row ? { iteration: row.iteration, plan: planColumn.nullable().parse(row.plan) ?? emptyPlan } : null;
}

const eventRow = z.object({
  seq: whole,
  type: z.string(),
  iteration: z.number().nullable(),
  event: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});

export type EventView = {
  readonly seq: number;
  readonly type: string;
  readonly iteration: number | null;
  readonly event: Readonly<Record<string, unknown>>;
  readonly at: string;
};

/** Oldest first: everything after `seq`, at most `limit`. */
export async function eventsAfter(tx: Tx, runId: string, seq: number, limit: number): Promise<readonly EventView[]> {
  const rows = await tx
    .selectFrom("homework_run_events")
    .select(["seq", "type", "iteration", "event", "created_at"])
    .where("run_id", "=", runId)
    .where("seq", ">", String(seq))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return z
    .array(eventRow)
    .parse(rows)
    .map(({ created_at: at, ...event }) => ({ ...event, at }));
}

// What HOMЯ saw and did, as the owner of the outcome looks at it. Reads only, in the owner's transaction.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { observationResult } from "../../domain/homr/observe/observation.ts";
import { activityTypes } from "../../domain/homr/outcome-state.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { objectColumn, rowOf, whole } from "../row.ts";

const { drift, issues, discoveries, decisions, ambiguity, quality } = observationResult.shape;

const observationRow = rowOf({
  id: z.string(),
  outcomeId: z.string(),
  taskId: z.string(),
  taskNumber: z.number(),
  attempt: z.number(),
  hasSucceeded: z.boolean(),
  observedBy: z.enum(["model", "rules"]),
  onTrack: z.boolean(),
  alignmentScore: z.number(),
  quality,
  drift,
  issues,
  discoveries,
  decisions,
  ambiguity,
  summary: z.string(),
  isTainted: z.boolean(),
  createdAt: z.string(),
});
export type ObservationView = z.infer<typeof observationRow>;

const selectObservations = sql`
  select v.*, t.number as task_number from homr_observations v join outcome_tasks t on t.id = v.task_id`;

/** Newest first. */
export async function listObservations(
  tx: Tx,
  outcomeId: string,
  { limit, cursor, task_id: taskId }: PageQuery & { readonly task_id?: string | undefined },
): Promise<Page<ObservationView>> {
  const before = decodeCursor("observations", "time", cursor);
  const { rows } = await sql`
    ${selectObservations} where v.outcome_id = ${outcomeId} and ${isPast(before, "v.created_at", "v.id")}
       and ${taskId === undefined ? sql`true` : sql`v.task_id = ${taskId}`}
     order by v.created_at desc, v.id desc limit ${limit + 1}`.execute(tx);
  return toPage("observations", z.array(observationRow).parse(rows), limit, ({ createdAt, id }) => [createdAt, id]);
}

export async function findObservation(tx: Tx, outcomeId: string, id: string): Promise<ObservationView | null> {
  const { rows } = await sql`${selectObservations} where v.outcome_id = ${outcomeId} and v.id = ${id}`.execute(tx);
  return rows[0] === undefined ? null : observationRow.parse(rows[0]);
}

const activityRow = rowOf({
  seq: whole,
  type: z.enum(activityTypes),
  taskId: z.string().nullable(),
  taskNumber: z.number().nullable(),
  cause: z.looseObject({ kind: z.string() }),
  summary: z.string(),
  details: objectColumn,
  createdAt: z.string(),
});
export type ActivityView = z.infer<typeof activityRow>;

export type ActivityFilter = PageQuery & {
  readonly type?: ActivityView["type"] | undefined;
  readonly task_id?: string | undefined;
};

/** Newest first. */
export async function listActivity(tx: Tx, outcomeId: string, filter: ActivityFilter): Promise<Page<ActivityView>> {
  const { limit, cursor, type, task_id: taskId } = filter;
  const before = decodeCursor("activity", "number", cursor);
  const { rows } = await sql`
    select l.seq, l.type, l.task_id, t.number as task_number, l.cause, l.summary, l.details, l.created_at
      from homr_activity_log l left join outcome_tasks t on t.id = l.task_id
     where l.outcome_id = ${outcomeId} and ${before === null ? sql`true` : sql`l.seq < ${before[0]}`}
       and ${type === undefined ? sql`true` : sql`l.type = ${type}`}
       and ${taskId === undefined ? sql`true` : sql`l.task_id = ${taskId}`}
     order by l.seq desc limit ${limit + 1}`.execute(tx);
  return toPage("activity", z.array(activityRow).parse(rows), limit, ({ seq }) => [seq]);
}

const reviewRow = rowOf({
  cycle: z.number(),
  isClean: z.boolean(),
  summary: z.string(),
  findings: z.array(z.unknown()),
  taskId: z.string().nullable(),
  createdAt: z.string(),
});
export type ReviewView = z.infer<typeof reviewRow>;

/** Newest first. */
export async function listReviews(tx: Tx, outcomeId: string, page: PageQuery): Promise<Page<ReviewView>> {
  const before = decodeCursor("reviews", "number", page.cursor);
  const { rows } = await sql`
    select cycle, is_clean, summary, findings, task_id, created_at from homr_reviews
     where outcome_id = ${outcomeId} and ${before === null ? sql`true` : sql`cycle < ${before[0]}`}
     order by cycle desc limit ${page.limit + 1}`.execute(tx);
  return toPage("reviews", z.array(reviewRow).parse(rows), page.limit, ({ cycle }) => [cycle]);
}

const receiptColumns = {
  runId: z.string(),
  iteration: z.number(),
  taskId: z.string().nullable(),
  taskNumber: z.number().nullable(),
  at: z.string(),
};
const receiptRow = rowOf(receiptColumns);
export type ReceiptView = z.infer<typeof receiptRow>;

const receiptSql = sql`
  b.run_id, b.iteration, t.id as task_id, t.number as task_number, b.created_at as at`;
/** Only prompts of runs on tasks of this outcome. */
const fromBriefs = (outcomeId: string) => sql`
  from homr_briefs b join outcome_task_attempts a on a.run_id = b.run_id
       join outcome_tasks t on t.id = a.task_id and t.outcome_id = ${outcomeId}`;

/** Which prompts carried an item, newest first. */
export async function listReceipts(
  tx: Tx,
  outcomeId: string,
  itemId: string,
  page: PageQuery,
): Promise<Page<ReceiptView>> {
  const before = decodeCursor("receipts", "time", page.cursor);
  const { rows } = await sql`
    select ${receiptSql} ${fromBriefs(outcomeId)}
     where b.items @> array[${itemId}::uuid] and ${isPast(before, "b.created_at", "b.run_id")}
     order by b.created_at desc, b.run_id desc limit ${page.limit + 1}`.execute(tx);
  return toPage("receipts", z.array(receiptRow).parse(rows), page.limit, ({ at, runId }) => [at, runId]);
}

const briefColumns = { ...receiptColumns, attempt: z.number(), items: z.array(z.string()) };
const briefSummaryRow = rowOf(briefColumns);
export type BriefSummaryView = z.infer<typeof briefSummaryRow>;
const briefRow = rowOf({ ...briefColumns, text: z.string() });
export type BriefView = z.infer<typeof briefRow>;

/** Newest first. */
export async function listBriefs(
  tx: Tx,
  outcomeId: string,
  { limit, cursor, task_id: taskId }: PageQuery & { readonly task_id?: string | undefined },
): Promise<Page<BriefSummaryView>> {
  const before = decodeCursor("briefs", "time", cursor);
  const { rows } = await sql`
    select ${receiptSql}, a.attempt, b.items ${fromBriefs(outcomeId)}
     where ${isPast(before, "b.created_at", "b.run_id")}
       and ${taskId === undefined ? sql`true` : sql`t.id = ${taskId}`}
     order by b.created_at desc, b.run_id desc limit ${limit + 1}`.execute(tx);
  return toPage("briefs", z.array(briefSummaryRow).parse(rows), limit, ({ at, runId }) => [at, runId]);
}

export async function findBrief(
  tx: Tx,
  outcomeId: string,
  runId: string,
  iteration: number,
): Promise<BriefView | null> {
  const { rows } = await sql`
    select ${receiptSql}, a.attempt, b.text, b.items ${fromBriefs(outcomeId)}
     where b.run_id = ${runId} and b.iteration = ${iteration}`.execute(tx);
  return rows[0] === undefined ? null : briefRow.parse(rows[0]);
}

/** How many prompts carried each of these items. */
export async function countReceipts(tx: Tx, itemIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ item: string; prompts: string }>`
    select item, count(*) as prompts from homr_briefs b, unnest(b.items) as item
     where b.items && ${[...itemIds]}::uuid[] and item = any (${[...itemIds]}::uuid[]) group by item`.execute(tx);
  return new Map(rows.map(({ item, prompts }) => [item, Number(prompts)]));
}

// One run as its user looks at it: as it stands, what it is at, its iterations and its events. Reads only, in the user's
// transaction: row level security leaves nothing but their own. Lists are in run-list-store.ts.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Page } from "../domain/entity/entity.ts";
import { type ArtifactRef, emptyPlan, type Plan } from "../domain/plan/plan.ts";
import type { Spent } from "../domain/run/budget.ts";
import { type IterationStatus, iterationStatuses } from "../domain/run/effects.ts";
import { type Report, report } from "../domain/run/report-shape.ts";
import type { Run } from "../domain/run/run.ts";
import { decodeCursor, toPage } from "./cursor.ts";
import { type Receipt, readReceipts } from "./message-store.ts";
import { type RunFilter, type Shown, shown, shownColumns, spentOf, toShown } from "./run-list-store.ts";
import { artifactColumn, planColumn, toRun } from "./run-row.ts";

const whole = z.coerce.number().int();

const activityColumns = z.object({
  worked_on: whole.nullable(),
  worked_attempts: whole.nullable(),
  attempt_began: z.string().nullable(),
  last_steps: z.array(z.object({ key: z.string(), summary: z.string(), lane: z.string(), isFailed: z.boolean() })),
  step_count: whole,
  is_claimed: z.boolean(),
});

const messageColumn = z.object({
  id: z.string(),
  kind: z.enum(["steer", "answer"]),
  text: z.string(),
  /** As JSON has times; the wire's are the same moment. */
  at: z.string(),
  taken_up_in: whole.nullable(),
});

const viewColumns = shownColumns.extend({
  last_seq: whole,
  iterations_done: whole,
  report: report.nullable(),
  workspace_document_id: z.string().nullable(),
  workspace_project_id: z.string().nullable(),
  messages: z.array(messageColumn),
  ...activityColumns.shape,
});

/** The iteration in flight, or the last one that began. */
export type Activity = {
  /** Null before the first. */
  readonly iteration: number | null;
  readonly attempt: number;
  /** When the attempt in flight began; null between two of them. */
  readonly since: string | null;
  /** The last ones, without the platform's own notes. */
  readonly steps: readonly z.infer<typeof activityColumns>["last_steps"][number][];
  readonly stepCount: number;
};

export type Message = {
  readonly id: string;
  readonly kind: "steer" | "answer";
  readonly text: string;
  readonly at: string;
  readonly takenUpIn: number | null;
  /** The model calls whose prompts contained it; null before the first. */
  readonly prompts: Receipt | null;
};

export type RunView = Shown & {
  readonly run: Run;
  readonly lastSeq: number;
  /** Iterations that were committed. */
  readonly iterationsDone: number;
  readonly report: Report | null;
  readonly workspace: { readonly documentId: string | null; readonly projectId: string | null };
  readonly activity: Activity;
  /** The last ones of the user's, oldest first. */
  readonly messages: readonly Message[];
};

/** More than a screen shows; as many as a view keeps (src/protocol/run-view.ts). */
const shownMax = 20;

/** One statement, so that all of it is of the moment that `lastSeq` names; receipts, which no event tells of, may be newer. */
export async function findRunView(tx: Tx, runId: string): Promise<RunView | null> {
  const { rows } = await sql`
    select r.*, ${shown}, r.claimed_at is not null as is_claimed,
           (select count(*) from homework_run_iterations i where i.run_id = r.id and i.decision is not null) as iterations_done,
           coalesce((select json_agg(json_build_object('id', k.check_id, 'deliverableId', k.deliverable_id, 'target', k.target,
             'givenBy', k.given_by, 'proof', k.proof) order by k.position) from homework_run_checks k where k.run_id = r.id), '[]') as checks,
           w.iteration as worked_on, w.attempts as worked_attempts,
           (select e.created_at from homework_run_events e where e.run_id = r.id and e.seq >= coalesce(w.first_seq, 0)
               and e.type = 'iteration_started' order by e.seq desc limit 1) as attempt_began,
           (select count(*) ${stepsOfLast}) as step_count,
           coalesce((select json_agg(json_build_object('key', s.event->>'step', 'summary', s.event->>'summary',
                'lane', coalesce(s.event->>'lane', 'planner'), 'isFailed', coalesce((s.event->>'is_failed')::boolean, false)) order by s.seq)
              from (select e.seq, e.event ${stepsOfLast} order by e.seq desc limit ${shownMax}) as s), '[]') as last_steps,
           coalesce((select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'text', m.text, 'at', m.created_at::timestamptz(3),
                'taken_up_in', m.consumed_iteration) order by m.created_at, m.id)
              from (select * from homework_run_signals g where g.run_id = r.id
                     order by g.created_at desc, g.id desc limit ${shownMax}) as m), '[]') as messages
      from homework_runs r left join lateral (
        select i.iteration, i.attempts, i.first_seq from homework_run_iterations i where i.run_id = r.id
         order by i.iteration desc limit 1) as w on true
     where r.id = ${runId}`.execute(tx);
  const [found] = rows;
  if (found === undefined) return null;
  const row = viewColumns.parse(found);
  const receipts = row.messages.length === 0 ? new Map<string, Receipt>() : await readReceipts(tx, runId);
  return {
    ...toShown(row),
    run: toRun(found),
    lastSeq: row.last_seq,
    iterationsDone: row.iterations_done,
    report: row.report,
    workspace: { documentId: row.workspace_document_id, projectId: row.workspace_project_id },
    activity: toActivity(row),
    messages: row.messages.map(({ taken_up_in: takenUpIn, ...message }) => {
      return { ...message, takenUpIn, prompts: receipts.get(message.id) ?? null };
    }),
  };
}

/** Of the iteration `w`. They come after the event it began with. */
const stepsOfLast = sql`from homework_run_events e where e.run_id = r.id and e.seq >= coalesce(w.first_seq, 0)
   and e.iteration = w.iteration and e.type = 'step_recorded' and not coalesce((e.event->>'is_bookkeeping')::boolean, false)`;

const toActivity = (row: z.infer<typeof activityColumns>): Activity => ({
  iteration: row.worked_on,
  attempt: row.worked_attempts ?? 1,
  since: row.is_claimed ? row.attempt_began : null,
  steps: row.last_steps,
  stepCount: row.step_count,
});

/** The number of the last event; null for a run that is not there, or not theirs. */
export async function lastEventSeq(tx: Tx, runId: string): Promise<number | null> {
  const row = await tx.selectFrom("homework_runs").select("last_seq").where("id", "=", runId).executeTakeFirst();
  return row ? Number(row.last_seq) : null;
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
  /** Rows of older versions do not say what was done to each. */
  artifacts: z.array(artifactColumn.extend({ op: z.enum(["created", "updated"]).nullable().default(null) })),
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
  readonly artifacts: readonly (ArtifactRef & { readonly op: "created" | "updated" | null })[];
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
  { limit, cursor, before: limitedTo }: Omit<RunFilter, "status"> & { readonly before?: number | undefined },
): Promise<Page<IterationView>> {
  const before = decodeCursor("iterations", "number", cursor) ?? (limitedTo === undefined ? null : [limitedTo]);
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
  event: z.looseObject({ type: z.string() }),
  created_at: z.string(),
});

export type EventView = {
  readonly runId: string;
  readonly seq: number;
  readonly type: string;
  readonly iteration: number | null;
  /** As it was committed (src/domain/run/events.ts). */
  readonly event: { readonly type: string; readonly [field: string]: unknown };
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
    .map(({ created_at: at, ...event }) => ({ runId, ...event, at }));
}

// One run as its user looks at it: as it stands, what it is at, its iterations and its events. Reads only, in the user's
// transaction: row level security leaves nothing but their own. Lists are in run-list-store.ts.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { emptyPlan } from "../../domain/plan/plan.ts";
import type { ForkPoint } from "../../domain/run/fork.ts";
import { iterationStatuses } from "../../domain/run/iteration-result.ts";
import { report } from "../../domain/run/report/report-shape.ts";
import type { Run } from "../../domain/run/run.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { rowOf, whole } from "../row.ts";
import { leasedMs, lostMs } from "../run/leased-time.ts";
import { artifactColumn, checkFields, deliverableColumn, planColumn, spentColumns, toRun } from "../run/run-row.ts";
import { type Receipt, readReceipts } from "./message-store.ts";
import { type Shown, shown, shownColumns } from "./run-list-store.ts";

const messageColumn = z.object({
  id: z.string(),
  kind: z.enum(["steer", "answer"]),
  text: z.string(),
  /** As JSON has times; the wire's are the same moment. */
  at: z.string(),
  takenUpIn: whole.nullable(),
});

/** `prompts`: the model calls whose prompts contained it; null before the first. */
export type Message = Readonly<z.infer<typeof messageColumn>> & { readonly prompts: Receipt | null };

const viewRow = rowOf({
  ...shownColumns,
  lastSeq: whole,
  /** Iterations that were committed. */
  iterationsDone: whole,
  report: report.nullable(),
  workspaceDocumentId: z.string().nullable(),
  workspaceProjectId: z.string().nullable(),
  messages: z.array(messageColumn),
  /** The iteration in flight, or the last one that began; null before the first. */
  workedOn: whole.nullable(),
  attempt: whole,
  /** When the attempt in flight began, later by what it has lost with models; null between two of them. */
  since: z.string().nullable(),
  /** Its running time until now. */
  activeMs: z.number().nullable(),
  /** The last ones, without the platform's own notes. */
  entries: z.array(z.object({ key: z.string(), summary: z.string(), lane: z.string(), isFailed: z.boolean() })),
  entryCount: whole,
});
type ViewRow = z.infer<typeof viewRow>;

export type Activity = Pick<ViewRow, "attempt" | "since" | "activeMs" | "entries" | "entryCount"> & {
  readonly iteration: ViewRow["workedOn"];
};

export type RunView = Shown &
  Pick<ViewRow, "lastSeq" | "iterationsDone" | "report"> & {
    readonly run: Run;
    readonly workspace: { readonly documentId: string | null; readonly projectId: string | null };
    readonly activity: Activity;
    /** The last ones of the user's, oldest first. */
    readonly messages: readonly Message[];
  };

/** More than a screen shows; as many as a view keeps (src/protocol/run-view.ts). */
const shownMax = 20;

/** One statement, so that all of it is of the moment that `lastSeq` names; receipts, which no event tells of, may be newer. */
export async function findRunView(tx: Tx, runId: string): Promise<RunView | null> {
  const { rows } = await sql<object>`
    select r.*, ${shown},
           (select count(*) from homework_run_iterations i where i.run_id = r.id and i.decision is not null) as iterations_done,
           coalesce((select json_agg(json_build_object('id', k.check_id, 'deliverableId', k.deliverable_id, 'target', k.target,
             'givenBy', k.given_by, 'proof', k.proof) order by k.position) from homework_run_checks k where k.run_id = r.id), '[]') as checks,
           w.iteration as worked_on, coalesce(w.attempts, 1) as attempt,
           case when r.leased_at is not null then (
             select e.created_at + make_interval(secs => (${sql.raw(lostMs)})::float8 / 1000)
               from homework_run_events e where e.run_id = r.id and e.seq >= coalesce(w.first_seq, 0)
                and e.type = 'iteration_started' order by e.seq desc limit 1) end as since,
           case when r.leased_at is not null then (${sql.raw(leasedMs)})::float8 end as active_ms,
           (select count(*) ${entriesOfLast}) as entry_count,
           coalesce((select json_agg(json_build_object('key', s.event->>'entry', 'summary', s.event->>'summary',
                'lane', coalesce(s.event->>'lane', 'planner'), 'isFailed', coalesce((s.event->>'is_failed')::boolean, false)) order by s.seq)
              from (select e.seq, e.event ${entriesOfLast} order by e.seq desc limit ${shownMax}) as s), '[]') as entries,
           coalesce((select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'text', m.text, 'at', m.created_at::timestamptz(3),
                'takenUpIn', m.consumed_iteration) order by m.created_at, m.id)
              from (select * from homework_run_messages g where g.run_id = r.id
                     order by g.created_at desc, g.id desc limit ${shownMax}) as m), '[]') as messages
      from homework_runs r left join lateral (
        select i.iteration, i.attempts, i.first_seq from homework_run_iterations i where i.run_id = r.id
         order by i.iteration desc limit 1) as w on true
     where r.id = ${runId}`.execute(tx);
  const [found] = rows;
  if (found === undefined) return null;
  const {
    workspaceDocumentId,
    workspaceProjectId,
    messages,
    workedOn,
    attempt,
    since,
    activeMs,
    entries,
    entryCount,
    ...row
  } = viewRow.parse(found);
  const receipts = messages.length === 0 ? new Map<string, Receipt>() : await readReceipts(tx, runId);
  return {
    ...row,
    run: toRun(found),
    workspace: { documentId: workspaceDocumentId, projectId: workspaceProjectId },
    activity: { iteration: workedOn, attempt, since, activeMs, entries, entryCount },
    messages: messages.map((message) => ({ ...message, prompts: receipts.get(message.id) ?? null })),
  };
}

/** Of the iteration `w`. They come after the event it began with. */
const entriesOfLast = sql`from homework_run_events e where e.run_id = r.id and e.seq >= coalesce(w.first_seq, 0)
   and e.iteration = w.iteration and e.type = 'entry_recorded' and not coalesce((e.event->>'is_bookkeeping')::boolean, false)`;

/** The number of the last event; null for a run that is not there, or not theirs. */
export async function lastEventSeq(tx: Tx, runId: string): Promise<number | null> {
  const row = await tx.selectFrom("homework_runs").select("last_seq").where("id", "=", runId).executeTakeFirst();
  return row ? Number(row.last_seq) : null;
}

const iterationRow = rowOf({
  iteration: z.number(),
  attempts: z.number(),
  status: z.enum(iterationStatuses),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  summary: z.string(),
  decision: z.string().nullable(),
  why: z.string().nullable(),
  error: z.string().nullable(),
  /** Null until it has ended: before that only its beginning is known. */
  spent: rowOf({ ...spentColumns.shape, unpricedCalls: whole.default(0) })
    .nullable()
    .catch(null),
  /** Rows of older versions do not say what was done to each. */
  artifacts: z.array(artifactColumn.extend({ op: z.enum(["created", "updated"]).nullable().default(null) })),
});
export type IterationView = z.infer<typeof iterationRow>;

/** Newest first. */
export async function listIterations(
  tx: Tx,
  runId: string,
  { limit, cursor, before: limitedTo }: PageQuery & { readonly before?: number | undefined },
): Promise<Page<IterationView>> {
  const before = decodeCursor("iterations", "number", cursor) ?? (limitedTo === undefined ? null : [limitedTo]);
  const { rows } = await sql`
    select iteration, attempts, status, started_at, ended_at, summary, decision, why, error, metrics as spent, artifacts
      from homework_run_iterations
     where run_id = ${runId} and (${before?.[0] ?? null}::int is null or iteration < ${before?.[0] ?? null}::int)
     order by iteration desc limit ${limit + 1}`.execute(tx);
  return toPage("iterations", z.array(iterationRow).parse(rows), limit, ({ iteration }) => [iteration]);
}

const promisedColumns = z.object({ deliverables: z.array(deliverableColumn), checks: z.array(checkFields) });

/** As it was after an iteration; without a number, after the last one that ended. Null: no such iteration. */
export async function readForkPoint(tx: Tx, runId: string, iteration: number | undefined): Promise<ForkPoint | null> {
  let query = tx
    .selectFrom("homework_run_iterations")
    .select(["iteration", "plan", "deliverables", "checks"])
    .where("run_id", "=", runId)
    .where("decision", "is not", null)
    .orderBy("iteration", "desc")
    .limit(1);
  if (iteration !== undefined) query = query.where("iteration", "=", iteration);
  const row = await query.executeTakeFirst();
  if (row === undefined) return null;
  const { deliverables, checks } = row;
  return {
    iteration: row.iteration,
    plan: planColumn.nullable().parse(row.plan) ?? emptyPlan,
    promised: deliverables === null || checks === null ? null : promisedColumns.parse({ deliverables, checks }),
  };
}

const eventRow = rowOf({
  runId: z.string(),
  seq: whole,
  type: z.string(),
  iteration: z.number().nullable(),
  /** As it was committed (src/domain/run/events.ts). */
  event: z.looseObject({ type: z.string() }),
  at: z.string(),
});
export type EventView = z.infer<typeof eventRow>;

/** Oldest first: everything after `seq`, at most `limit`. */
export async function eventsAfter(tx: Tx, runId: string, seq: number, limit: number): Promise<readonly EventView[]> {
  const rows = await tx
    .selectFrom("homework_run_events")
    .select(["run_id", "seq", "type", "iteration", "event", "created_at as at"])
    .where("run_id", "=", runId)
    .where("seq", ">", String(seq))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return z.array(eventRow).parse(rows);
}

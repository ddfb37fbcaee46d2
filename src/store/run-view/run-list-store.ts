// A user's runs as lists show them: pages of them by status and by a part of their objective, how many there are, and what the
// last ones came to. Reads only, in the user's transaction. What lists show of a run is here for the page of one run too.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { nameObjective } from "../../domain/run/report/notification.ts";
import { engines, type RunId, type RunStatus, runStatuses } from "../../domain/run/run.ts";
import { stopReasons } from "../../domain/run/stop-reason.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { silencesColumn, silencesOfRun } from "../journal/silence-store.ts";
import { idColumn, rowOf, whole } from "../row.ts";
import { spentColumns } from "../run/run-row.ts";

/** What lists and pages show beside the run itself. */
export const shownColumns = {
  /** From 1; null unless it waits for a slot. */
  placeInLine: whole.nullable(),
  holdUntil: z.string().nullable(),
  /** Calls of models that are under way and not answered, the longest first. */
  silences: silencesColumn,
  /** How its last iteration summed itself up; null before one has ended. */
  progress: z.string().nullable(),
  /** When the platform last looked. */
  greenChecks: whole,
  allChecks: whole,
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
  /** That of its user's own; null: how the objective begins (`titleOf`). */
  title: z.string().nullable(),
  /** By kind, from its report; empty before there is one. */
  made: z
    .array(z.object({ type: z.string(), created: whole, updated: whole }))
    .nullable()
    .transform((made) => made ?? []),
  isUndone: z.boolean(),
  isArchived: z.boolean(),
};

export const titleOf = (title: string | null, objective: string): string => title ?? nameObjective(objective);

const shownRow = z.object(shownColumns).readonly();
export type Shown = z.infer<typeof shownRow>;

/** A run that goes on is not put away, whatever was said while it rested. */
function isArchived(run: "r" | "p"): RawBuilder<unknown> {
  return sql`(${sql.ref(`${run}.archived_at`)} is not null and ${sql.ref(`${run}.ended_at`)} is not null)`;
}

/** For `select … from homework_runs r`. The line is in the order in which slots are given (run-store.ts). */
export const shown: RawBuilder<unknown> = sql`
  r.undone_at is not null as is_undone, ${isArchived("r")} as is_archived,
  case when r.status = 'queued' and not r.has_slot then (
    select count(*) from homework_runs q where q.user_id = r.user_id and q.status = 'queued' and not q.has_slot
       and (q.queued_at, q.id) <= (r.queued_at, r.id)) end as place_in_line,
  ${sql.raw(silencesOfRun)} as silences,
  to_timestamp((r.hold->>'untilMs')::double precision / 1000) as hold_until,
  (select i.summary from homework_run_iterations i where i.run_id = r.id and i.decision is not null
    order by i.iteration desc limit 1) as progress,
  (select count(*) from homework_run_checks k where k.run_id = r.id) as all_checks,
  (select count(*) from homework_run_checks k where k.run_id = r.id and (k.proof->>'isGreen')::boolean) as green_checks`;

const summaryRow = rowOf({
  ...shownColumns,
  id: idColumn<RunId>(),
  /** How it begins. */
  objective: z.string(),
  engine: z.enum(engines),
  status: z.enum(runStatuses),
  iteration: whole,
  maxIterations: whole,
  holdWhy: z.string().nullable(),
  /** The first that it asks; null unless it waits for its user. */
  question: z.string().nullable(),
  stopReason: z.enum(stopReasons).nullable(),
  detail: z.string().nullable(),
  /** Its user was told of it, and has not looked yet. */
  isUnread: z.boolean(),
  spent: rowOf(spentColumns.shape),
});
export type RunSummary = z.infer<typeof summaryRow>;

/** Those that wait for their user, are in line or at work, or have ended. */
export type RunGroup = "needs_you" | "active" | "finished";

const statusesIn: Readonly<Record<RunGroup, readonly RunStatus[]>> = {
  needs_you: ["waiting_on_user"],
  active: ["queued", "running"],
  finished: ["completed", "stopped", "failed", "canceled"],
};

export type RunFilter = PageQuery & {
  readonly status?: RunStatus | undefined;
  readonly group?: RunGroup | undefined;
  /** A part of the objective; capitals do not matter. Nothing but blanks is nothing. */
  readonly q?: string | undefined;
  /** Left out: without those that were put away; a search finds these, too. */
  readonly archived?: "no" | "only" | "all" | undefined;
  /** Only those that ended at this moment or later, or before it. */
  readonly endedSince?: string | undefined;
  readonly endedBefore?: string | undefined;
  /** Only those that may work in this project, and the one that made it. */
  readonly projectId?: string | undefined;
};

/** Characters of a text in a list: a page of whole ones could be megabytes. */
const textMax = 300;

/** Newest first. */
export async function listRuns(tx: Tx, filter: RunFilter): Promise<Page<RunSummary>> {
  const { limit } = filter;
  const { rows } = await sql`
    select s.*, left(s.progress, ${textMax}) as progress from (
    select r.id, left(r.objective, ${textMax}) as objective, r.engine, r.status, r.iteration,
           (r.budgets->>'maxIterations')::int as max_iterations, r.hold->>'why' as hold_why,
           left(r.questions->0->>'text', ${textMax}) as question, r.stop_reason, r.detail, r.title, r.made,
           exists (select from user_notifications n where n.user_id = r.user_id and n.about = 'run:' || r.id and n.read_at is null) as is_unread,
           json_build_object('running_ms', r.running_ms, 'cost_micro_usd', r.cost_micro_usd, 'tokens', r.tokens,
             'tool_calls', r.tool_calls, 'unpriced_calls', r.unpriced_calls) as spent, r.created_at, r.started_at, r.updated_at, r.ended_at, ${shown}
      from homework_runs r
     where r.user_id = app_user_id() and r.id in (${pageOf(filter)})) as s
     order by s.created_at desc, s.id desc limit ${limit + 1}`.execute(tx);
  return toPage("runs", z.array(summaryRow).parse(rows), limit, ({ createdAt, id }) => [createdAt, id]);
}

/** The ids of one page and one more. Each status is read in its own order, so that no more of any is read than is shown. */
function pageOf(filter: RunFilter): RawBuilder<unknown> {
  const { limit, cursor, status, group, q = "" } = filter;
  const before = decodeCursor("runs", "time", cursor);
  const only = statusesOf(status, group);
  const part = q.trim();
  if (part !== "")
    return sql`select app_find_runs(${part}, ${only}::text[], ${before?.[0] ?? null}::timestamptz, ${before?.[1] ?? null}::uuid, ${limit + 1})`;
  const pages = (only ?? [null]).map(
    (one) => sql`(select p.id, p.created_at from homework_runs p where p.user_id = app_user_id()
       and ${one === null ? sql`true` : sql`p.status = ${one}`} and ${narrowed(filter)}
       and ${isPast(before, "p.created_at", "p.id")}
     order by p.created_at desc, p.id desc limit ${limit + 1})`,
  );
  const none = sql`(select null::uuid as id, null::timestamptz as created_at where false)`;
  return sql`select page.id from (${sql.join(pages.length === 0 ? [none] : pages, sql` union all `)}) as page
     order by page.created_at desc, page.id desc limit ${limit + 1}`;
}

/** Few have ended of late, so these are looked up by that; most have not been put away, so these are passed over. */
function narrowed({ archived = "no", endedSince, endedBefore, projectId }: RunFilter): RawBuilder<unknown> {
  const wanted = [
    archived === "all" ? null : archived === "only" ? isArchived("p") : sql`not ${isArchived("p")}`,
    endedSince === undefined
      ? null
      : sql`p.id = any (array(select e.id from homework_runs e
       where e.user_id = app_user_id() and e.ended_at >= ${endedSince}::timestamptz order by e.ended_at desc limit ${recentMax}))`,
    endedBefore === undefined ? null : sql`p.ended_at < ${endedBefore}::timestamptz`,
    projectId === undefined
      ? null
      : sql`(p.project_ids @> array[${projectId}::uuid]
       or p.id = (select o.created_by_run from onto_projects o where o.id = ${projectId}))`,
  ].filter((each) => each !== null);
  return wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `);
}

/** More than anyone catches up on at once; older ones stand among those of before. */
const recentMax = 500;

/** Null: of any. */
function statusesOf(status: RunStatus | undefined, group: RunGroup | undefined): readonly RunStatus[] | null {
  if (group === undefined) return status === undefined ? null : [status];
  return statusesIn[group].filter((one) => status === undefined || one === status);
}

const countRows = z.array(z.object({ status: z.enum(runStatuses), count: whole }));

/** Every status is there, also those of none. Without those that were put away. */
export async function countRuns(tx: Tx): Promise<Readonly<Record<RunStatus, number>>> {
  const { rows } = await sql`
    select r.status, count(*) from homework_runs r
     where r.user_id = app_user_id() and not ${isArchived("r")} group by r.status`.execute(tx);
  const counted = new Map(countRows.parse(rows).map(({ status, count }) => [status, count]));
  const all = Object.fromEntries(runStatuses.map((status) => [status, counted.get(status) ?? 0]));
  return all as Record<RunStatus, number>;
}

/** Enough to tell what is usual, and so few that what one did long ago counts no more. */
const estimatedFrom = 50;

/** What half of them came to, and nine of ten; null where there were none. */
const spread = z
  .tuple([whole, whole])
  .transform(([p50, p90]) => ({ p50, p90 }))
  .nullable();
const usualRow = rowOf({ runs: whole, costMicroUsd: spread, iterations: spread, runningMs: spread, tokens: spread });

/** Of the user's last runs that came to their end or to a limit. */
export async function usualRun(tx: Tx): Promise<z.infer<typeof usualRow>> {
  const last = (status: RunStatus) => sql`(
    select created_at, id, cost_micro_usd, iteration, running_ms, tokens from homework_runs
     where user_id = app_user_id() and status = ${status} order by created_at desc, id desc limit ${estimatedFrom})`;
  const both = (column: string) => sql`percentile_disc(array[0.5, 0.9]) within group (order by l.${sql.ref(column)})`;
  const { rows } = await sql`
    select count(*) as runs, ${both("cost_micro_usd")} as cost_micro_usd, ${both("iteration")} as iterations,
           ${both("running_ms")} as running_ms, ${both("tokens")} as tokens
      from (select * from (${last("completed")} union all ${last("stopped")}) as e
             order by e.created_at desc, e.id desc limit ${estimatedFrom}) as l`.execute(tx);
  return usualRow.parse(rows[0]);
}

// What a planner is shown of its run beside the run itself: what the last iterations said, what the run has made, and the
// projects it may use. Asked in the name of the run's user; every answer is bounded.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { ArtifactRef } from "../../domain/plan/plan.ts";
import { type IterationMemory, iterationMemory, noMemory } from "../../domain/planner/memory.ts";
import type { NamedProject } from "../../domain/planner/view.ts";
import type { Spent } from "../../domain/run/budget/budget.ts";
import type { RunId } from "../../domain/run/run.ts";
import { rowOf } from "../row.ts";
import { leasedMs } from "../run/leased-time.ts";
import { spentColumns } from "../run/run-row.ts";
import { isNoPlatformPage } from "./check-store.ts";

const storedMemory = z.object({ result: iterationMemory });

/** What the last iteration left behind, up to and including `until`: one that was cut off, what it had been told at its beginning. */
export async function readMemory(tx: Tx, runId: string, until: number): Promise<IterationMemory> {
  const { rows } = await sql<{ result: unknown }>`
    select result from journal_entries where run_id = ${runId} and iteration <= ${until} and key in ('memory', 'said')
     order by iteration desc, key = 'memory' desc limit 1`.execute(tx);
  const [row] = rows;
  return row === undefined ? noMemory : storedMemory.parse(row.result).result;
}

/** Iterations that ended without leaving a memory may have read something all the same. */
export async function hasReadUntrustedSince(tx: Tx, runId: string, iteration: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from journal_entries where run_id = ${runId} and iteration > ${iteration}
      and coalesce(result->'result'->'outcome', result->'outcome')->>'isUntrusted' = 'true') as found`.execute(tx);
  return rows[0]?.found ?? true;
}

/** Forks of a fork; a longer line is not expected. */
const forksMax = 100;

/** Whether it, or a run it was forked from, was started with words of strangers. */
export async function hasBegunUntrusted(tx: Tx, runId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive line as (
      select id, began_untrusted, forked_from_run, 1 as nth from homework_runs where id = ${runId}
      union all select r.id, r.began_untrusted, r.forked_from_run, line.nth + 1
        from line join homework_runs r on r.id = line.forked_from_run where line.nth < ${forksMax})
    select coalesce(bool_or(began_untrusted), true) as found from line`.execute(tx);
  return rows[0]?.found ?? true;
}

const endedRow = z.object({
  iteration: z.int(),
  summary: z.string(),
  why: z.string().nullable(),
  decision: z.string().nullable(),
});
export type EndedLine = z.output<typeof endedRow>;

/** The last iterations that ended, oldest first. */
export async function recentIterations(tx: Tx, runId: string, limit: number): Promise<readonly EndedLine[]> {
  const { rows } = await sql`
    select iteration, left(summary, 1200) as summary, left(why, 600) as why, decision from homework_run_iterations
     where run_id = ${runId} and decision is not null order by iteration desc limit ${limit}`.execute(tx);
  return z.array(endedRow).parse(rows).toReversed();
}

const madeRow = z.object({
  kind: z.string(),
  id: z.string(),
  title: z.string(),
  op: z.enum(["created", "updated"]),
});
export type MadeThing = z.output<typeof madeRow>;

/** Which of these ids this run has made or changed: what others made, and pages that the platform keeps, are no evidence. */
export async function madeByRun(tx: Tx, runId: RunId, ids: readonly string[]): Promise<readonly MadeThing[]> {
  const wanted = [...new Set(ids)].filter((id) => z.guid().safeParse(id).success);
  if (wanted.length === 0) return [];
  const { rows } = await sql`
    select * from (${madeThings(runId)}) made where id = any (${wanted}::uuid[]) order by at, id`.execute(tx);
  return z.array(madeRow).parse(rows);
}

/** What this run has made or changed under this title; the newest of several. */
export async function madeUnderTitle(tx: Tx, runId: RunId, title: string): Promise<MadeThing | null> {
  const { rows } = await sql`
    select * from (${madeThings(runId)}) made where lower(btrim(title)) = lower(btrim(${title}))
     order by at desc, id desc limit 1`.execute(tx);
  return madeRow.nullable().parse(rows[0] ?? null);
}

/** Everything this run has made or changed, but for the platform's pages; `at` is the first time. */
const madeThings = (runId: RunId) => sql`
    select kind, entity_id as id, (array_agg(title order by at desc, seq desc))[1] as title, min(at) as at,
           case when bool_or(op = 'created') then 'created' else 'updated' end as op
      from onto_changes where run_id = ${runId}
       and not exists (select from onto_documents e where e.id = entity_id and not ${isNoPlatformPage(runId)})
     group by kind, entity_id`;

export const asArtifacts = (things: readonly MadeThing[]): ReadonlyMap<string, ArtifactRef> =>
  new Map(things.map(({ kind, id }) => [id, { kind, id }]));

/** What the run has used by now, the session under way included. */
export async function readSpent(tx: Tx, runId: string): Promise<Spent> {
  const { rows } =
    await sql`select r.running_ms + (${sql.raw(leasedMs)})::bigint as running_ms, r.cost_micro_usd, r.tokens, r.tool_calls,
      r.unpriced_calls from homework_runs r where r.id = ${runId}`.execute(tx);
  return rowOf(spentColumns.shape).parse(rows[0]);
}

const projectRow = z.object({ id: z.string(), name: z.string() });

/** Those that are named, or the user's own that were changed last. */
export async function projectsToUse(
  tx: Tx,
  ids: readonly string[] | null,
  limit: number,
): Promise<readonly NamedProject[]> {
  const { rows } = await sql`
    select id, name from onto_projects where deleted_at is null
       and (${ids}::uuid[] is null or id = any (${ids}::uuid[])) and id in (select app_writable_projects())
     order by updated_at desc, id limit ${limit}`.execute(tx);
  return z.array(projectRow).parse(rows);
}

// Where the files of a run are and what became of its branch (`homework_run_works`), and which hosts are alive (`agent_hosts`). Written
// by the platform; its user may read it.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { guardKinds } from "../../domain/agent/file-guard.ts";
import { type WorkRecord, type WorkState, workRecord, workStates } from "../../domain/agent/work.ts";
import { type RunId, runStatuses } from "../../domain/run/run.ts";
import type { ReadonlyDeep } from "../../lib/readonly-deep.ts";
import { toJson } from "../json.ts";
import { idColumn, rowOf, whole } from "../row.ts";

const guardColumn = z.object({
  pending: z.array(z.object({ kind: z.enum(guardKinds), paths: z.array(z.string()) })),
  allowed: z.array(z.string()),
});
export type GuardState = ReadonlyDeep<z.infer<typeof guardColumn>>;

const workRow = rowOf({
  host: z.string(),
  repository: z.string().nullable(),
  branch: z.string(),
  baseCommit: z.string(),
  state: z.enum(workStates),
  guard: guardColumn,
  record: workRecord.nullable(),
  documents: z.record(z.string(), z.string()),
});
export type RunWork = ReadonlyDeep<z.infer<typeof workRow>>;

export async function findWork(tx: Tx, runId: RunId): Promise<RunWork | null> {
  const { rows } = await sql`select host, repository, branch, base_commit, state, guard, record, documents
    from homework_run_works where run_id = ${runId}`.execute(tx);
  return rows[0] === undefined ? null : workRow.parse(rows[0]);
}

export async function readWorkDiff(tx: Tx, runId: RunId): Promise<string> {
  const { rows } = await sql<{ diff: string }>`select diff from homework_run_works where run_id = ${runId}`.execute(tx);
  return rows[0]?.diff ?? "";
}

export type NewWork = Pick<RunWork, "host" | "repository" | "branch" | "baseCommit">;

/** A host that takes over from one that is gone replaces it. */
export async function keepWork(tx: Tx, runId: RunId, work: NewWork): Promise<void> {
  await sql`insert into homework_run_works (run_id, host, repository, branch, base_commit)
    values (${runId}, ${work.host}, ${work.repository}, ${work.branch}, ${work.baseCommit})
    on conflict (run_id) do update set host = excluded.host, base_commit = excluded.base_commit`.execute(tx);
}

export type WorkResult = {
  readonly guard: GuardState;
  readonly record: WorkRecord;
  readonly diff: string;
  readonly documents: Readonly<Record<string, string>>;
};

export async function saveWorkResult(tx: Tx, runId: RunId, { guard, record, diff, documents }: WorkResult) {
  await sql`update homework_run_works set guard = ${toJson(guard)}::jsonb, record = ${toJson(record)}::jsonb,
      diff = ${withoutNul(diff)}, documents = ${toJson(documents)}::jsonb
    where run_id = ${runId}`.execute(tx);
}

/** PostgreSQL keeps no NUL in a text. */
const withoutNul = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed();

export async function saveGuard(tx: Tx, runId: RunId, guard: GuardState): Promise<void> {
  await sql`update homework_run_works set guard = ${toJson(guard)}::jsonb where run_id = ${runId}`.execute(tx);
}

/** False: it was settled before. */
export async function settleWork(tx: Tx, runId: RunId, state: Exclude<WorkState, "open">): Promise<boolean> {
  const { rows } = await sql`update homework_run_works set state = ${state}, settled_at = run_now()
    where run_id = ${runId} and state = 'open' returning run_id`.execute(tx);
  return rows.length === 1;
}

/** Of runs whose files are on this host, known by the last twelve digits of their ids: those that no worker works on any more. */
export async function listOverRuns(tx: Tx, host: string, endings: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ ending: string }>`
    select right(replace(run.id::text, '-', ''), 12) as ending
    from homework_run_works work join homework_runs run on run.id = work.run_id
    where work.host = ${host} and run.status in ('completed', 'stopped', 'failed', 'canceled')
      and right(replace(run.id::text, '-', ''), 12) = any(${endings}::text[])`.execute(tx);
  return rows.map(({ ending }) => ending);
}

export async function seeHost(tx: Tx, host: string): Promise<void> {
  await sql`insert into agent_hosts (host) values (${host}) on conflict (host) do update set seen_at = run_now()`.execute(
    tx,
  );
}

/** How long ago a worker of it was seen; null: never. */
export async function readHostSilence(tx: Tx, host: string): Promise<number | null> {
  const { rows } = await sql<{ ms: number }>`
    select (1000 * extract(epoch from run_now() - seen_at))::float8 as ms from agent_hosts where host = ${host}`.execute(
    tx,
  );
  return rows[0]?.ms ?? null;
}

const agentRunRow = rowOf({
  id: idColumn<RunId>(),
  objective: z.string(),
  status: z.enum(runStatuses),
  iteration: whole,
  maxIterations: whole,
  holdWhy: z.string().nullable(),
  holdUntil: z.string().nullable(),
  detail: z.string().nullable(),
});
export type AgentRunRow = z.infer<typeof agentRunRow>;

/** Characters of an objective that stand beside a task. */
const objectiveMax = 200;

/** Those of the user's that are among these, as the pages of agents tell of them. */
export async function listAgentRuns(tx: Tx, ids: readonly string[]): Promise<readonly AgentRunRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql`
    select id, left(objective, ${objectiveMax}) as objective, status, iteration,
           (budgets->>'maxIterations')::int as max_iterations, hold->>'why' as hold_why,
           to_timestamp((hold->>'untilMs')::double precision / 1000) as hold_until, detail
      from homework_runs where user_id = app_user_id() and id = any(${[...ids]}::uuid[])`.execute(tx);
  return z.array(agentRunRow).parse(rows);
}

// Reads everything there is about runs out of a real database, in the shape in which invariants are looked for.

import { sql } from "kysely";
import type { Database } from "../../../src/db/database.ts";
import type { Run, RunId } from "../../../src/domain/run/run.ts";
import { jobKinds } from "../../../src/queue/job-kinds.ts";
import type {
  CallRow,
  DocumentRow,
  EntryRow,
  IterationRow,
  JobRow,
  MessageRow,
  RunRecord,
  State,
  StoredEvent,
} from "../memory/records.ts";

type Row = Record<string, unknown> & { readonly run_id: RunId };

/** As PostgreSQL writes JSON, so that bigints are numbers. */
async function rowsOf(db: Database, query: ReturnType<typeof sql>): Promise<readonly Row[]> {
  const { rows } = await sql<{ row: Row }>`select to_jsonb(q) as row from (${query}) q`.execute(db.system);
  return rows.map(({ row }) => row);
}

const group = <T>(rows: readonly Row[]): ReadonlyMap<RunId, readonly T[]> => {
  const grouped = new Map<RunId, T[]>();
  for (const { run_id: runId, ...row } of rows) grouped.set(runId, [...(grouped.get(runId) ?? []), row as T]);
  return grouped;
};

const events = sql`select run_id, seq, event from homework_run_events order by run_id, seq`;
const iterations = sql`select run_id, iteration, attempts, status, decision, artifacts, plan,
  jsonb_build_object('runningMs', metrics->'before'->'running_ms', 'costMicroUsd', metrics->'before'->'cost_micro_usd',
    'tokens', metrics->'before'->'tokens', 'toolCalls', metrics->'before'->'tool_calls') as before,
  case when metrics ? 'cost_micro_usd' then jsonb_build_object('runningMs', metrics->'running_ms',
    'costMicroUsd', metrics->'cost_micro_usd', 'tokens', metrics->'tokens', 'toolCalls', metrics->'tool_calls') end as used
  from homework_run_iterations order by run_id, iteration`;
const entries = sql`select run_id, iteration, key, lane, kind, state, fence, result, handle, 0 as "atMs" from journal_entries order by run_id, began_at`;
const messages = sql`select run_id, id, kind, question_id as "questionId", question, text, asked_in as "askedIn",
  consumed_iteration as "consumedIteration" from homework_run_messages order by run_id, created_at`;
const calls = sql`select run_id, call_id as "callId", iteration, entry_key as key, fence, state, reserved_micro_usd as "reservedMicroUsd",
  cost_micro_usd as "costMicroUsd", input_tokens + output_tokens as tokens, 0 as "atMs",
  null as "endedAtMs", false as "isFailed", null as "silentSinceMs" from llm_usage_logs order by created_at`;
const notifications = sql`select run_id, told, event, read_at is not null as "isRead" from user_notifications`;
const documents = sql`select created_by_run as run_id, id, split_part(title, '/', 1)::int as iteration,
  substr(title, strpos(title, '/') + 1) as key, 0 as fence from onto_documents where created_by_run is not null`;
const jobs = sql`select id, 'iteration' as kind, data, attempt from open_jobs where queue = ${jobKinds.iteration.queue}`;
const rest = sql`select id as run_id, attempts, moves, last_seq as "lastSeq", report,
  extract(epoch from leased_at) * 1000 as "leasedAtMs" from homework_runs`;

const untouched = { state: "created", wasStarted: false, startAfterMs: 0, heartbeatMs: 0, order: 0 } as const;

export async function loadState(db: Database, runs: readonly Run[]): Promise<State> {
  const load = async <T>(query: ReturnType<typeof sql>) => group<T>(await rowsOf(db, query));
  const [its, evs, sts, sgs, cls, nts, docs] = await Promise.all([
    load<IterationRow>(iterations),
    load<StoredEvent>(events),
    load<EntryRow>(entries),
    load<MessageRow>(messages),
    load<CallRow>(calls),
    load<NonNullable<RunRecord["notification"]>>(notifications),
    load<Omit<DocumentRow, "runId">>(documents),
  ]);
  const more = await load<Pick<RunRecord, "attempts" | "moves" | "lastSeq" | "report" | "leasedAtMs">>(rest);
  const open = await rowsOf(db, jobs);
  const records = runs.flatMap((run): RunRecord[] =>
    (more.get(run.id) ?? []).map((row) => ({
      ...row,
      run,
      leaseSeenAtMs: null,
      queuedAtMs: 0,
      silenceToldAtMs: null,
      events: evs.get(run.id) ?? [],
      iterations: its.get(run.id) ?? [],
      entries: sts.get(run.id) ?? [],
      messages: sgs.get(run.id) ?? [],
      calls: cls.get(run.id) ?? [],
      notification: nts.get(run.id)?.[0] ?? null,
    })),
  );
  return {
    runs: new Map(records.map((record) => [record.run.id, record])),
    // Outcomes in SQL are looked at by their own invariants (src/store/outcome/outcome-invariants.sql).
    outcomes: new Map(),
    jobs: new Map(
      open.map((job) => [
        String(job.id),
        { ...untouched, givenBackBy: null, touchedBy: null, ...job } as unknown as JobRow,
      ]),
    ),
    documents: new Map([...docs].map(([runId, rows]) => [runId, rows.map((row) => ({ ...row, runId }))])),
  };
}

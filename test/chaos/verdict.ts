// What the chaos did to the runs, from what is in the database and what the provider counted outside of it: nothing lost,
// nothing done twice, every call paid for once, everything that was acknowledged still true.

import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import type { LedgerEntry } from "./call-ledger.ts";
import { orderOf, titleOf, writesEach } from "./chaos-engine.ts";
import type { Person } from "./person.ts";

export type Verdict = {
  readonly completed: number;
  readonly canceled: number;
  readonly iterationsCommitted: number;
  readonly attempts: number;
  /** Runs that did not come to their end, or lack an iteration or a write. */
  readonly lost: readonly string[];
  /** Runs, iterations, writes or outside effects that are there twice. */
  readonly doubled: readonly string[];
  /** Acknowledged to the person, and not so. */
  readonly forgotten: readonly string[];
  readonly ledger: LedgerVerdict;
};

type LedgerVerdict = {
  readonly calls: number;
  /** Answers that were lost, paid for at their reservation. */
  readonly unknown: number;
  readonly faults: readonly string[];
};

const found = {
  runs: z.array(z.object({ id: z.string(), objective: z.string(), status: z.string(), iteration: z.number() })),
  iterations: z.array(
    z.object({
      run_id: z.string(),
      iteration: z.number(),
      attempts: z.number(),
      status: z.string(),
      ends: z.coerce.number(),
    }),
  ),
  titles: z.array(z.object({ run_id: z.string(), title: z.string(), copies: z.coerce.number() })),
  calls: z.array(
    z.object({
      call_id: z.string(),
      state: z.enum(["reserved", "settled", "unknown"]),
      cost: z.coerce.number(),
      reserved: z.coerce.number(),
    }),
  ),
  effects: z.array(z.object({ key: z.string(), state: z.string() })),
  answered: z.array(z.object({ run_id: z.string() })),
};
type Found = { readonly [Name in keyof typeof found]: z.infer<(typeof found)[Name]> };

async function look(db: Database): Promise<Found> {
  const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(db.system)).rows;
  return {
    runs: found.runs.parse(await rowsOf(sql`select id, objective, status, iteration from homework_runs`)),
    iterations: found.iterations.parse(
      await rowsOf(sql`select i.run_id, i.iteration, i.attempts, i.status,
          (select count(*) from homework_run_events e where e.run_id = i.run_id and e.iteration = i.iteration
              and e.type = 'iteration_completed') as ends from homework_run_iterations i`),
    ),
    titles: found.titles.parse(
      await rowsOf(sql`select created_by_run as run_id, title, count(*) as copies from onto_documents
        where created_by_run is not null group by 1, 2`),
    ),
    calls: found.calls.parse(
      await rowsOf(
        sql`select call_id, state, cost_micro_usd as cost, reserved_micro_usd as reserved from llm_usage_logs`,
      ),
    ),
    effects: found.effects.parse(
      await rowsOf(
        sql`select concat_ws(':', run_id, iteration, key) as key, state from journal_entries where kind = 'effect'`,
      ),
    ),
    answered: found.answered.parse(
      await rowsOf(sql`select run_id from homework_run_events where type = 'run_answered'`),
    ),
  };
}

/** For a line of progress. */
export async function describeRuns(db: Database): Promise<string> {
  const { rows } = await sql<{ status: string; runs: string }>`
    select status, count(*) as runs from homework_runs group by 1 order by 1`.execute(db.system);
  return rows.map(({ status, runs }) => `${runs} ${status}`).join(", ") || "no runs";
}

export async function countOpenRuns(db: Database): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from homework_runs where status not in ('completed', 'failed', 'canceled')`.execute(
    db.system,
  );
  return rows[0]?.open ?? 0;
}

/** Calls that nobody will settle any more although their run went on: only a canceled one may leave that to housekeeping. */
export async function findLeftCalls(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ call_id: string; status: string }>`
    select l.call_id, r.status from llm_usage_logs l join homework_runs r on r.id = l.run_id
     where l.state = 'reserved' and r.status <> 'canceled'`.execute(db.system);
  return rows.map(({ call_id: id, status }) => `call ${id} of a run that is ${status} was never settled`);
}

export async function judge(db: Database, counted: readonly LedgerEntry[], person: Person): Promise<Verdict> {
  const seen = await look(db);
  const ended = seen.iterations.filter(({ status }) => !["running", "interrupted"].includes(status));
  return {
    completed: seen.runs.filter(({ status }) => status === "completed").length,
    canceled: seen.runs.filter(({ status }) => status === "canceled").length,
    iterationsCommitted: ended.length,
    attempts: seen.iterations.reduce((sum, { attempts }) => sum + attempts, 0),
    lost: [...lostRuns(seen, person), ...lostWork(seen)],
    doubled: [...doubledRuns(seen), ...doubledWork(seen), ...doubledEffects(seen, counted)],
    forgotten: forgotten(seen, person),
    ledger: judgeLedger(seen, counted),
  };
}

function lostRuns({ runs }: Found, { acknowledged }: Person): readonly string[] {
  const there = new Set(runs.map(({ id }) => id));
  const open = runs.filter(({ status }) => status !== "completed" && status !== "canceled");
  return [
    ...open.map(({ id, status, iteration }) => `run ${id} is ${status} at iteration ${iteration}`),
    ...[...acknowledged.created.values()].filter((id) => !there.has(id)).map((id) => `run ${id} is not there`),
  ];
}

/** A committed iteration has all its writes and one end; a completed run has all its iterations. */
function lostWork({ runs, iterations, titles }: Found): readonly string[] {
  const written = new Set(titles.map(({ title }) => title));
  const isCommitted = new Set(
    iterations.filter(({ ends }) => ends > 0).map(({ run_id: id, iteration }) => `${id} ${iteration}`),
  );
  const missingWrites = iterations
    .filter(({ ends }) => ends > 0)
    .flatMap(({ run_id: id, iteration }) => Array.from({ length: writesEach }, (_, n) => titleOf(id, iteration, n)))
    .filter((title) => !written.has(title));
  const missingIterations = runs
    .filter(({ status }) => status === "completed")
    .flatMap(({ id, objective }) =>
      Array.from({ length: orderOf(objective).iterations }, (_, n) => `${id} ${n + 1}`).filter(
        (key) => !isCommitted.has(key),
      ),
    );
  const tooLong = runs.filter(
    ({ status, iteration, objective }) => status === "completed" && iteration !== orderOf(objective).iterations,
  );
  return [
    ...missingWrites.map((title) => `no document "${title}"`),
    ...missingIterations.map((key) => `no iteration ${key}`),
    ...tooLong.map(({ id, iteration }) => `run ${id} ended at iteration ${iteration}`),
  ];
}

function doubledRuns({ runs }: Found): readonly string[] {
  const numbers = runs.map(({ objective }) => objective);
  return numbers.filter((objective, n) => numbers.indexOf(objective) !== n).map((objective) => `twice: ${objective}`);
}

function doubledWork({ iterations, titles }: Found): readonly string[] {
  return [
    ...iterations
      .filter(({ ends }) => ends > 1)
      .map(({ run_id: id, iteration }) => `iteration ${iteration} of ${id} ended twice`),
    ...titles.filter(({ copies }) => copies > 1).map(({ title, copies }) => `${copies} documents "${title}"`),
  ];
}

/** It may not be repeated blindly: at most once outside, and exactly once where the journal says it is done. */
function doubledEffects({ effects }: Found, counted: readonly LedgerEntry[]): readonly string[] {
  const times = new Map<string, number>();
  for (const line of counted) if (line.kind === "effect") times.set(line.key, (times.get(line.key) ?? 0) + 1);
  const twice = [...times].filter(([, count]) => count > 1).map(([key, count]) => `effect ${key} ${count} times`);
  const never = effects.filter(({ key, state }) => state === "done" && !times.has(key));
  return [...twice, ...never.map(({ key }) => `effect ${key} is said to be done, and was never`)];
}

function forgotten({ runs, answered }: Found, { acknowledged }: Person): readonly string[] {
  const statuses = new Map(runs.map(({ id, status }) => [id, status]));
  const answers = new Set(answered.map(({ run_id: id }) => id));
  return [
    ...[...acknowledged.canceled].filter((id) => statuses.get(id) !== "canceled").map((id) => `run ${id} was canceled`),
    ...[...acknowledged.answered].filter((id) => !answers.has(id)).map((id) => `run ${id} was answered`),
  ];
}

/** Every call the provider counted is in the ledger once: at its price, or at its reservation where the answer was lost. */
function judgeLedger({ calls }: Found, counted: readonly LedgerEntry[]): LedgerVerdict {
  const outside = counted.filter((line) => line.kind === "call");
  const inside = new Map(calls.map((call) => [call.call_id, call]));
  const known = new Set(outside.map(({ callId }) => callId));
  const faults = [
    ...(known.size === outside.length ? [] : ["the provider was asked twice under one id"]),
    ...outside.flatMap(({ callId, costMicroUsd, reservedMicroUsd }) => {
      const call = inside.get(callId);
      if (call === undefined) return [`call ${callId} is not in the ledger`];
      const right = call.state === "settled" ? costMicroUsd : reservedMicroUsd;
      if (call.state !== "reserved" && call.cost === right) return [];
      return [`call ${callId} is ${call.state} at ${call.cost}, and cost ${costMicroUsd} of ${reservedMicroUsd}`];
    }),
    ...calls
      .filter(({ call_id: id, state }) => state === "settled" && !known.has(id))
      .map(({ call_id: id }) => `call ${id} is settled, and was never made`),
  ];
  return { calls: outside.length, unknown: calls.filter(({ state }) => state === "unknown").length, faults };
}

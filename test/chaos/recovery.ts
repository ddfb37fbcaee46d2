// How long a run lay idle after its worker was killed: from the kill until someone else began the same iteration again. What
// fell into an outage of something else is left out and counted, since it would measure that outage.

import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import type { Away } from "./fleet.ts";
import type { InterruptedLease, Outage, WorkerKill } from "./nemesis.ts";

export type Recovery = {
  readonly samples: number;
  /** Milliseconds; null without a sample. */
  readonly p50: number | null;
  readonly p99: number | null;
  readonly max: number | null;
  /** Kills of workers that had nothing under way. */
  readonly idleKills: number;
  /** Interrupted iterations that were paused, canceled or answered to before anyone took them again. */
  readonly endedOtherwise: number;
  /** Left out: the database was down, the other worker frozen, or nobody at work meanwhile. */
  readonly inOutages: number;
  /** Of those left out, for the record. */
  readonly maxInOutages: number | null;
};

export type Interruptions = {
  readonly workerKills: readonly WorkerKill[];
  readonly outages: readonly Outage[];
  readonly away: readonly Away[];
};

/** A process that lives gives a sign of life at least this often: earlier nobody could have noticed. */
const noticedAfterMs = 7_000;

export async function measureRecovery(db: Database, interruptions: Interruptions): Promise<Recovery> {
  const counted: number[] = [];
  const leftOut: number[] = [];
  let endedOtherwise = 0;
  for (const kill of interruptions.workerKills)
    for (const lease of kill.leases ?? []) {
      const atMs = await takenAgainAt(db, lease, kill.atMs);
      if (atMs === null) endedOtherwise += 1;
      else (isUndisturbed(kill, atMs, interruptions) ? counted : leftOut).push(atMs - kill.atMs);
    }
  const sorted = counted.toSorted((a, b) => a - b);
  return {
    samples: sorted.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1) ?? null,
    idleKills: interruptions.workerKills.filter(({ leases }) => leases?.length === 0).length,
    endedOtherwise,
    inOutages: leftOut.length,
    maxInOutages: leftOut.length === 0 ? null : Math.max(...leftOut),
  };
}

const startRows = z.array(z.object({ type: z.string(), attempt: z.number().nullable(), at_ms: z.coerce.number() }));

/** Null where something else happened to the run first. */
async function takenAgainAt(db: Database, lease: InterruptedLease, killedAtMs: number): Promise<number | null> {
  const { rows } = await sql`
    select type, (event->>'attempt')::int as attempt, extract(epoch from created_at) * 1000 as at_ms from homework_run_events
     where run_id = ${lease.runId} and created_at > to_timestamp(${killedAtMs / 1000}::float8)
       and (type like 'run\\_%' or (type = 'iteration_started' and iteration = ${lease.iteration}))
     order by seq limit 1`.execute(db.system);
  const [next] = startRows.parse(rows);
  return next?.type === "iteration_started" && (next.attempt ?? 0) > lease.attempt ? next.at_ms : null;
}

type Span = { readonly fromMs: number; readonly untilMs: number };

const overlap = (a: Span, b: Span) => a.fromMs < b.untilMs && b.fromMs < a.untilMs;

function isUndisturbed(kill: WorkerKill, atMs: number, { outages, away }: Interruptions): boolean {
  const span: Span = { fromMs: kill.atMs, untilMs: atMs };
  const fromNoticed: Span = { fromMs: kill.atMs + noticedAfterMs, untilMs: atMs };
  const isFrozen = away.some((each) => each.slot !== kill.slot && each.why === "frozen" && overlap(each, span));
  return (
    !isFrozen &&
    !outages.some((each) => overlap(each, span)) &&
    !nobodyAtWork(away).some((each) => overlap(each, fromNoticed))
  );
}

/** When both workers were away at once. */
function nobodyAtWork(away: readonly Away[]): readonly Span[] {
  return away.flatMap((one) =>
    away
      .filter((other) => other.slot > one.slot && overlap(one, other))
      .map((other) => ({ fromMs: Math.max(one.fromMs, other.fromMs), untilMs: Math.min(one.untilMs, other.untilMs) })),
  );
}

function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}

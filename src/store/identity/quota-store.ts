// What people may use: read as the user (their own and that of everyone) or as the platform, set as the platform.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { firstQuota, type Quota } from "../../domain/identity/quota.ts";
import { type Budget, defaultBudget } from "../../domain/run/budget/budget.ts";
import { rowOf, whole } from "../row.ts";

const quotaRow = rowOf({
  monthlyMicroUsd: whole.nullable(),
  runMicroUsd: whole.nullable(),
  models: z.array(z.string()).nullable(),
  runsAtOnce: whole.nullable(),
  storageBytes: whole.nullable(),
});

/** What holds for this person. */
export async function readQuota(tx: Tx, userId: string): Promise<Quota> {
  const { rows } = await sql`select * from quota_of(${userId}::uuid)`.execute(tx);
  return quotaRow.parse(rows[0]);
}

/** That of a run whose user names nothing else. */
export async function usualBudget(tx: Tx, userId: string): Promise<Budget> {
  const { runMicroUsd } = await readQuota(tx, userId);
  return { ...defaultBudget, maxCostMicroUsd: runMicroUsd ?? defaultBudget.maxCostMicroUsd };
}

export async function readSpentThisMonth(tx: Tx, userId: string): Promise<number> {
  const { rows } = await sql<{ spent: string }>`select spent_this_month(${userId}::uuid) as spent`.execute(tx);
  return Number(rows[0]?.spent ?? 0);
}

/** The part of what is spent this month that calls under way have reserved; `who` is a column of the query around it. */
export const reservedThisMonth = (
  who: string,
) => sql`(select coalesce(sum(reserved_micro_usd), 0)::bigint from llm_usage_logs
  where user_id = ${sql.ref(who)} and state = 'reserved' and created_at >= date_trunc('month', run_now() at time zone 'UTC') at time zone 'UTC')`;

export async function readReservedThisMonth(tx: Tx, userId: string): Promise<number> {
  const { rows } = await sql<{ reserved: string }>`select ${reservedThisMonth("one.id")} as reserved
    from (select ${userId}::uuid as id) as one`.execute(tx);
  return Number(rows[0]?.reserved ?? 0);
}

/** Of the user whose transaction it is. */
export async function readOwnStorage(tx: Tx): Promise<number> {
  const { rows } = await sql<{ used: string }>`select app_storage() as used`.execute(tx);
  return Number(rows[0]?.used ?? 0);
}

/** What is set for this person, or for everyone; null where nothing is. */
export async function readOwnQuota(tx: Tx, userId: string | null): Promise<Quota> {
  const { rows } =
    await sql`select monthly_micro_usd, run_micro_usd, models, runs_at_once, storage_bytes from user_quotas
    where user_id is not distinct from ${userId}::uuid`.execute(tx);
  return rows.length === 0 ? noQuota : quotaRow.parse(rows[0]);
}

const noQuota: Quota = { monthlyMicroUsd: null, runMicroUsd: null, models: null, runsAtOnce: null, storageBytes: null };

/** What an admin has set stays, also where it is no limit at all. */
export async function ensureFirstQuota(tx: Tx): Promise<void> {
  const { monthlyMicroUsd, runMicroUsd, models, runsAtOnce, storageBytes } = firstQuota;
  await sql`insert into user_quotas (user_id, monthly_micro_usd, run_micro_usd, models, runs_at_once, storage_bytes)
    values (null, ${monthlyMicroUsd}, ${runMicroUsd}, ${[...(models ?? [])]}::text[], ${runsAtOnce}, ${storageBytes})
    on conflict do nothing`.execute(tx);
}

export type QuotaChange = { readonly [Name in keyof Quota]?: Quota[Name] | undefined };

/** What is left out stays. */
export async function setQuota(tx: Tx, userId: string | null, change: QuotaChange): Promise<Quota> {
  await sql`insert into user_quotas (user_id) values (${userId}::uuid) on conflict do nothing`.execute(tx);
  await sql`select from user_quotas where user_id is not distinct from ${userId}::uuid for update`.execute(tx);
  const before = await readOwnQuota(tx, userId);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { monthlyMicroUsd, runMicroUsd, models, runsAtOnce, storageBytes }: Quota = { ...before, ...given };
  await sql`update user_quotas set monthly_micro_usd = ${monthlyMicroUsd}, run_micro_usd = ${runMicroUsd},
      models = ${models === null ? null : [...models]}::text[], runs_at_once = ${runsAtOnce}, storage_bytes = ${storageBytes}, updated_at = now()
    where user_id is not distinct from ${userId}::uuid`.execute(tx);
  return readOwnQuota(tx, userId);
}

// What every user of the installation uses at the moment and has spent, beside the limits that hold for each of them. For those who manage it
// (platform's role): figures only, nothing of what the runs are about.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import type { Quota } from "../../domain/identity/quota.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { readOwnQuota, reservedThisMonth } from "../identity/quota-store.ts";
import { rowOf, whole } from "../row.ts";

const quotaRow = rowOf({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Those that hold a slot. */
  activeRuns: whole,
  queuedRuns: whole,
  costMicroUsdDay: whole,
  costMicroUsdMonth: whole,
  unpricedCalls: whole,
  costMicroUsdThisMonth: whole,
  reservedMicroUsd: whole,
});
export type UserQuota = z.infer<typeof quotaRow> & { readonly quota: Quota };

/** Oldest account first. Spending is that of the last 24 hours and of the last 30 days, from the ledger. */
export async function listQuotas(tx: Tx, page: PageQuery): Promise<Page<UserQuota>> {
  const after = decodeCursor("quotas", "time", page.cursor);
  const { rows } = await sql`
    select u.id, u.name, u.created_at, r.active_runs, r.queued_runs, l.cost_micro_usd_day, l.cost_micro_usd_month, l.unpriced_calls,
           spent_this_month(u.id) as cost_micro_usd_this_month, ${reservedThisMonth("u.id")} as reserved_micro_usd
      from auth_users u
      cross join lateral (select count(*) filter (where has_slot) as active_runs, count(*) filter (where not has_slot) as queued_runs
        from homework_runs where user_id = u.id and status in ('queued', 'running')) as r
      cross join lateral (select
          coalesce(sum(cost_micro_usd) filter (where created_at >= run_now() - interval '24 hours'), 0) as cost_micro_usd_day,
          coalesce(sum(cost_micro_usd), 0) as cost_micro_usd_month, count(*) filter (where priced_by = 'unpriced') as unpriced_calls
        from llm_usage_logs where user_id = u.id and state <> 'reserved' and created_at >= run_now() - interval '30 days') as l
     where u.disabled_at is null and ${isPast(after, "u.created_at", "u.id", ">")}
     order by u.created_at, u.id limit ${page.limit + 1}`.execute(tx);
  const found = z.array(quotaRow).parse(rows);
  const users: UserQuota[] = [];
  for (const user of found) users.push({ ...user, quota: await readOwnQuota(tx, user.id) });
  return toPage("quotas", users, page.limit, ({ createdAt, id }) => [createdAt, id]);
}

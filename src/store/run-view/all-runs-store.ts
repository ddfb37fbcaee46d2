// The runs of everyone, for those who manage the installation (platform's role): whose they are, how they stand and what they cost,
// nothing of what they are about.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { engines, runStatuses } from "../../domain/run/run.ts";
import { stopReasons } from "../../domain/run/stop-reason.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { rowOf, whole } from "../row.ts";

const someRun = rowOf({
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  isUserDisabled: z.boolean(),
  status: z.enum(runStatuses),
  stopReason: z.enum(stopReasons).nullable(),
  engine: z.enum(engines),
  iteration: whole,
  costMicroUsd: whole,
  unpricedCalls: whole,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SomeRun = z.infer<typeof someRun>;

const columns = sql`r.id, r.user_id, u.name as user_name, u.email as user_email, u.disabled_at is not null as is_user_disabled, r.status,
  r.stop_reason, r.engine, r.iteration, r.cost_micro_usd, r.unpriced_calls, r.created_at, r.updated_at`;

/** Newest first. `active`: those that are worked on, queued, or waiting for their user. */
export async function listAllRuns(
  tx: Tx,
  query: PageQuery & { readonly group: "active" | "all" },
): Promise<Page<SomeRun>> {
  const list = `all-runs-${query.group}`;
  const after = decodeCursor(list, "time", query.cursor);
  const { rows } = await sql`select ${columns} from homework_runs r join auth_users u on u.id = r.user_id
    where (${query.group === "all"}::boolean or r.status in ('queued', 'running', 'waiting_on_user')) and ${isPast(after, "r.created_at", "r.id")}
    order by r.created_at desc, r.id desc limit ${query.limit + 1}`.execute(tx);
  return toPage(list, z.array(someRun).parse(rows), query.limit, ({ createdAt, id }) => [createdAt, id]);
}

export async function findAnyRun(tx: Tx, runId: string): Promise<SomeRun | null> {
  const { rows } = await sql`select ${columns} from homework_runs r join auth_users u on u.id = r.user_id
    where r.id = ${runId}::uuid`.execute(tx);
  return rows.length === 0 ? null : someRun.parse(rows[0]);
}

// The append-only log of privileged actions. The database numbers and chains its rows (migration 0001).

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Props } from "../../domain/entity/entity.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { camelCased, objectColumn } from "../row.ts";

export type AuditAction =
  | "sign_in"
  | "sign_in_failed"
  | "sign_up"
  | "sign_out"
  | "login_link_made"
  | "password_changed"
  | "session_revoked"
  | "key_created"
  | "key_revoked"
  | "user_created"
  | "user_changed"
  | "quota_set"
  | "model_default_set"
  | "model_key_set"
  | "model_key_removed"
  | "member_added"
  | "member_changed"
  | "member_removed"
  | "project_binned"
  | "project_restored"
  | "run_created"
  | "run_canceled"
  | "run_paused"
  | "run_resumed"
  | "run_answered"
  | "run_steered"
  | "run_forked"
  | "run_followed_up"
  | "run_renamed"
  | "run_archived"
  | "run_undone"
  | "run_restored"
  | "run_merged"
  | "run_discarded"
  | "run_changes_decided"
  | "channel_added"
  | "channel_changed"
  | "channel_removed"
  | "outcome_created"
  | "outcome_edited"
  | "outcome_started"
  | "outcome_paused"
  | "outcome_resumed"
  | "outcome_archived"
  | "outcome_deleted"
  | "outcome_intervened"
  | "outcome_task_changed"
  | "homr_configured"
  | "escalation_answered"
  | "escalation_dismissed"
  | "escalation_postponed"
  | "escalation_rejected";

export type AuditEntry = {
  readonly actorId: string | null;
  readonly action: AuditAction;
  /** What it was done to: `user:…`, `project:…`, `key:…`, `run:…`, `outcome:…`. Never a secret. */
  readonly target: string;
  readonly details?: Props;
};

/** Comes last in its transaction: it takes the lock of the whole log, which must not be held while waiting for another. */
export async function writeAudit(tx: Tx, { actorId, action, target, details }: AuditEntry): Promise<void> {
  await sql`insert into audit_log (actor_id, action, target, details)
            values (${actorId}::uuid, ${action}, ${target}, ${JSON.stringify(details ?? {})}::jsonb)`.execute(tx);
}

/** Newest first; for administrators of the installation (platform's role). */
export async function listAudit(tx: Tx, page: PageQuery) {
  const before = decodeCursor("audit", "number", page.cursor);
  let query = tx
    .selectFrom("audit_log")
    .select(["seq", "at", "actor_id", "action", "target", "details"])
    .orderBy("seq", "desc")
    .limit(page.limit + 1);
  if (before) query = query.where("seq", "<", String(before[0]));
  const rows = (await query.execute()).map((row) => ({
    ...camelCased(row),
    seq: Number(row.seq),
    details: objectColumn.parse(row.details),
  }));
  return toPage("audit", rows, page.limit, ({ seq }) => [seq]);
}

// The append-only log of privileged actions. The database numbers and chains its rows (migration 0034).

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Props } from "../../domain/entity/entity.ts";
import { type AuditAction, type AuditPart, actionsOf } from "../../domain/identity/audit.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { camelCased, objectColumn } from "../row.ts";

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

export type AuditQuery = PageQuery & {
  readonly actorId?: string | undefined;
  readonly part?: AuditPart | undefined;
};

/** Newest first; for administrators of the installation (platform's role). */
export async function listAudit(tx: Tx, { actorId, part, ...page }: AuditQuery) {
  const before = decodeCursor("audit", "number", page.cursor);
  let query = tx
    .selectFrom("audit_log")
    .select(["seq", "at", "actor_id", "action", "target", "details"])
    .orderBy("seq", "desc")
    .limit(page.limit + 1);
  if (before) query = query.where("seq", "<", String(before[0]));
  if (actorId !== undefined) query = query.where("actor_id", "=", actorId);
  if (part !== undefined) query = query.where("action", "in", actionsOf(part));
  const rows = (await query.execute()).map((row) => ({
    ...camelCased(row),
    seq: Number(row.seq),
    details: objectColumn.parse(row.details),
  }));
  return toPage("audit", rows, page.limit, ({ seq }) => [seq]);
}

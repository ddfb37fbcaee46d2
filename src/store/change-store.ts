// The history of a project: read only, because triggers write it (migration 0002).

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Change, Page, Props } from "../domain/entity/entity.ts";
import { entityKinds } from "../domain/entity/kinds.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { decodeCursor, toPage } from "./cursor.ts";
import { propsColumn } from "./project-store.ts";

const opColumn = z.enum(["created", "updated", "deleted", "restored"]);
const kindColumn = z.enum(["project", ...entityKinds, "edge"]);

const columns = ["seq", "at", "op", "kind", "entity_id", "title", "version", "actor_id", "run_id"] as const;

type Row = {
  readonly seq: string;
  readonly at: string;
  readonly op: string;
  readonly kind: string;
  readonly entity_id: string;
  readonly title: string;
  readonly version: number | null;
  readonly actor_id: string | null;
  readonly run_id: string | null;
};

function toChange(row: Row): Change {
  return {
    seq: Number(row.seq),
    at: row.at,
    op: opColumn.parse(row.op),
    kind: kindColumn.parse(row.kind),
    entityId: row.entity_id,
    title: row.title,
    version: row.version,
    actorId: row.actor_id as UserId | null,
    runId: row.run_id,
  };
}

export type ChangeWithBefore = Change & { readonly before: Props | null };

export type ChangeFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly entity_id?: string | undefined;
};

/** Newest first, with what was there before each write. */
export async function listChanges(tx: Tx, projectId: string, filter: ChangeFilter): Promise<Page<ChangeWithBefore>> {
  const before = decodeCursor("changes", "number", filter.cursor);
  let query = tx
    .selectFrom("onto_changes")
    .select([...columns, "before"])
    .where("project_id", "=", projectId)
    .orderBy("seq", "desc")
    .limit(filter.limit + 1);
  if (filter.entity_id) query = query.where("entity_id", "=", filter.entity_id);
  if (before) query = query.where("seq", "<", String(before[0]));
  const toItem = (row: Row & { before: unknown }) => ({
    ...toChange(row),
    before: row.before === null ? null : propsColumn.parse(row.before),
  });
  return toPage("changes", await query.execute(), filter.limit, toItem, (row) => [Number(row.seq)]);
}

/** Oldest first, for the live stream: everything after `seq`, at most `limit`. */
export async function changesAfter(tx: Tx, projectId: string, seq: number, limit: number): Promise<readonly Change[]> {
  const rows = await tx
    .selectFrom("onto_changes")
    .select([...columns])
    .where("project_id", "=", projectId)
    .where("seq", ">", String(seq))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(toChange);
}

/** The number of the last write; 0 for a project that the user cannot see. */
export async function lastChangeSeq(tx: Tx, projectId: string): Promise<number> {
  const row = await tx
    .selectFrom("onto_change_counters")
    .select("last_seq")
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return Number(row?.last_seq ?? 0);
}

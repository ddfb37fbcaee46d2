// What HOMЯ learnt in the outcomes of an owner, who reads, corrects and deletes it. In the owner's transaction.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { cleanText } from "../json.ts";
import { idColumn, rowOf } from "../row.ts";

const memoryRow = rowOf({
  id: z.string(),
  type: z.enum(["fact", "pattern", "preference", "decision", "lesson", "context"]),
  importance: z.enum(["low", "medium", "high", "critical"]),
  content: z.string(),
  confidence: z.number(),
  outcomeId: z.string().nullable(),
  outcomeName: z.string().nullable(),
  taskId: z.string().nullable(),
  taskNumber: z.number().nullable(),
  timesUsed: z.number(),
  timesHelped: z.number(),
  isTainted: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type MemoryView = z.infer<typeof memoryRow>;

export type MemoryFilter = PageQuery & {
  readonly type?: MemoryView["type"] | undefined;
  /** Words that it holds. */
  readonly q?: string | undefined;
};

/** With where each was learnt. */
const withSource = sql`m.*, o.name as outcome_name, t.number as task_number
    from memory m left join outcomes o on o.id = m.outcome_id left join outcome_tasks t on t.id = m.task_id`;

/** Last changed first. */
export async function listMemories(tx: Tx, { limit, cursor, type, q }: MemoryFilter): Promise<Page<MemoryView>> {
  const before = decodeCursor("memories", "time", cursor);
  const { rows } = await sql`
    with memory as (
      select * from homr_memories where user_id = app_user_id() and ${isPast(before, "updated_at", "id")}
         and ${type === undefined ? sql`true` : sql`type = ${type}`}
         and ${q === undefined ? sql`true` : sql`search @@ websearch_to_tsquery('simple', ${q})`}
       order by updated_at desc, id desc limit ${limit + 1})
    select ${withSource} order by m.updated_at desc, m.id desc`.execute(tx);
  return toPage("memories", z.array(memoryRow).parse(rows), limit, ({ updatedAt, id }) => [updatedAt, id]);
}

export type MemoryEdit = {
  readonly content?: string | undefined;
  readonly type?: MemoryView["type"] | undefined;
  readonly importance?: MemoryView["importance"] | undefined;
};

/** `duplicate`: another memory says the same already. What a person wrote is no stranger's text. */
export async function updateMemory(
  tx: Tx,
  id: string,
  edit: MemoryEdit,
): Promise<MemoryView | "missing" | "duplicate"> {
  const content = edit.content === undefined ? null : cleanText(edit.content.trim());
  if (content !== null) {
    const same = await sql`select from homr_memories
      where user_id = app_user_id() and id <> ${id} and md5(lower(content)) = md5(lower(${content}))`.execute(tx);
    if (same.rows.length > 0) return "duplicate";
  }
  const { rows } = await sql`
    with memory as (update homr_memories set content = coalesce(${content}, content), type = coalesce(${edit.type ?? null}, type),
      importance = coalesce(${edit.importance ?? null}, importance), is_tainted = is_tainted and ${content}::text is null,
      updated_at = run_now()
     where id = ${id} returning *)
    select ${withSource}`.execute(tx);
  return rows[0] === undefined ? "missing" : memoryRow.parse(rows[0]);
}

/** The outcomes it was offered to. The memory is locked: no other outcome is offered it before this transaction has ended. */
export async function lockOutcomesOf(tx: Tx, memoryId: string): Promise<readonly OutcomeId[]> {
  await sql`select from homr_memories where id = ${memoryId} for update`.execute(tx);
  const { rows } = await sql`
    select distinct i.outcome_id as id from homr_context_items i join homr_memories m on m.id = ${memoryId}
     where i.kind = 'discovery' and i.details->>'memoryId' = ${memoryId} order by 1`.execute(tx);
  return z
    .array(z.object({ id: idColumn<OutcomeId>() }))
    .parse(rows)
    .map(({ id }) => id);
}

/** False: it is not there. */
export async function deleteMemory(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`delete from homr_memories where id = ${id} returning id`.execute(tx);
  return rows.length > 0;
}

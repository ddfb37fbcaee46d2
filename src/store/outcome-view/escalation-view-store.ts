// What HOMЯ asked, as the owner of the outcome looks at it. Reads only, in the owner's transaction.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { questionOption } from "../../domain/homr/observe/observation.ts";
import { escalationStatuses, optionActions } from "../../domain/homr/questions/escalation.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { rowOf } from "../row.ts";

const escalationRow = rowOf({
  id: z.string(),
  outcomeId: z.string(),
  outcomeName: z.string(),
  status: z.enum(escalationStatuses),
  triggerType: z.string(),
  triggerTaskId: z.string().nullable(),
  triggerNumber: z.number().nullable(),
  evidence: z.array(z.string()),
  question: z.string(),
  context: z.string(),
  options: z.array(questionOption.extend({ action: z.enum(optionActions) })),
  /** In the order of their numbers. */
  tasks: z.array(z.object({ id: z.string(), number: z.number() })),
  isWhole: z.boolean(),
  pauses: z.boolean(),
  defaultOption: z.string().nullable(),
  deadline: z.string().nullable(),
  observationId: z.string().nullable(),
  isTainted: z.boolean(),
  proposed: z.object({ option: z.string(), confidence: z.number(), reason: z.string() }).nullable(),
  answerOption: z.string().nullable(),
  answerContext: z.string().nullable(),
  answeredBy: z.enum(["human", "homr", "deadline"]).nullable(),
  answeredAt: z.string().nullable(),
  dismissedWhy: z.string().nullable(),
  createdAt: z.string(),
});
export type EscalationView = z.infer<typeof escalationRow>;

const selectEscalations = sql`
  select e.*, o.name as outcome_name,
         (select t.number from outcome_tasks t where t.id = e.trigger_task_id) as trigger_number,
         coalesce((select json_agg(json_build_object('id', t.id, 'number', t.number) order by t.number)
            from homr_escalation_tasks m join outcome_tasks t on t.id = m.task_id where m.escalation_id = e.id), '[]') as tasks
    from homr_escalations e join outcomes o on o.id = e.outcome_id and o.deleted_at is null`;

export type EscalationFilter = PageQuery & {
  readonly status?: EscalationView["status"] | undefined;
  /** `open`: those that wait for an answer or a confirmation. */
  readonly group?: "open" | "closed" | undefined;
};

const isOpen = sql`e.status in ('pending', 'pending_confirmation')`;

/** Of all outcomes of the owner. */
export async function countOpenEscalations(tx: Tx): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from homr_escalations e join outcomes o on o.id = e.outcome_id and o.deleted_at is null
     where o.user_id = app_user_id() and ${isOpen}`.execute(tx);
  return rows[0]?.open ?? 0;
}

/** Newest first; `outcomeId` null: of all outcomes of the owner. */
export async function listEscalations(
  tx: Tx,
  outcomeId: string | null,
  { limit, cursor, status, group }: EscalationFilter,
): Promise<Page<EscalationView>> {
  const list = outcomeId === null ? "all_escalations" : "escalations";
  const before = decodeCursor(list, "time", cursor);
  const { rows } = await sql`
    ${selectEscalations} where o.user_id = app_user_id()
       and ${outcomeId === null ? sql`true` : sql`e.outcome_id = ${outcomeId}`}
       and ${status === undefined ? sql`true` : sql`e.status = ${status}`}
       and ${group === undefined ? sql`true` : group === "open" ? isOpen : sql`not ${isOpen}`}
       and ${isPast(before, "e.created_at", "e.id")}
     order by e.created_at desc, e.id desc limit ${limit + 1}`.execute(tx);
  const found = z.array(escalationRow).parse(rows);
  return toPage(list, found, limit, ({ createdAt, id }) => [createdAt, id]);
}

/** `outcomeId` null: of whichever outcome. */
export async function findEscalation(tx: Tx, outcomeId: string | null, id: string): Promise<EscalationView | null> {
  const { rows } = await sql`
    ${selectEscalations} where e.id = ${id} and ${outcomeId === null ? sql`true` : sql`e.outcome_id = ${outcomeId}`}`.execute(
    tx,
  );
  return rows[0] === undefined ? null : escalationRow.parse(rows[0]);
}

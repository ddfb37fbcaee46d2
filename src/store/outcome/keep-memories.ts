// The owner's memory across outcomes: what is learnt is kept once, what was used is counted, and what fits an outcome is found.

import { sql } from "kysely";
import { statementIn, type Tx } from "../../db/database.ts";
import type { Outcome } from "../../domain/homr/outcome.ts";
import type { NewMemory, OutcomeChange } from "../../outcomes/ports/outcome-store.ts";
import { toJson } from "../json.ts";

// Said again by another outcome: it is believed a little more.
const keepText = `
  insert into homr_memories as m (id, user_id, type, importance, content, confidence, outcome_id, task_id, is_tainted)
  select n.id, $1::uuid, n.type, n.importance, n.content, n.confidence, $2::uuid, n."taskId", n."isTainted"
    from jsonb_to_recordset($3::jsonb) as n (id uuid, type text, importance text, content text, confidence real, "taskId" uuid,
      "isTainted" boolean)
  on conflict (user_id, md5(lower(content))) do update set confidence = least(1, m.confidence + 0.05), updated_at = run_now()
   where m.outcome_id is distinct from $2::uuid`;

export async function keepMemories(tx: Tx, outcome: Outcome, memories: readonly NewMemory[]): Promise<void> {
  if (memories.length > 0) await statementIn(tx)(keepText, [outcome.userId, outcome.id, toJson(memories)]);
}

type WeighedMemories = OutcomeChange["weighed"][number];

export async function weighMemories(
  tx: Tx,
  { userId }: Outcome,
  { memoryIds, hasHelped }: WeighedMemories,
): Promise<void> {
  await sql`update homr_memories set times_used = times_used + 1, times_helped = times_helped + ${hasHelped ? 1 : 0},
      confidence = greatest(0, least(1, confidence + ${hasHelped ? 0.05 : -0.1}::real)), updated_at = run_now()
    where user_id = ${userId} and id = any (${[...memoryIds]}::uuid[])`.execute(tx);
}

// Reviews of an outcome: what each of them found.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { KeptReview } from "../../outcomes/ports/outcome-store.ts";
import { cleanText, toJson } from "../json.ts";

export async function keepReview(tx: Tx, outcomeId: OutcomeId, review: KeptReview): Promise<void> {
  const { cycle, findings, isClean, summary, taskId } = review;
  await sql`insert into homr_reviews (outcome_id, cycle, findings, is_clean, summary, task_id)
    values (${outcomeId}, ${cycle}, ${toJson(findings)}::jsonb, ${isClean}, ${cleanText(summary)}, ${taskId})`.execute(
    tx,
  );
}

export async function countReviews(tx: Tx, outcomeId: OutcomeId): Promise<number> {
  const { rows } = await sql<{ reviews: number }>`
    select coalesce(max(cycle), 0)::int as reviews from homr_reviews where outcome_id = ${outcomeId}`.execute(tx);
  return rows[0]?.reviews ?? 0;
}

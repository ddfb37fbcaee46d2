// Deletes an outcome that is locked and has nothing at work: nothing finds it any more, and its notifications are read. Its rows stay
// for what its runs and the ledger refer to.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Outcome } from "../../domain/homr/outcome.ts";
import { appendToFeed } from "../notification/feed-store.ts";
import { outcomeTopic, tellTopics } from "../notification/topics.ts";

export async function deleteOutcome(tx: Tx, { id, userId }: Pick<Outcome, "id" | "userId">): Promise<void> {
  await sql`update outcomes set deleted_at = run_now(), updated_at = run_now() where id = ${id} and deleted_at is null`.execute(
    tx,
  );
  await appendToFeed(tx, userId, "outcome_changed", { id, status: "deleted" });
  await sql`update user_notifications set read_at = run_now() where user_id = ${userId} and read_at is null
    and (about = ${`outcome:${id}`} or data->>'outcome_id' = ${id})`.execute(tx);
  await tellTopics(tx, [outcomeTopic(id)]);
}

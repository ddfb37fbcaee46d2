// Locks an outcome for a change and reads it. The lock is a statement of its own: what is read afterwards is read after the wait.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { OutcomeState } from "../../domain/homr/outcome-state.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import { readOutcome } from "./read-outcome.ts";

export async function lockOutcome(
  tx: Tx,
  id: OutcomeId,
  spokenOf: readonly TaskId[] = [],
): Promise<OutcomeState | null> {
  const { rows } = await sql`select from outcomes where id = ${id} and deleted_at is null for no key update`.execute(
    tx,
  );
  if (rows.length === 0) return null;
  await addLateCosts(tx, id);
  return readOutcome(tx, id, spokenOf);
}

/** Calls that were settled after their run had ended and was counted. */
async function addLateCosts(tx: Tx, id: OutcomeId): Promise<void> {
  await sql`
    with late as (delete from outcome_late_costs where outcome_id = ${id} returning cost_micro_usd, tokens, unpriced_calls),
    sums as (select sum(cost_micro_usd) as cost, sum(tokens) as tokens, sum(unpriced_calls) as unpriced from late having count(*) > 0)
    update outcomes o set cost_micro_usd = o.cost_micro_usd + sums.cost, tokens = o.tokens + sums.tokens,
           unpriced_calls = o.unpriced_calls + sums.unpriced from sums where o.id = ${id}`.execute(tx);
}

// What a person said to the workers was taken back. The outcome is locked.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

export async function dismissIntervention(tx: Tx, id: string): Promise<void> {
  await sql`update outcome_interventions set status = 'dismissed', updated_at = run_now() where id = ${id}`.execute(tx);
}

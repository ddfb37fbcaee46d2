// Whether the work of a run may hold words of strangers: it began with some, has read some, or an agent did it, and what
// an agent reads is not known. Asked in the name of its user.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { engines, type RunId } from "../../domain/run/run.ts";
import { idColumn } from "../row.ts";
import { hasBegunUntrusted, hasReadUntrustedSince, readMemory } from "../workspace/planner-store.ts";

const runRow = z.object({
  engine: z.enum(engines),
  iteration: z.number(),
  follows_run_id: idColumn<RunId>().nullable(),
  has_foreign_texts: z.boolean(),
});

export async function isWorkTainted(tx: Tx, runId: RunId): Promise<boolean> {
  const { rows } = await sql`select engine, iteration, follows_run_id, foreign_texts <> '[]' as has_foreign_texts
    from homework_runs where id = ${runId}`.execute(tx);
  const { engine, iteration, follows_run_id: followsRunId, has_foreign_texts: isGivenSome } = runRow.parse(rows[0]);
  if (engine === "agent" || isGivenSome) return true;
  const memory = await readMemory(tx, runId, iteration);
  // Its first iteration left no memory: it had read at least what the run before it wrote.
  if (memory.iteration === 0 && followsRunId !== null && (await isWorkTainted(tx, followsRunId))) return true;
  return (
    memory.hasReadUntrusted ||
    (await hasBegunUntrusted(tx, runId)) ||
    (await hasReadUntrustedSince(tx, runId, memory.iteration))
  );
}

// Asks the database whether everything that must be true of runs is (run-invariants.sql).

import { readFileSync } from "node:fs";
import { CompiledQuery } from "kysely";
import { z } from "zod";
import type { Database } from "../db/database.ts";

const program = readFileSync(new URL("./run-invariants.sql", import.meta.url), "utf8");

export type Violation = { readonly invariant: string; readonly runId: string | null; readonly detail: string };

const rowsOf = z.array(z.object({ invariant: z.string(), run_id: z.string().nullable(), detail: z.string() }));

/** Without a limit, slots are not looked at. Empty: all is well. */
export async function findViolations(db: Database, maxConcurrentRuns: number | null): Promise<readonly Violation[]> {
  const { rows } = await db.system.executeQuery(CompiledQuery.raw(program, [maxConcurrentRuns]));
  return rowsOf.parse(rows).map(({ run_id: runId, ...violation }) => ({ ...violation, runId }));
}

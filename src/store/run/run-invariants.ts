// Asks the database whether everything that must be true of runs is (run-invariants.sql).

import { readFileSync } from "node:fs";
import { CompiledQuery } from "kysely";
import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { rowOf } from "../row.ts";

const program = readFileSync(new URL("./run-invariants.sql", import.meta.url), "utf8");

const violationRow = rowOf({ invariant: z.string(), runId: z.string().nullable(), detail: z.string() });
export type Violation = z.infer<typeof violationRow>;

/** Without a limit, slots are not looked at. Empty: all is well. */
export async function findViolations(db: Database, maxConcurrentRuns: number | null): Promise<readonly Violation[]> {
  const { rows } = await db.system.executeQuery(CompiledQuery.raw(program, [maxConcurrentRuns]));
  return z.array(violationRow).parse(rows);
}

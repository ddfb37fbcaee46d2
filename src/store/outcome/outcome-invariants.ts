// Asks the database whether everything that must be true of outcomes is (outcome-invariants.sql).

import { readFileSync } from "node:fs";
import { CompiledQuery } from "kysely";
import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { rowOf } from "../row.ts";

const program = readFileSync(new URL("./outcome-invariants.sql", import.meta.url), "utf8");

const violationRow = rowOf({ invariant: z.string(), outcomeId: z.string(), detail: z.string() });
export type OutcomeViolation = z.infer<typeof violationRow>;

/** Empty: all is well. */
export async function findOutcomeViolations(db: Database): Promise<readonly OutcomeViolation[]> {
  const { rows } = await db.system.executeQuery(CompiledQuery.raw(program, []));
  return z.array(violationRow).parse(rows);
}

// What a tool answered in an earlier entry of a run, as the journal kept it. Read in the user's name; must not open
// what models answered, nor entries of another run.

import { z } from "zod";
import type { Tx } from "../../db/database.ts";

export type EntryResult = {
  readonly tool: string;
  readonly ok: boolean;
  readonly text: string;
  readonly isUntrusted: boolean;
};

const answered = z.object({
  tool: z.string(),
  outcome: z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), text: z.string(), isUntrusted: z.boolean() }),
    z.object({ ok: z.literal(false), text: z.string(), isUntrusted: z.literal(true).optional() }),
  ]),
});

/** Entries keep their result beside their artifacts; effects of the outside world keep it alone. */
const stored = z.union([z.object({ result: answered }).transform(({ result }) => result), answered]);

/** Null where there is no such entry, or it is not a tool's, or it has not ended. */
export async function findEntryResult(
  tx: Tx,
  entry: { readonly runId: string; readonly iteration: number; readonly key: string },
): Promise<EntryResult | null> {
  const row = await tx
    .selectFrom("journal_entries")
    .select("result")
    .where("run_id", "=", entry.runId)
    .where("iteration", "=", entry.iteration)
    .where("key", "=", entry.key)
    .where("state", "=", "done")
    .where("kind", "in", ["tool", "effect"])
    .executeTakeFirst();
  const parsed = stored.safeParse(row?.result);
  if (!parsed.success) return null;
  const { tool, outcome } = parsed.data;
  return { tool, ok: outcome.ok, text: outcome.text, isUntrusted: outcome.isUntrusted === true };
}

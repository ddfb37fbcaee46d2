// Memories of the owner that fit an outcome, by the words of both; the best first. Which of them are offered is the rules' to say.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { importances, memoryTypes, type OfferedMemory } from "../../domain/homr/context/memory.ts";
import type { Outcome } from "../../domain/homr/outcome.ts";
import { rowOf } from "../row.ts";

const candidatesMax = 30;
/** Words of an outcome that are looked for; more make the search slow and no better. */
const wordsMax = 200;

const memoryRow = rowOf({
  id: z.string(),
  type: z.enum(memoryTypes),
  importance: z.enum(importances),
  content: z.string(),
  confidence: z.number(),
  isTainted: z.boolean(),
  match: z.number(),
});

/** One that is being deleted is left out; the others cannot be deleted before this transaction has ended. */
export async function findMemories(
  tx: Tx,
  { userId, name, brief, intent }: Outcome,
): Promise<readonly OfferedMemory[]> {
  const about = [name, intent.summary, ...intent.items.map(({ title }) => title), brief].join("\n").slice(0, 20_000);
  // A rank of its own is between 0 and 1 with normalisation 32.
  const { rows } = await sql`
    with words as (select string_agg(quote_literal(lexeme), ' | ') as any_of
      from (select lexeme from unnest(to_tsvector('simple', ${about}::text)) where length(lexeme) > 3 limit ${wordsMax}) as w)
    select m.id, m.type, m.importance, m.content, m.confidence::float8 as confidence, m.is_tainted,
           ts_rank(m.search, words.any_of::tsquery, 32)::float8 as match
      from words, homr_memories m where m.user_id = ${userId} and words.any_of is not null and m.search @@ words.any_of::tsquery
     order by match desc, m.updated_at desc, m.id limit ${candidatesMax}
       for key share of m skip locked`.execute(tx);
  return z.array(memoryRow).parse(rows);
}

// Full-text search; the queries and the checks of membership and ownership are the database functions `app_search` and
// `app_search_outcomes`.

import { type QueryResult, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { canceled, sqlState } from "../../db/errors.ts";
import { entityKinds } from "../../domain/entity/kinds.ts";
import { AppError } from "../../lib/app-error.ts";

const row = z.object({
  kind: z.enum(["project", ...entityKinds]),
  id: z.string(),
  project_id: z.string(),
  project_name: z.string(),
  title: z.string(),
  state_key: z.string(),
  updated_at: z.string(),
  headline: z.string().nullable(),
});

export type SnippetPart = { readonly text: string; readonly match: boolean };
export type SearchHit = Omit<z.infer<typeof row>, "headline"> & { readonly snippet: readonly SnippetPart[] };

export type SearchQuery = {
  readonly q: string;
  readonly project_id?: string | undefined;
  readonly kind?: string | undefined;
  /** Only what this run of the user's own wrote; of another's there is nothing. */
  readonly run_id?: string | undefined;
  /** Also the pages that runs keep for themselves. */
  readonly include_working_notes?: boolean | undefined;
  readonly limit: number;
};

export async function search(tx: Tx, query: SearchQuery): Promise<readonly SearchHit[]> {
  if (isOutcomeKind(query.kind)) return [];
  const { rows } = await inTime(
    tx,
    sql`
    select kind, id, project_id, project_name, title, state_key, updated_at, headline
      from app_search(${query.q}, ${query.project_id ?? null}::uuid, ${query.kind ?? null}::text,
                      ${query.run_id ?? null}::uuid, ${query.include_working_notes ?? false}, ${query.limit}::int)`,
  );
  return rows.map((found) => {
    const { headline, ...hit } = row.parse(found);
    return { ...hit, snippet: toSnippet(headline ?? "") };
  });
}

const outcomeKinds = ["outcome", "escalation", "observation"] as const;
const isOutcomeKind = (kind: string | undefined) => outcomeKinds.some((each) => each === kind);

const outcomeRow = z.object({
  kind: z.enum(outcomeKinds),
  id: z.string(),
  outcome_id: z.string(),
  outcome_name: z.string(),
  title: z.string(),
  state_key: z.string(),
  updated_at: z.string(),
  headline: z.string().nullable(),
});
export type OutcomeHit = Omit<z.infer<typeof outcomeRow>, "headline"> & { readonly snippet: readonly SnippetPart[] };

/** In one's own outcomes, and what HOMЯ asked and saw there. What a run wrote is not among them. */
export async function searchOutcomes(tx: Tx, query: SearchQuery): Promise<readonly OutcomeHit[]> {
  if (query.run_id !== undefined || (query.kind !== undefined && !isOutcomeKind(query.kind))) return [];
  const { rows } = await inTime(
    tx,
    sql`
    select kind, id, outcome_id, outcome_name, title, state_key, updated_at, headline
      from app_search_outcomes(${query.q}, ${query.project_id ?? null}::uuid, ${query.kind ?? null}::text, ${query.limit}::int)`,
  );
  return rows.map((found) => {
    const { headline, ...hit } = outcomeRow.parse(found);
    return { ...hit, snippet: toSnippet(headline ?? "") };
  });
}

/** A search of a large installation takes some hundred milliseconds; one that takes far longer is stopped, not left to hold its connection. */
const searchMs = 5_000;

async function inTime<Row>(tx: Tx, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  const { rows } = await sql<{ usual: string }>`
    select current_setting('statement_timeout') as usual, set_config('statement_timeout', ${String(searchMs)}, true)`.execute(
    tx,
  );
  try {
    const found = await statement.execute(tx);
    await sql`select set_config('statement_timeout', ${rows[0]?.usual ?? "0"}, true)`.execute(tx);
    return found;
  } catch (thrown) {
    if (sqlState(thrown) === canceled) throw new AppError("busy", "The search took too long; try other words");
    throw thrown;
  }
}

/** The database marks matches with control characters 1 and 2, and the end of a fragment with 3. */
export function toSnippet(headline: string): readonly SnippetPart[] {
  return headline
    .replaceAll("\u0003", " … ")
    .split("\u0001")
    .flatMap((piece, index) => {
      if (index === 0) return [{ text: piece, match: false }];
      const [match = "", rest = ""] = piece.split("\u0002", 2);
      return [
        { text: match, match: true },
        { text: rest, match: false },
      ];
    })
    .filter((part) => part.text !== "")
    .filter((part, _, parts) => parts.length > 1 || part.text.trim() !== ""); // Only the title matched.
}

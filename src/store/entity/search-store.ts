// Full-text search; the queries and the checks of membership and ownership are the database functions `app_search` and
// `app_search_outcomes`.

import { type QueryResult, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { canceled, sqlState } from "../../db/errors.ts";
import { type EntityKind, entityKinds, kindSpecs } from "../../domain/entity/kinds.ts";
import { AppError } from "../../lib/app-error.ts";
import { cutAtWord } from "../../lib/slice-text.ts";

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
  await sql`select set_config('app.usual_timeout', current_setting('statement_timeout'), true),
                   set_config('statement_timeout', ${String(searchMs)}, true)`.execute(tx);
  try {
    const found = await statement.execute(tx);
    await sql`select set_config('statement_timeout', current_setting('app.usual_timeout'), true)`.execute(tx);
    return found;
  } catch (thrown) {
    if (sqlState(thrown) === canceled) throw new AppError("busy", "The search took too long; try other words");
    throw thrown;
  }
}

/** As much of a text as two lines of a page hold. */
const beginningLength = 320;

type Found = {
  readonly kind: SearchHit["kind"] | OutcomeHit["kind"];
  readonly id: string;
  readonly snippet: readonly SnippetPart[];
};

/** Of hits whose title alone matched, the database shows six words: for people, the beginning of the text stands there instead. */
export async function lengthenSnippets<Hit extends Found>(tx: Tx, hits: readonly Hit[]): Promise<readonly Hit[]> {
  const short = hits.filter(({ snippet }) => !snippet.some(({ match }) => match));
  const beginnings = new Map<string, string>();
  for (const [kind, ofKind] of Map.groupBy(short, (hit) => hit.kind)) {
    const source = beginningOf(kind);
    if (source === null) continue;
    const ids = ofKind.map(({ id }) => id);
    const { rows } = await sql<{ id: string; body: string }>`
      select id, left(${source}, ${beginningLength + 1}::int) as body from ${tableOfHit(kind)} where id = any (${ids}::uuid[])`.execute(
      tx,
    );
    for (const { id, body } of rows) beginnings.set(id, body);
  }
  return hits.map((hit) => {
    const text = cutAtWord(beginnings.get(hit.id)?.trim() ?? "", beginningLength);
    return text === "" ? hit : { ...hit, snippet: [{ text, match: false }] };
  });
}

const tableOfHit = (kind: Found["kind"]) => {
  if (kind === "outcome") return sql.table("outcomes");
  return sql.table(kind in kindSpecs ? kindSpecs[kind as EntityKind].table : "onto_projects");
};

/** What a reader would see first; null for questions and result checks, whose title is their text. */
function beginningOf(kind: Found["kind"]): RawBuilder<string> | null {
  if (kind === "escalation" || kind === "observation") return null;
  // The summary of an intent is often the brief itself.
  if (kind === "outcome")
    return sql`coalesce(nullif(trim(intent->>'summary'), trim(brief)), '') || chr(10) || chr(10) || brief`;
  return kind === "project"
    ? sql`description`
    : sql`description || chr(10) || chr(10) || left(content, ${beginningLength + 1}::int)`;
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

// The web pages that a run opened or tried to open, and the searches it made, as its journal tells. Reads only, in the user's
// transaction.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { normalUrl } from "../../domain/policy/web-address.ts";
import { readPageHead } from "../../domain/workspace/page-head.ts";
import { cut, oneLine } from "../../domain/workspace/pages.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { rowOf, whole } from "../row.ts";

export type RunSource = {
  readonly id: string;
  readonly kind: "page" | "search";
  /** Of a page: its title, else what was asked for where that is no web address; of a search: what was looked for. */
  readonly title: string;
  readonly url: string | null;
  readonly state: "opened" | "failed" | "under_way";
  readonly why: string | null;
  readonly results: number | null;
  readonly iteration: number;
  readonly at: string;
};

/** The lines about a page stand at the beginning of a result. */
const headMax = 3_000;
const [titleMax, whyMax] = [300, 300];

const sourceRow = rowOf({
  iteration: whole,
  key: z.string(),
  tool: z.enum(["web_fetch", "web_search"]),
  state: z.enum(["intended", "done", "uncertain"]),
  error: z.string().nullable(),
  args: z.unknown(),
  head: z.string().nullable(),
  results: z.number().nullable(),
  beganAt: z.string(),
});
type SourceRow = z.infer<typeof sourceRow>;

/** In the order in which they were opened, so what comes later is at the end. */
export async function listSources(tx: Tx, runId: string, { limit, cursor }: PageQuery): Promise<Page<RunSource>> {
  const from = decodeCursor("sources", "number", cursor)?.[0] ?? 0;
  const { rows } = await sql`
    select iteration, key, tool, state, error, args, left(outcome->>'text', ${headMax}) as head,
           case when jsonb_typeof(outcome->'foundUrls') = 'array' then jsonb_array_length(outcome->'foundUrls') end as results,
           began_at
      from (select iteration, key, tool, state, error, args, began_at,
                   coalesce(result->'result'->'outcome', result->'outcome') as outcome
              from journal_entries where run_id = ${runId} and tool in ('web_fetch', 'web_search')
             order by iteration, began_at, key offset ${from} limit ${limit + 1}) read
     order by iteration, began_at, key`.execute(tx);
  const found = z.array(sourceRow).parse(rows).map(toSource);
  const numbered = found.map((source, index) => ({ source, at: from + index + 1 }));
  const page = toPage("sources", numbered, limit, ({ at }) => [at]);
  return { ...page, items: page.items.map(({ source }) => source) };
}

function toSource(row: SourceRow): RunSource {
  const { iteration, key, state, beganAt: at } = row;
  const isFailed = row.error !== null || state === "uncertain";
  return {
    id: `${iteration}/${key}`,
    ...(row.tool === "web_search" ? readSearch(row) : readPage(row)),
    state: isFailed ? "failed" : state === "intended" ? "under_way" : "opened",
    why: isFailed ? tellFailure(row.error) : null,
    iteration,
    at,
  };
}

const given = z.object({ url: z.string(), query: z.string() }).partial();

function readSearch({ args, results }: SourceRow) {
  const title = line(given.safeParse(args).data?.query ?? "", titleMax);
  return { kind: "search", title, url: null, results } as const;
}

function readPage({ args, head, error }: SourceRow) {
  const asked = given.safeParse(args).data?.url ?? "";
  const page = error === null ? readPageHead(head ?? "") : null;
  const url = normalUrl(page?.url ?? asked);
  return {
    kind: "page",
    title: line(page?.title ?? (url === null ? asked : ""), titleMax),
    url,
    results: null,
  } as const;
}

/** What failed is said by the place where it stands. */
const tellFailure = (error: string | null): string =>
  error === null
    ? "interrupted"
    : line(error.replace(/^The (?:page was not read|search did not work): /, "").replace(/\.$/, ""), whyMax);

const line = (text: string, max: number): string => cut(oneLine(text.slice(0, 4 * max)), max);

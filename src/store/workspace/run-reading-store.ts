// What a run has really read: the web pages it opened and the things of the user's it looked at, as its journal tells. A source
// counts only if it is among them.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { sourceKey } from "../../domain/run/checks/measure-document.ts";
import type { RunId } from "../../domain/run/run.ts";
import { readPageHead } from "../../domain/workspace/page-head.ts";

export type ReadByRun = {
  /** As `sourceKey` makes them. */
  readonly urls: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
};

/** More calls than a run's budgets allow for. */
const rowsMax = 5_000;
/** Address and header lines stand at the beginning of a result. */
const headMax = 3_000;

const readRow = z.object({ tool: z.string().nullable(), head: z.string().nullable(), args: z.unknown() });
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

export async function findReadByRun(tx: Tx, runId: RunId): Promise<ReadByRun> {
  const { rows } = await sql`
    select tool, left(outcome->>'text', ${headMax}) as head, args from (
      select coalesce(s.result->'result'->>'tool', s.result->>'tool') as tool,
             coalesce(s.result->'result'->'outcome', s.result->'outcome') as outcome, to_jsonb(s)->'args' as args
        from journal_entries s where s.run_id = ${runId} and s.kind in ('tool', 'effect') and s.state = 'done') read
     where (tool = 'web_fetch' or tool like 'get\_%') and outcome->>'ok' = 'true' limit ${rowsMax}`.execute(tx);
  const read = z.array(readRow).parse(rows);
  const pages = read.filter(({ tool }) => tool === "web_fetch");
  const things = read.filter(({ tool }) => tool !== "web_fetch");
  return {
    urls: new Set(pages.flatMap((page) => [...addressesIn(page.head ?? ""), ...askedFor(page.args)]).map(sourceKey)),
    ids: await withoutOwn(tx, runId, [
      ...things.flatMap(({ head }) => (head?.split("\n", 1)[0]?.match(uuid) ?? []).slice(0, 1)).map(lower),
      ...(await readShown(tx, runId)),
    ]),
  };
}

/** What the run wrote itself is no source, also if it read it again. */
async function withoutOwn(tx: Tx, runId: RunId, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql`
    select id from onto_documents where id = any (${ids}::uuid[]) and created_by_run = ${runId}`.execute(tx);
  const own = new Set(shownRow.parse(rows).map(({ id }) => id));
  return new Set(ids.filter((id) => !own.has(id)));
}

const shownRow = z.array(z.object({ id: z.string() }));

/** Short documents stand whole in the opening of a session. */
async function readShown(tx: Tx, runId: RunId): Promise<readonly string[]> {
  const { rows } = await sql`
    select distinct jsonb_array_elements_text(s.result->'result'->'shown') as id from journal_entries s
     where s.run_id = ${runId} and s.key = 'opening' and jsonb_typeof(s.result->'result'->'shown') = 'array'
     limit ${rowsMax}`.execute(tx);
  return shownRow.parse(rows).map(({ id }) => id);
}

const lower = (text: string): string => text.toLowerCase();

/** Where the page was, and where the run asked for it. */
function addressesIn(head: string): readonly string[] {
  const page = readPageHead(head);
  return page === null ? [] : [page.url, page.asked];
}

const askedFor = (args: unknown): readonly string[] => {
  const parsed = z.object({ url: z.string() }).safeParse(args);
  return parsed.success ? [parsed.data.url] : [];
};

// Parts of a run that its page opens one by one: its scratchpad, and what each iteration used. Reads only, in the user's
// transaction: row level security leaves nothing but what they may see.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { iterationStatuses } from "../../domain/run/iteration-result.ts";
import { pageTypes } from "../../domain/workspace/pages.ts";
import { type NotedEntry, splitEntries } from "../../domain/workspace/scratchpad.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { rowOf, whole } from "../row.ts";

export type ScratchpadNote = NotedEntry & { readonly documentId: string; readonly projectId: string };

const pageRow = rowOf({ id: z.string(), projectId: z.string(), content: z.string() });

/** The latest entry first. Entries go up by iteration, page after page; text above the first entry of a page is left out. */
export async function listScratchpad(
  tx: Tx,
  runId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<ScratchpadNote>> {
  const before = decodeCursor("scratchpad", "number", cursor)?.[0] ?? null;
  const notes: ScratchpadNote[] = [];
  // A page usually has several entries: reading ends long before this, unless people emptied them.
  for (let read = 0; read < pagesMax && notes.length <= limit; read++) {
    const page = await scratchpadPage(tx, runId, before, read);
    if (page === null) break;
    const found = splitEntries(page.content).filter(({ iteration }) => before === null || iteration < before);
    notes.push(...found.toReversed().map((entry) => ({ ...entry, documentId: page.id, projectId: page.projectId })));
  }
  return toPage("scratchpad", notes.slice(0, limit + 1), limit, ({ iteration }) => [iteration]);
}

/** Documents that one request looks at. */
const pagesMax = 200;

/** The newest that may hold entries from before this one, or one further back. */
async function scratchpadPage(tx: Tx, runId: string, before: number | null, back: number) {
  const { rows } = await sql`
    select d.id, d.project_id, d.content from onto_documents d
     where d.created_by_run = ${runId} and d.type_key = ${pageTypes.scratchpad} and d.deleted_at is null
       and (${before}::int is null or coalesce(d.props->'homework'->'iteration', '0') < to_jsonb(${before}::int))
     order by d.created_at desc, d.id desc offset ${back} limit 1`.execute(tx);
  const [row] = rows;
  return row === undefined ? null : pageRow.parse(row);
}

const useRow = rowOf({
  iteration: whole,
  status: z.enum(iterationStatuses),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  runningMs: whole,
  costMicroUsd: whole,
  tokens: whole,
  toolCalls: whole,
});
export type IterationUse = z.infer<typeof useRow>;

/** More than a run may have, and as much as a picture has room for. */
const seriesMax = 10_000;

/** Oldest first. One that has not ended, which is the last: what the run has spent since it began. */
export async function listUse(tx: Tx, runId: string): Promise<readonly IterationUse[]> {
  const used = (name: string) => sql`coalesce((i.metrics->>${name})::bigint,
    greatest(0, ${sql.ref(`r.${name}`)} - (i.metrics->'before'->>${name})::bigint), 0) as ${sql.ref(name)}`;
  const { rows } = await sql`
    select i.iteration, i.status, i.started_at, i.ended_at, ${used("running_ms")}, ${used("cost_micro_usd")},
           ${used("tokens")}, ${used("tool_calls")}
      from homework_run_iterations i join homework_runs r on r.id = i.run_id
     where i.run_id = ${runId} order by i.iteration desc limit ${seriesMax}`.execute(tx);
  return z.array(useRow).parse(rows).toReversed();
}

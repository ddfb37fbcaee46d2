// What a run has read on the web, written into its journal as the tools write it: no test reaches the real web.

import pg from "pg";
import { renderPageHead } from "../../src/domain/workspace/page-head.ts";
import { embeddedDatabase } from "../chaos/chaos-database.ts";

export type SampleSource = {
  readonly tool: "web_fetch" | "web_search";
  readonly args: object;
  readonly outcome: object;
  readonly error?: string;
  readonly iteration?: number;
};

export const openedPage = (url: string, title: string, iteration = 1): SampleSource => ({
  ...{ tool: "web_fetch", args: { url }, iteration },
  outcome: { ok: true, text: [...renderPageHead({ url, asked: url, title }), "", "Its text."].join("\n") },
});

export function failedPage(url: string, why: string): SampleSource {
  const text = `The page was not read: ${why}.`;
  return { tool: "web_fetch", args: { url }, outcome: { ok: false, text }, error: text };
}

export const search = (query: string, foundUrls: readonly string[]): SampleSource => ({
  ...{ tool: "web_search", args: { query } },
  outcome: { ok: true, text: "", foundUrls },
});

/** Into the embedded database of this data folder. */
export async function insertSources(data: string, runId: string, sources: readonly SampleSource[]): Promise<void> {
  const client = new pg.Client(embeddedDatabase(data).adminUrl());
  await client.connect();
  try {
    for (const [place, { tool, args, outcome, error = null, iteration = 1 }] of sources.entries())
      await client.query(
        `insert into homework.journal_entries
           (run_id, iteration, key, kind, state, fence, tool, args, result, error, began_at, ended_at)
         select run_id, iteration, $3, 'effect', 'done', 1, $4, $5, $6, $7,
                started_at + make_interval(secs => $8 / 1000.0), coalesce(ended_at, now())
           from homework.homework_run_iterations where run_id = $1 and iteration = $2`,
        [runId, iteration, `web:${place}`, tool, JSON.stringify(args), JSON.stringify({ tool, outcome }), error, place],
      );
  } finally {
    await client.end();
  }
}

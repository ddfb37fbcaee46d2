// What a run left behind: what it wrote, and what our ledger says beside the books of the lab, call by call.

import type pg from "pg";
import { z } from "zod";
import type { Lab } from "../lab/lab.ts";
import type { LabEntry } from "../lab/ledger.ts";

const whole = z.coerce.number();
const callRow = z.object({
  state: z.string(),
  priced_by: z.string().nullable(),
  input: whole,
  cached: whole,
  written: whole,
  output: whole,
  cost: whole,
  reserved: whole,
});
export type CallRow = z.output<typeof callRow>;

const totals = z.object({ cost: whole, tokens: whole });
const runRow = totals.extend({ report: totals, told: totals, events: whole });

export async function readCalls(admin: pg.Pool, owner: "run_id" | "chat_session_id", id: string) {
  const { rows } = await admin.query(
    `select state, priced_by, input_tokens as input, cached_tokens as cached, written_tokens as written,
            output_tokens as output, cost_micro_usd as cost, reserved_micro_usd as reserved
       from homework.llm_usage_logs where ${owner} = $1`,
    [id],
  );
  return z.array(callRow).parse(rows);
}

/** In the run, in its report, and as it was told on the way. */
export async function readTotals(admin: pg.Pool, runId: string) {
  const { rows } = await admin.query(
    `select cost_micro_usd as cost, tokens,
            json_build_object('cost', report->'metrics'->'total_cost_micro_usd',
                              'tokens', report->'metrics'->'total_tokens') as report,
            (select json_build_object('cost', coalesce(sum((event->>'cost_micro_usd')::bigint), 0),
                                      'tokens', coalesce(sum((event->>'tokens')::bigint), 0))
               from homework.homework_run_events where run_id = r.id and type = 'iteration_cost_update') as told,
            (select count(*) from homework.homework_run_events where run_id = r.id and type = 'iteration_cost_update') as events
       from homework.homework_runs r where id = $1`,
    [runId],
  );
  return runRow.parse(rows[0]);
}

/** `document The hall`, `task …`, `note …`: what the user has and the notes of executors, without pages the platform keeps. */
export async function readWritten(admin: pg.Pool, runId: string): Promise<readonly string[]> {
  const { rows } = await admin.query(
    `select case type_key when 'document.homework.note' then 'note ' else 'document ' end || title as line
       from homework.onto_documents where created_by_run = $1
        and type_key not in ('document.homework.workspace', 'document.homework.scratchpad', 'document.homework.plan',
                             'document.homework.summary', 'document.homework.branch')
     union all select 'task ' || title from homework.onto_tasks where created_by_run = $1`,
    [runId],
  );
  return rows.map(({ line }) => String(line)).toSorted();
}

export async function readContents(admin: pg.Pool, runId: string, title: string): Promise<readonly string[]> {
  const { rows } = await admin.query(
    "select content from homework.onto_documents where created_by_run = $1 and title = $2",
    [runId, title],
  );
  return rows.map(({ content }) => String(content));
}

type Line = Pick<CallRow, "state" | "input" | "cached" | "written" | "output"> & { readonly cost: number | "reserved" };

/** A row of ours has to be this, from the provider's line about the same call. */
function expectLine({ state, ...entry }: LabEntry, isReserved: boolean): Line {
  const nothing = { input: 0, cached: 0, written: 0, output: 0 };
  if (state === "refused" || (state === "lost" && !isReserved)) return { state: "settled", ...nothing, cost: 0 };
  if (state === "lost") return { state: "unknown", ...nothing, cost: "reserved" };
  return {
    state: "settled",
    input: entry.inputTokens,
    cached: entry.cacheReadTokens,
    written: entry.cacheWriteTokens,
    output: entry.outputTokens,
    cost: entry.costMicroUsd,
  };
}

/** What is lost is paid as it was reserved, which is nothing where there is no price; so is an answer without figures. */
function toLine({ priced_by: _by, reserved, ...row }: CallRow): Line {
  if (row.state !== "unknown") return row;
  return reserved === 0
    ? { ...row, state: "settled" }
    : { ...row, cost: row.cost === reserved ? "reserved" : row.cost };
}

const inOrder = (lines: readonly Line[]): readonly string[] =>
  lines
    .map(({ state, input, cached, written, output, cost }) =>
      JSON.stringify([state, input, cached, written, output, cost]),
    )
    .toSorted();

/** Both books as lines that can be compared; `resent` requests were refused and are no calls of their own in ours. */
export function compareBooks(rows: readonly CallRow[], lab: Lab, resent: number) {
  const isReserved = rows.some(({ reserved }) => reserved > 0);
  const refused = lab.ledger.entries.filter(({ state }) => state === "refused").slice(resent);
  const others = lab.ledger.entries.filter(({ state }) => state !== "refused");
  return {
    ours: inOrder(rows.map(toLine)),
    theirs: inOrder([...refused, ...others].map((entry) => expectLine(entry, isReserved))),
  };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

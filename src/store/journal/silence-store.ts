// Calls of models that are not answered, on their rows of the ledger: noted while they are under way, read with what their request has
// cost by now, and no longer there once they are settled.

import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { statementIn, type Tx } from "../../db/database.ts";
import { silenceToldEveryMs } from "../../domain/run/provider/silence.ts";
import type { Kept, ModelCall, NotedSilence, Silence } from "../../runs/ports/run-store.ts";
import { rowOf, whole } from "../row.ts";
import type { HeldOwner } from "./journal-owners.ts";

/** Rows `s` of the same request as `l`; `owner` names the two columns that say whose it is. */
const ofRequest = (owner: string) => {
  const [id, turn] = owner.split(", ");
  return `s.${id} = l.${id} and s.${turn} = l.${turn} and s.entry_key = l.entry_key`;
};

/** Those of an earlier lease are not among the tries that are left to this one. */
const tries = "count(*) filter (where s.fence is not distinct from l.fence)";

/** Of the call `l`: what is told of its silence, by the names of the domain. */
const describedCall = (owner: string) => `(select json_build_object('entry', l.entry_key, 'model', l.model,
    'sinceMs', floor(1000 * extract(epoch from l.silent_since)), 'tries', ${tries}, 'triesMost', ${tries} + l.tries_left,
    'atStakeMicroUsd', case when not bool_or(s.is_unpriced) then nullif(sum(s.reserved_micro_usd) filter (where s.state <> 'settled'), 0) end)
  from llm_usage_logs s where ${ofRequest(owner)})`;

/** Of the run `r`: its calls that are not answered now, the longest first. */
export const silencesOfRun = `coalesce((select json_agg(${describedCall("run_id, iteration")} order by l.silent_since)
    from llm_usage_logs l where l.run_id = r.id and r.status = 'running' and l.fence = r.fence and l.state = 'reserved'
     and l.silent_since is not null), '[]')`;

export const silencesColumn = z.array(
  z.object({
    entry: z.string(),
    model: z.string(),
    sinceMs: whole,
    tries: whole,
    triesMost: whole,
    atStakeMicroUsd: whole.nullable(),
  }),
);

const setSilence = "silent_since = run_now() - make_interval(secs => $2::float8 / 1000), tries_left = $3::int";
const notedRow = rowOf({
  noted: z.object({
    model: z.string(),
    tries: whole,
    /** Null once it is heard again. */
    triesMost: whole.nullable(),
    atStakeMicroUsd: whole.nullable(),
  }),
  isNews: z.boolean(),
});

/** A model that takes minutes for every answer is told of once, not with each of them. */
const newsColumn = `not exists (select from homework_run_events e where e.run_id = l.run_id and e.type = 'model_silent'
  and e.event ? 'is_told' and e.created_at > run_now() - make_interval(secs => ${silenceToldEveryMs} / 1000)) as is_news`;

/** The run of the call is locked. */
export async function markSilent(tx: Tx, { callId }: ModelCall, silence: Silence | null): Promise<NotedSilence | null> {
  const query = statementIn(tx);
  const marked = await query(
    `update llm_usage_logs set ${setSilence} where call_id = $1::uuid and state = 'reserved' returning call_id`,
    [callId, silence?.silentMs ?? null, silence?.triesLeft ?? null],
  );
  if (marked.length === 0) return null;
  const [row] = await query(
    `select ${describedCall("run_id, iteration")} as noted, ${newsColumn} from llm_usage_logs l where call_id = $1::uuid`,
    [callId],
  );
  const { noted, isNews } = notedRow.parse(row);
  return { ...noted, triesMost: noted.triesMost ?? noted.tries, isNews };
}

/** Of a conversation or of HOMЯ: nothing but its row, which pages read. */
export async function noteSilence(
  query: Database["statement"],
  owner: HeldOwner,
  { callId }: Pick<ModelCall, "callId">,
  silence: Silence | null,
): Promise<Kept> {
  const text = `with owner as (${owner.hold({ events: 0, toolCalls: "0" })}),
    call as (update llm_usage_logs l set silent_since = run_now() - make_interval(secs => $5::float8 / 1000), tries_left = $6::int
      from owner where l.call_id = $4::uuid and l.state = 'reserved')
    select from owner`;
  const rows = await query(text, [...owner.bound, callId, silence?.silentMs ?? null, silence?.triesLeft ?? null]);
  return rows.length === 1 ? "kept" : "lost";
}

// What the user said to a run. Messages of one change stay in the order in which they were said, however coarse the clock is.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { NewRunMessage } from "../../domain/run/effects.ts";
import type { RunId } from "../../domain/run/run.ts";
import { toJson } from "../json.ts";

/** `askedIn`: the iteration whose questions the answers among them are to. */
export async function insertMessages(
  tx: Tx,
  runId: RunId,
  askedIn: number,
  messages: readonly NewRunMessage[],
): Promise<void> {
  await sql`
    insert into homework_run_messages (id, run_id, kind, question_id, question, asked_in, text, created_at)
    select gen_random_uuid(), ${runId}::uuid, s->>'kind', s->>'questionId', s->>'question',
           case when s->>'kind' = 'answer' then ${askedIn}::int end, s->>'text', run_now() + s.ord * interval '1 microsecond'
      from jsonb_array_elements(${toJson(messages)}::jsonb) with ordinality as s (s, ord)`.execute(tx);
}
